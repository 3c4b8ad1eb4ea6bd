"""Answer the assistant that has started us, over our standard input and output."""

from __future__ import annotations

from collections.abc import Callable

import anyio
from mcp.server.stdio import stdio_server

from n8n_scraper.assistants.server import make_server
from n8n_scraper.assistants.tool import Json
from n8n_scraper.ledger.database import Database


def answer_over_stdio(database: Database) -> None:
    """Answer until the input ends."""
    anyio.run(_answer, database)


async def _answer(database: Database) -> None:
    async def look(work: Callable[[Database], Json]) -> Json:
        return await anyio.to_thread.run_sync(work, database)

    server = make_server(look)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
