"""Keep the run's book: who is lost is noted, and at the end it says how things stand."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

from scrapy import signals
from scrapy.exceptions import CloseSpider
from scrapy.utils.asyncio import create_looping_call

from n8n_scraper.core.errors import StoreError, TakenOver, WorkedOn
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.core.signals import run_started, template_ended
from n8n_scraper.core.started import as_started
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.crawl.per_crawler import PerCrawler
from n8n_scraper.crawl.scrapy_internals import begin
from n8n_scraper.extensions.feeds import is_feed_lost
from n8n_scraper.ledger import ledger
from n8n_scraper.ledger.archive import Archive
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.database_settings import DatabaseSettings
from n8n_scraper.ledger.jobdir import JobDirectory
from n8n_scraper.ledger.ledger import Closing, NewRun, RunStatus, State
from n8n_scraper.ledger.once import Work
from n8n_scraper.policies.run.ending import (
    STORE_LOST,
    TAKEN_OVER,
    Ending,
    ending_of,
    spoilt,
)
from n8n_scraper.policies.run.going_on import GoingOn
from n8n_scraper.policies.run.lease import RENEWALS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from n8n_scraper.core.dossier import Planned
    from n8n_scraper.policies.pace.pace import Pace

T = TypeVar("T")
logger = logging.getLogger(__name__)

BROKEN_OFF = "transcripts/broken_off"
"""Stat: whether an error of our own has ended the asking for videos."""
_UNKNOWN_RUN = "JOBDIR %s belongs to run %s, which the database %s does not know: a new run begins"


class CrawlArchive(Archive):
    """The archive inside a crawl: when the database is lost, the crawl stops."""

    def __init__(self, database: Database, crawler: Crawler) -> None:
        super().__init__(database)
        self.crawler = crawler
        self.lost: StoreError | None = None
        self.new: NewRun | None = None
        self.ended_before = 0
        self.pending: list[asyncio.Future[None]] = []
        """What must be done before the run's book is closed."""

    async def begin(self, new: NewRun, job: JobDirectory | None = None) -> None:
        """Enter the run, and let everybody prepare who has to before the first request."""
        self.new = new
        earlier = job.run_id() if job else None
        if job and earlier and not await self.do(partial(ledger.is_known, run_id=earlier)):
            logger.warning(_UNKNOWN_RUN, job.path, earlier, self.database.name)
        await super().begin(new, job)
        self.ended_before = sum(self.ended.values())
        if self.taken_up:
            logger.info("Going on with run %s: %d of %d ended", *self._standing())
        await self.crawler.signals.send_catch_log_async(run_started, dont_log=CloseSpider)
        if self.lost is not None:
            raise CloseSpider(self.reason_of_loss)

    async def plan(self, entries: Iterable[Planned]) -> None:
        """Add templates to what the run expects; `scrapy parse` and `check` have none."""
        if self.run_id is None:
            logger.info("There is no run that would plan these %d templates", len([*entries]))
        else:
            await super().plan(entries)

    async def discovery_is_over(
        self, trouble: str | None = None, *, refusal: str | None = None
    ) -> None:
        """Plan nothing more in this run, if there is one."""
        if self.run_id is not None:
            await super().discovery_is_over(trouble, refusal=refusal)

    def _standing(self) -> tuple[str, int, int]:
        return str(self.run_id), sum(self.ended.values()), self.planned

    async def do(self, work: Work[T]) -> T:
        """Run work in the database, or ask for the end of the crawl, in one clear line."""
        if self.lost is not None:  # once is enough: everybody else need not wait for it again
            raise CloseSpider(self.reason_of_loss)
        try:
            return await super().do(work)
        except StoreError as error:
            if self.lost is None:
                self.lost = error
                logger.error("%s", error)
            raise CloseSpider(self.reason_of_loss) from None

    @property
    def reason_of_loss(self) -> str:
        """Why the spider is closed when nothing can be stored any more."""
        return TAKEN_OVER if isinstance(self.lost, TakenOver | WorkedOn) else STORE_LOST

    def note_end(self, closing: Closing) -> None:
        """Tell whoever listens that a template has ended."""
        super().note_end(closing)
        self.crawler.signals.send_catch_log(
            template_ended, workflow_id=closing.item_id, outcome=closing.outcome
        )

    def stop(self, reason: str) -> None:
        """End the crawl from where raising CloseSpider has no effect."""
        assert self.crawler.engine is not None
        begin(self.crawler.engine.close_spider_async(reason=reason))


def _archive(crawler: Crawler) -> CrawlArchive:
    settings = DatabaseSettings.from_settings(crawler.settings)
    database = Database(settings.url, patience_seconds=settings.patience_seconds)
    return CrawlArchive(database, crawler)


archive_of: PerCrawler[CrawlArchive] = PerCrawler(_archive)
"""The archive that spider, pipelines and extensions of a crawl share."""


