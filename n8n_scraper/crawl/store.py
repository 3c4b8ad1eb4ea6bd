"""The database of a crawl: when it is lost, that is told here, once, and closes the spider."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import TYPE_CHECKING, TypeVar

from scrapy.exceptions import CloseSpider

from n8n_scraper.core.errors import StoreError, WorkedOn
from n8n_scraper.crawl.per_crawler import PerCrawler
from n8n_scraper.crawl.scrapy_internals import begin
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.database_settings import DatabaseSettings
from n8n_scraper.policies.run.ending import STORE_LOST, WORKED_ON

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from n8n_scraper.ledger.once import Work

T = TypeVar("T")
logger = logging.getLogger(__name__)


class CrawlStore:
    """Runs work in the database, and supervises it: its loss ends the crawl.

    Callbacks of the spider may let the CloseSpider pass that a loss raises. Everything else awaits
    its work by `unless_lost`, or leaves it to `beside`: the spider is closed already.
    """

    def __init__(self, database: Database, crawler: Crawler) -> None:
        self.database = database
        self.crawler = crawler
        self.lost: StoreError | None = None
        self._beside: set[asyncio.Future[object]] = set()

    @property
    def longest_wait_seconds(self) -> float:
        """For how long a process may have to wait for the database."""
        return self.database.longest_wait_seconds

    @property
    def reason_of_loss(self) -> str:
        """Why the spider is closed when nothing can be stored any more."""
        return WORKED_ON if isinstance(self.lost, WorkedOn) else STORE_LOST

    async def run(self, work: Work[T]) -> T:
        """Run work in one transaction; when the database is lost, raise CloseSpider."""
        self.check()  # to wait for it once is enough
        try:
            return await self.database.run(work)
        except StoreError as error:
            self.lose(error)
            raise CloseSpider(self.reason_of_loss) from None

    def check(self) -> None:
        """Raise CloseSpider when the database is lost."""
        if self.lost is not None:
            raise CloseSpider(self.reason_of_loss)

    async def unless_lost(self, work: Awaitable[T]) -> T | None:
        """Await work that needs the database; None when the database is lost meanwhile."""
        try:
            return await work
        except CloseSpider:
            if self.lost is None:
                raise
            return None

    def beside(self, work: Awaitable[object]) -> asyncio.Future[object]:
        """Let work that needs the database go on by itself; it has ended before the run ends."""
        task = asyncio.ensure_future(self.unless_lost(work))
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)
        return task

    async def settle(self) -> None:
        """Wait until all that goes on beside has ended."""
        await asyncio.gather(*self._beside)

    def close_spider(self, reason: str) -> None:
        """End the crawl from where raising CloseSpider has no effect."""
        engine = self.crawler.engine
        if engine is not None and engine.spider is not None:  # else it is closed by now
            begin(engine.close_spider_async(reason=reason))

    def lose(self, error: StoreError) -> None:
        """Say that the database is lost, and end the crawl."""
        if self.lost is None:
            self.lost = error
            logger.error("%s", error)
            self.close_spider(self.reason_of_loss)


def _store(crawler: Crawler) -> CrawlStore:
    settings = DatabaseSettings.from_settings(crawler.settings)
    return CrawlStore(Database(settings.url, patience_seconds=settings.patience_seconds), crawler)


store_of: PerCrawler[CrawlStore] = PerCrawler(_store)
"""The database that all components of a crawl share."""
