"""Serve connections on loopback, in a thread beside a test, and leave nothing of them open."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

_PATIENCE_SECONDS = 5.0
_HUNG_UP = (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError)


@contextmanager
def served(answer: Answer, context: ssl.SSLContext | None = None) -> Iterator[int]:
    """Let `answer` deal with each connection until the block ends, and give the port."""
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(
        asyncio.start_server(partial(_connected, answer), "127.0.0.1", 0, ssl=context)
    )
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        port: int = server.sockets[0].getsockname()[1]
        yield port
    finally:
        asyncio.run_coroutine_threadsafe(_close(server), loop).result(_PATIENCE_SECONDS)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _connected(
    answer: Answer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    with suppress(*_HUNG_UP):  # the other side hangs up whenever it has heard enough
        try:
            await answer(reader, writer)
            writer.close()
            await writer.wait_closed()
        finally:
            writer.transport.abort()


async def _close(server: asyncio.Server) -> None:
    server.close()
    own = asyncio.current_task()
    under_way = [task for task in asyncio.all_tasks() if task is not own]
    for task in under_way:
        task.cancel()
    await asyncio.gather(*under_way, return_exceptions=True)
    for _ in range(3):  # until the lines that were cut have heard of it
        await asyncio.sleep(0)
