"""A page of which a part is live: shown once, and streamed for as long as it is watched."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from n8n_scraper.serve.archive import ARCHIVE
from n8n_scraper.serve.live.streams import STREAMS, stream
from n8n_scraper.serve.pages import blocks, render


@dataclass(frozen=True, slots=True)
class Asked:
    """What a page is asked for."""

    match: Mapping[str, str]
    """The parts of its path that have a name."""
    query: Mapping[str, str]

    def get(self, name: str) -> str | None:
        """Give a word of the query; None where it is empty."""
        return self.query.get(name) or None


Look = Callable[..., Mapping[str, Any]]
"""Computes what a page shows, from a database and what was asked."""


def add_page(app: web.Application, path: str, template: str, look: Look) -> None:
    """Serve a page at a path, and its live parts at the same path below `/live`."""

    async def show(request: web.Request) -> web.Response:
        values = await request.app[ARCHIVE].look(look, _asked(request))
        return render(request, template, live=f"/live{request.path_qs}", **values)

    async def watch(request: web.Request) -> web.StreamResponse:
        asked = _asked(request)

        async def make() -> Mapping[str, str]:
            values = await request.app[ARCHIVE].look(look, asked)
            return await asyncio.to_thread(blocks, template, "live_", **values)

        return await stream(request, request.app[STREAMS].of(request.path_qs, make))

    app.router.add_get(path, show)
    app.router.add_get(f"/live{path}", watch, allow_head=False)


def _asked(request: web.Request) -> Asked:
    return Asked(dict(request.match_info), dict(request.query))
