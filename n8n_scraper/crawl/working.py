"""The worker of a crawl: what it does on a run, told to whoever listens."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from scrapy.exceptions import CloseSpider

from n8n_scraper.core.signals import item_ended, run_started
from n8n_scraper.crawl.per_crawler import PerCrawler
from n8n_scraper.crawl.sourced import noun_of_crawl, source_of_crawl
from n8n_scraper.crawl.store import CrawlStore, store_of
from n8n_scraper.ledger import ledger
from n8n_scraper.ledger.worker import NoteGone, Worker
from n8n_scraper.records import history

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from n8n_scraper.core.dossier import Planned
    from n8n_scraper.ledger.jobdir import JobDirectory
    from n8n_scraper.ledger.ledger import Closing, NewRun

logger = logging.getLogger(__name__)

_UNKNOWN_RUN = "JOBDIR %s belongs to run %s, which the database %s does not know: a new run begins"


class CrawlWorker(Worker):
    """The worker inside a crawl: its components hear by signals of what it does."""

    def __init__(self, store: CrawlStore, crawler: Crawler) -> None:
        super().__init__(store, _noting_gone(crawler))
        self.crawler = crawler
        self.crawl_store = store
        self.new: NewRun | None = None
        self.ended_before = 0

    async def begin(self, new: NewRun, job: JobDirectory | None = None, database: str = "") -> None:
        """Enter the run, and let everybody prepare who has to before the first request."""
        self.new = new
        database = self.crawl_store.database.name
        earlier = job.run_id() if job else None
        if job and earlier and not await self.do(partial(ledger.is_known, run_id=earlier)):
            logger.warning(_UNKNOWN_RUN, job.path, earlier, database)
        await super().begin(new, job, database)
        self.ended_before = sum(self.ended.values())
        if self.taken_up:
            logger.info("Going on with run %s: %d of %d ended", *self._standing())
        await self.crawler.signals.send_catch_log_async(run_started, dont_log=CloseSpider)
        self.crawl_store.check()

    async def plan(self, entries: Iterable[Planned]) -> None:
        """Add items to what the run expects; `scrapy parse` and `check` have none."""
        if self.run_id is None:
            items = noun_of_crawl(self.crawler).so_many(len([*entries]))
            logger.info("There is no run that would plan %s", items)
        else:
            await super().plan(entries)

    async def discovery_is_over(
        self, trouble: str | None = None, *, refusal: str | None = None
    ) -> None:
        """Plan nothing more in this run, if there is one."""
        if self.run_id is not None:
            await super().discovery_is_over(trouble, refusal=refusal)

    def note_end(self, closing: Closing) -> None:
        """Tell whoever listens that an item has ended."""
        super().note_end(closing)
        self.crawler.signals.send_catch_log(
            item_ended, item_id=closing.item_id, outcome=closing.outcome
        )

    def _standing(self) -> tuple[str, int, int]:
        return str(self.run_id), sum(self.ended.values()), self.planned


def _noting_gone(crawler: Crawler) -> NoteGone | None:
    """Give what notes that an item of the crawl's source is gone, where it has one."""
    source = source_of_crawl(crawler)
    if source is None:
        return None
    return lambda session, run_id, item_id: history.note_gone(session, source, run_id, item_id)


worker_of: PerCrawler[CrawlWorker] = PerCrawler(
    lambda crawler: CrawlWorker(store_of(crawler), crawler)
)
"""The worker that spider, pipelines and extensions of a crawl share."""
