"""Let what a crawl stores be found a moment later, as many items at a time as have come by then.

One by one it would take as long as all the rest of storing them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import CloseSpider

from n8n_scraper.core.signals import run_started
from n8n_scraper.crawl.per_crawler import PerCrawler
from n8n_scraper.crawl.sourced import source_of_crawl
from n8n_scraper.crawl.stopping import is_stopping
from n8n_scraper.crawl.store import CrawlStore, store_of
from n8n_scraper.records.indexing import ITEMS_A_BLOCK, index_some, index_stored

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from n8n_scraper.core.dossier import FoundBy
    from n8n_scraper.core.source import Source

logger = logging.getLogger(__name__)

LONGEST_WAIT_SECONDS = 1.0
"""After which a stored item can be found, also where no others come."""


class Indexing:
    """Indexes the items that a crawl has stored, and those that a killed one has left."""

    def __init__(self, source: Source, store: CrawlStore, crawler: Crawler) -> None:
        self.source = source
        self.store = store
        self.crawler = crawler
        self._waiting: dict[str, FoundBy] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._has_run = False
        crawler.signals.connect(self.run_started, run_started)
        crawler.signals.connect(self.spider_closed, signals.spider_closed)

    def take(self, item_id: str, found_by: FoundBy) -> None:
        """Have an item indexed that was just stored."""
        self._waiting[item_id] = found_by
        if len(self._waiting) >= ITEMS_A_BLOCK:
            self._index()
        elif self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(LONGEST_WAIT_SECONDS, self._index)

    def run_started(self) -> None:
        """Begin with what an earlier crawl has left, or a version that indexed in another way."""
        self._has_run = True
        self.store.beside(self._done(self._catch_up(lambda: is_stopping(self.crawler))))

    def spider_closed(self, reason: str) -> None:
        """Index the last ones, and what another worker left that was killed meanwhile.

        The run is not left before; but one that was stopped does no more than its own.
        """
        self._index()
        if self._has_run and reason == "finished":
            self.store.beside(self._done(self._catch_up(lambda: False)))

    def _index(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._waiting:
            waiting, self._waiting = self._waiting, {}
            work = partial(index_stored, source=self.source, stored=waiting)
            self.store.beside(self._done(self.store.run(work)))

    async def _catch_up(self, is_enough: Callable[[], bool]) -> None:
        done, after = 0, ""
        while not is_enough():
            ids = await self.store.run(partial(index_some, source=self.source, after=after))
            if not ids:
                break
            done, after = done + len(ids), ids[-1]
        if done:
            what = self.source.noun.so_many(done)
            logger.info("Indexed %s that another crawl had stored: a search finds them now", what)

    async def _done(self, work: Awaitable[None]) -> None:
        """Await it; an error of our own costs no more than that these items are not found."""
        try:
            await work
        except CloseSpider:
            raise
        except Exception:
            logger.exception(
                "%s could not be indexed: no search finds them before `scrapy search --rebuild`",
                self.source.noun.many,
            )


def _indexing(crawler: Crawler) -> Indexing | None:
    source = source_of_crawl(crawler)
    return None if source is None else Indexing(source, store_of(crawler), crawler)


indexing_of: PerCrawler[Indexing | None] = PerCrawler(_indexing)
"""What makes all that a crawl stores findable; a crawl of no source has none."""
