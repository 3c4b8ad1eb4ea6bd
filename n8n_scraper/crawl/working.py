"""The worker of a crawl: what it does on a run, told to whoever listens."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import CloseSpider, DropItem

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.signals import item_ended, run_started
from n8n_scraper.crawl.outside import listener_of
from n8n_scraper.crawl.per_crawler import PerCrawler
from n8n_scraper.crawl.sourced import noun_of_crawl, source_of_crawl
from n8n_scraper.crawl.store import CrawlStore, store_of
from n8n_scraper.ledger import runs
from n8n_scraper.ledger.joining import is_over, run_to_join
from n8n_scraper.ledger.sql_ledger import SqlLedger
from n8n_scraper.ledger.worker import NoteGone, Worker
from n8n_scraper.ledger.workers import this_process
from n8n_scraper.policies.run.lease import lease_seconds
from n8n_scraper.records import history

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from n8n_scraper.core.dossier import Planned
    from n8n_scraper.ledger.jobdir import JobDirectory
    from n8n_scraper.ledger.ledger import Closing, NewRun

logger = logging.getLogger(__name__)

ITEMS_LOST = "worker/items_lost"
"""Stat: how many items others have taken while this process was held up."""
_UNKNOWN_RUN = "JOBDIR %s belongs to run %s, which the database %s does not know: a new run begins"


class NotStored(DropItem):
    """An item was not stored, and its line is not closed: the database is lost, or the item is."""


class CrawlWorker(Worker):
    """The worker inside a crawl: its components hear by signals of what it does."""

    def __init__(self, store: CrawlStore, crawler: Crawler) -> None:
        lease = lease_seconds(store.database.longest_wait_seconds)
        jobdir = crawler.settings["JOBDIR"] or None
        process = this_process(lease, jobdir and str(Path(jobdir).absolute()))
        super().__init__(SqlLedger(store, listener_of(crawler)), process, _noting_gone(crawler))
        self.crawler = crawler
        self.store = store
        self.new: NewRun | None = None

    async def begin(self, new: NewRun, job: JobDirectory | None = None) -> None:
        """Take up the run that the job directory belongs to, or enter a new one.

        Everybody prepares then who has to before the first request.
        """
        self.new = new
        earlier = job.run_id() if job else None
        if job is None or earlier is None or not await self._goes_on(earlier, new, job):
            await self.enter(new)
        if job is not None:
            job.tie(self.run.run_id, self.store.database.name)
        await self._has_begun()

    async def begin_beside(self, name: str, asked: NewRun) -> None:
        """Work on a run that is there, beside whoever does already.

        Raise BadInput when there is none of this name, or another one than is asked for.
        """
        found = await self.store.run(lambda session: run_to_join(session, name, asked))
        if not await self.join(found.run_id):
            raise BadInput(is_over(found.run_id))
        self.new = replace(asked, arguments=dict(found.arguments))
        await self._has_begun()

    async def _goes_on(self, run_id: str, new: NewRun, job: JobDirectory) -> bool:
        if await self.take_up(run_id, new):
            return True
        if not await self.store.run(partial(runs.is_known, run_id=run_id)):
            logger.warning(_UNKNOWN_RUN, job.path, run_id, self.store.database.name)
        return False

    async def _has_begun(self) -> None:
        run = self.run
        if run.taken_up:
            counts = run.counts
            logger.info(
                "Going on with run %s: %d of %d ended", run.run_id, counts.done, counts.total
            )
        await self.crawler.signals.send_catch_log_async(run_started, dont_log=CloseSpider)
        self.store.check()

    async def plan(self, entries: Iterable[Planned]) -> None:
        """Add items to what the run expects; `scrapy parse` and `check` have none."""
        if self.run_id is None:
            items = noun_of_crawl(self.crawler).so_many(len([*entries]))
            logger.info("There is no run that would plan %s", items)
        else:
            await super().plan(entries)

    def note_end(self, closing: Closing) -> None:
        """Tell whoever listens that an item has ended."""
        super().note_end(closing)
        self.crawler.signals.send_catch_log(
            item_ended, item_id=closing.item_id, outcome=closing.outcome
        )

    def note_loss(self, item_id: str) -> None:
        """Count an item that another process has by now."""
        super().note_loss(item_id)
        self.crawler.stats.set_value(ITEMS_LOST, self.lost_items)


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
