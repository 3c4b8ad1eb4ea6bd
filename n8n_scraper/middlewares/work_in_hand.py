"""Let large answers wait for each other before anything is read out of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Self

from scrapy import Request
from scrapy.http import Response

from n8n_scraper.core.dossier import Dossier
from n8n_scraper.core.signals import item_ended
from n8n_scraper.crawl.stopping import is_stopping
from n8n_scraper.policies.pace.work_in_hand import WorkInHand

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

MOST_BYTES = 16 * 1024 * 1024
"""Bytes of answers in hand at once: as much as a hundred ordinary items have."""

_LONGEST_WAIT = 1.0  # a stop ends the wait: who waits looks up in between


class WorkInHandMiddleware:
    """Hold an answer back while the items in hand have too many bytes already.

    An answer that waits keeps its place among the requests under way, so no more of them wait
    than half of these places: the others can always go on.
    """

    def __init__(self, most_waiting: int, stopping: Callable[[], bool]) -> None:
        self.work = WorkInHand(MOST_BYTES)
        self._most_waiting = most_waiting
        self._stopping = stopping
        self._waiting = 0
        self._changed = asyncio.Event()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Hear of every item that ends."""
        places = crawler.settings.getint("CONCURRENT_REQUESTS")
        middleware = cls(places // 2, partial(is_stopping, crawler))
        crawler.signals.connect(middleware.item_ended, item_ended)
        return middleware

    def process_response(
        self, request: Request, response: Response
    ) -> Response | Awaitable[Response]:
        """Pass an answer on, at once where there is room for it."""
        dossier: Dossier | None = request.cb_kwargs.get("dossier")
        if dossier is None:
            return response
        key, size = dossier.item_id, len(response.body)
        if self.work.has_room(key, size) or self._waiting >= self._most_waiting:
            self.work.take(key, size)
            return response
        return self._later(key, size, response)

    def item_ended(self, item_id: str) -> None:
        """Make room."""
        self.work.done(item_id)
        self._changed.set()

    async def _later(self, key: str, size: int, response: Response) -> Response:
        self._waiting += 1
        try:
            while not (self.work.has_room(key, size) or self._stopping()):
                self._changed.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), _LONGEST_WAIT)
        finally:
            self._waiting -= 1
        self.work.take(key, size)
        return response
