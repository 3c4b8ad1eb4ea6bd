"""Give the workflow of a template as a file that n8n's editor takes."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.serve.archive import ARCHIVE
from n8n_scraper.serve.people.places import PLACES
from n8n_scraper.serve.problems import Problem
from n8n_scraper.sources.n8n.importable import importable_of


def add_to(app: web.Application, source: Source) -> None:
    """Add it below the page of each template."""
    place = app[PLACES][source.name]
    app.router.add_get(f"{place.path}/{{id:{source.ids.pattern}}}/workflow.json", _file(source))


def _file(source: Source) -> Handler:
    async def give(request: web.Request) -> web.Response:
        item_id = request.match_info["id"]
        body = await request.app[ARCHIVE].look(_workflow, source, item_id)
        if body is None:
            raise Problem(HTTPStatus.NOT_FOUND, f"The archive has no workflow of {item_id}.")
        named = f'attachment; filename="template-{item_id}.json"'
        return web.Response(
            body=body,
            content_type="application/json",
            headers={"Content-Disposition": named},
        )

    return give


def _workflow(database: Database, source: Source, item_id: str) -> bytes | None:
    found = importable_of(database, source, item_id)
    return None if found is None else msgspec.json.encode(found)
