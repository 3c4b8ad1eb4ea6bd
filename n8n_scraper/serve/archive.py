"""The database behind the pages: looked at on a few threads, each look bounded in time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Concatenate, ParamSpec, TypeVar

from aiohttp import web

from n8n_scraper.ledger.database import Database

P = ParamSpec("P")
T = TypeVar("T")

_LOOKS_AT_ONCE = 4


class Archive:
    """Hands reports their database, outside the event loop."""

    def __init__(self, url: str, *, look_seconds: float) -> None:
        self._looked_at = Database(url, patience_seconds=0, look_seconds=look_seconds)
        self._changed = Database(url)
        self._looks = ThreadPoolExecutor(_LOOKS_AT_ONCE, thread_name_prefix="look")
        self._changes = ThreadPoolExecutor(1, thread_name_prefix="change")

    @property
    def name(self) -> str:
        """The database's address, without its password."""
        return self._looked_at.name

    async def look(
        self, function: Callable[Concatenate[Database, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run a function that only reads; it raises TookTooLong where it takes too long."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._looks, lambda: function(self._looked_at, *args, **kwargs)
        )

    async def change(
        self, function: Callable[Concatenate[Database, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run a function that writes, one at a time."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._changes, lambda: function(self._changed, *args, **kwargs)
        )

    def close(self) -> None:
        """Break off what is being looked at, let a change end, then disconnect."""
        self._looked_at.stop_looking()
        for threads in (self._looks, self._changes):
            threads.shutdown(wait=True, cancel_futures=True)
        for database in (self._looked_at, self._changed):
            database.close()


ARCHIVE: web.AppKey[Archive] = web.AppKey("ARCHIVE", Archive)
