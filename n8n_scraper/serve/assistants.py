"""AI assistants over HTTP: `/mcp`, where the package for it is installed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus
from typing import TYPE_CHECKING

from aiohttp import web

from n8n_scraper.assistants.tool import Json
from n8n_scraper.core.extras import ASSISTANTS
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.safety.visits import Openness
from n8n_scraper.serve.archive import ARCHIVE
from n8n_scraper.serve.asgi import answer_by
from n8n_scraper.serve.guard import only_reads, open_to
from n8n_scraper.serve.problems import Problem

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

_PATH = "/mcp"


def add_to(app: web.Application) -> None:
    """Add it; without the package it says how to install that."""
    if ASSISTANTS.missing():
        app.router.add_route("*", _PATH, _say_what_is_missing)
        return
    endpoint = _Endpoint()
    app.cleanup_ctx.append(endpoint.live)
    # Nothing is told unasked, so there is no stream to listen to: a GET is answered with 405.
    app.router.add_post(_PATH, endpoint.answer)


@open_to(Openness.PROGRAMS)
@only_reads
async def _say_what_is_missing(_request: web.Request) -> web.Response:
    raise Problem(HTTPStatus.NOT_IMPLEMENTED, f"{ASSISTANTS.missing()}")


class _Endpoint:
    """Gives each request to the official package, which knows the protocol and its versions."""

    def __init__(self) -> None:
        self._manager: StreamableHTTPSessionManager | None = None
        self._beginning = asyncio.Lock()
        self._ended = asyncio.Event()
        self._life: asyncio.Future[None] | None = None

    async def live(self, _app: web.Application) -> AsyncIterator[None]:
        """End with the application."""
        yield
        self._ended.set()
        if self._life is not None:
            await self._life

    @open_to(Openness.PROGRAMS)
    @only_reads
    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer a message of the protocol."""
        manager = await self._managed_by(request.app)
        return await answer_by(manager.asgi_app, request)

    async def _managed_by(self, app: web.Application) -> StreamableHTTPSessionManager:
        """Begin with the first request: importing takes a second, for which no page waits."""
        async with self._beginning:
            if self._manager is None:
                self._manager = await asyncio.to_thread(_make_manager, app)
                running = asyncio.Event()
                # What it keeps open has to be closed by the task that opened it.
                self._life = asyncio.ensure_future(_run(self._manager, running, self._ended))
                await running.wait()
        return self._manager


def _make_manager(app: web.Application) -> StreamableHTTPSessionManager:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from n8n_scraper.assistants.server import make_server

    async def look(work: Callable[[Database], Json]) -> Json:
        return await app[ARCHIVE].look(work)

    return StreamableHTTPSessionManager(make_server(look), json_response=True, stateless=True)


async def _run(
    manager: StreamableHTTPSessionManager, running: asyncio.Event, ended: asyncio.Event
) -> None:
    async with manager.run():
        running.set()
        await ended.wait()