class ArchiveKeeper:
    """Sees to it that every claimed template ends, and that the run's end is told truthfully.

    Stats: `outcome/<outcome>`, `exit_status`.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.archive = archive_of(crawler)
        self.ending: Ending | None = None
        self._reason, self._left = "", 0
        self._outcomes: dict[Outcome, int] = {}
        self._closing: list[asyncio.Future[None]] = []
        self._renewal: asyncio.Future[None] | None = None
        self._heartbeat = create_looping_call(self._renew)
        connect = crawler.signals.connect
        connect(self.run_started, run_started)
        connect(self.item_dropped, signals.item_dropped)
        connect(self.item_error, signals.item_error)
        connect(self.spider_error, signals.spider_error)
        connect(self.spider_closed, signals.spider_closed)
        connect(self.engine_stopped, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Listen to this crawl."""
        return cls(crawler)

    def run_started(self) -> None:
        """Begin to say, well within the lease, that this process is alive."""
        self._heartbeat.start(self.archive.lease_seconds / RENEWALS, now=False)

    async def item_dropped(self, item: Any, exception: Exception) -> None:
        """Close the line of a template whose item was refused."""
        if self.archive.lost is None:
            await self._fail(_id_of(item), State.INVALID, str(exception))

    async def item_error(self, item: Any, failure: Failure) -> None:
        """Close the line of a template that a pipeline broke on."""
        await self._fail(_id_of(item), State.FAILED, f"a pipeline failed: {failure.value!r}")

    def spider_error(self, failure: Failure, response: Response | Failure | None) -> None:
        """Close the line of a template that the spider broke on."""
        request: Request | None = getattr(response, "request", None)
        dossier = request.cb_kwargs.get("dossier") if request is not None else None
        if dossier is not None:
            # This signal does not wait for anybody.
            reason = f"our own error: {failure.value!r}"
            task = asyncio.ensure_future(self._fail(dossier.item_id, State.FAILED, reason))
            self._closing.append(task)
        elif self.archive.discovering:
            reason = f"The list of templates is not whole: our own error {failure.value!r}."
            self._closing.append(asyncio.ensure_future(self.archive.discovery_is_over(reason)))

    async def spider_closed(self, spider: Spider, reason: str) -> None:
        """Judge how the crawl has ended."""
        archive = self.archive
        await asyncio.gather(*self._closing, *archive.pending)
        if archive.new is None or (archive.run_id is None and archive.lost is None):
            return  # a shell, a check: there was no run
        self._reason = reason
        self._outcomes = {outcome: archive.ended.get(outcome, 0) for outcome in Outcome}
        self._left = archive.planned - sum(self._outcomes.values())
        self.ending = self._judged(reason, lost=archive.lost is not None)

    async def engine_stopped(self) -> None:
        """Close the run's book, and say as the last word how it ended and how to go on."""
        if self._heartbeat.running:
            self._heartbeat.stop()
        if self._renewal is not None:
            await self._renewal
        if self.ending is not None:
            # Feeds, and the questions to the video host, end after everything else.
            self.ending = spoilt(
                self.ending,
                self._going_on,
                feed_lost=is_feed_lost(self.crawler),
                asking_broke_off=bool(self.crawler.stats.get_value(BROKEN_OFF)),
            )
            if self.archive.lost is None:
                await self._end_run(self.ending)
            if self.archive.lost is not None:  # perhaps only just now
                self.ending = self._judged(self.archive.reason_of_loss, lost=True)
            self._note_stats(self.ending)
        # What is still under way there may take its time; nobody else need wait for it.
        await asyncio.to_thread(self.archive.database.close)
        if self.ending is not None:
            for warning in self.ending.warnings:
                logger.warning("%s", as_started(warning))
            level = logging.INFO if self.ending.status == 0 else logging.WARNING
            for line in self.ending.lines:
                logger.log(level, "%s", as_started(line))

    def _judged(self, reason: str, *, lost: bool) -> Ending:
        return ending_of(
            reason,
            self._outcomes,
            self._going_on,
            unsettled=self.archive.unsettled,
            left=self._left,
            trouble=self.archive.trouble,
            refusal=self.archive.refusal,
            doubt=self.archive.doubt,
            lost=lost,
            not_in_feeds=self.archive.ended_before if self._begins_feeds_anew() else 0,
        )

    @property
    def _going_on(self) -> GoingOn:
        new = self.archive.new
        assert new is not None, "a crawl that ends has begun"
        jobdir = self.crawler.settings["JOBDIR"] or None
        return GoingOn(self.archive.run_id, new.command, new.arguments, jobdir)

    def _begins_feeds_anew(self) -> bool:
        feeds = self.crawler.settings.getdict("FEEDS")
        return any(options.get("overwrite") for options in feeds.values())

    def _note_stats(self, ending: Ending) -> None:
        stats = self.crawler.stats
        for outcome, number in self._outcomes.items():
            stats.set_value(f"outcome/{outcome}", number)
        stats.set_value("exit_status", int(ending.status))

    async def _end_run(self, ending: Ending) -> None:
        totals: dict[str, Any] = {
            str(outcome): number for outcome, number in self._outcomes.items()
        }
        totals |= {"left": self._left, "exit_status": int(ending.status)}
        totals["pace"] = {pace.domain: _pace_of(pace) for pace in paces_of(self.crawler).all()}
        with suppress(CloseSpider):
            await self.archive.end(RunStatus(ending.run_status), self._reason, totals)

    def _renew(self) -> None:
        # One that still waits for its turn renews the lease as well as many would.
        if self._renewal is None or self._renewal.done():
            self._renewal = asyncio.ensure_future(self._say_that_we_live())

    async def _say_that_we_live(self) -> None:
        try:
            await self.archive.renew()
        except CloseSpider as lost:
            self.archive.stop(lost.reason)

    async def _fail(self, workflow_id: str | None, state: State, reason: str) -> None:
        if workflow_id is not None:
            try:
                await self.archive.fail(workflow_id, state, reason)
            except CloseSpider as lost:
                self.archive.stop(lost.reason)


def _pace_of(pace: Pace) -> dict[str, float]:
    """What keeping to a domain's pace has cost, for the run's row."""
    stats = pace.bucket.stats
    return {
        "requests": stats.requests,
        "waits": stats.waits,
        "mean_wait": round(stats.mean, 3),
        "rate": round(pace.bucket.rate, 3),
    }


def _id_of(item: Any) -> str | None:
    return getattr(item, "workflow_id", None)
