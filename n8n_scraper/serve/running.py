"""Serve until a signal comes, then stop at once, whoever is still watching."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

from aiohttp import web

from n8n_scraper.core.errors import BadInput
from n8n_scraper.serve.application import make_application
from n8n_scraper.serve.archive import Archive
from n8n_scraper.serve.options import ServeOptions

LONGEST_ADDRESS = 64 * 1024
"""What may be typed into a search is read, however long it is."""

_LAST_ANSWERS_SECONDS = 0.5
"""How long answers that are being written at the end may still take."""


def serve(options: ServeOptions, tell: Callable[[str], None]) -> None:
    """Answer until SIGINT or SIGTERM; `tell` is told the address once it answers."""
    asyncio.run(_serve(options, tell))


async def _serve(options: ServeOptions, tell: Callable[[str], None]) -> None:
    archive = Archive(options.database_url, look_seconds=options.look_seconds)
    runner = web.AppRunner(
        make_application(archive, options),
        access_log=None,
        handle_signals=False,
        shutdown_timeout=_LAST_ANSWERS_SECONDS,
        max_line_size=LONGEST_ADDRESS,
    )
    await runner.setup()
    try:
        ended = _ended()
        tell(await _open(runner, options))
        await ended.wait()
    finally:
        await runner.cleanup()


async def _open(runner: web.AppRunner, options: ServeOptions) -> str:
    """Open the port, and give the address at which it answers."""
    site = web.TCPSite(runner, options.host, options.port)
    try:
        await site.start()
    except OSError as error:
        raise BadInput(
            f"nothing can be served at {options.host}, port {options.port}: {error.strerror}. "
            "Choose another one with --port."
        ) from None
    host, port = runner.addresses[0][:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _ended() -> asyncio.Event:
    """Give what is set by the first signal."""
    ended, loop = asyncio.Event(), asyncio.get_running_loop()
    for one in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(one, ended.set)
    return ended
