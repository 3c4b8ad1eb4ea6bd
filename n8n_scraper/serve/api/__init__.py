"""The archive for programs: operations under `/api/`, described by `/api/openapi.json`."""

from __future__ import annotations

from functools import cache

import msgspec
from aiohttp import web

from n8n_scraper.policies.safety.visits import Openness
from n8n_scraper.serve.api import archive, runs, scrape_runs, scrape_updates
from n8n_scraper.serve.api.answering import answering
from n8n_scraper.serve.api.openapi import describe
from n8n_scraper.serve.guard import open_to

OPERATIONS = (
    *scrape_runs.OPERATIONS,
    *scrape_updates.OPERATIONS,
    *runs.OPERATIONS,
    *archive.OPERATIONS,
)
"""All that programs can ask for."""


def add_to(app: web.Application) -> None:
    """Add all operations, and their description."""
    for operation in OPERATIONS:
        app.router.add_route(operation.method, operation.path, answering(operation))
    app.router.add_get("/api/openapi.json", openapi)


@open_to(Openness.PROGRAMS)
async def openapi(_request: web.Request) -> web.Response:
    """Describe all operations."""
    return web.Response(body=_description(), content_type="application/json")


@cache
def _description() -> bytes:
    return msgspec.json.encode(describe(OPERATIONS))
