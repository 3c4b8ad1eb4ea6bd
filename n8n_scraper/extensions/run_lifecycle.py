"""See a run to its end: renew the lease, close lines that our errors lost, set the exit status."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Self

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.core.signals import run_started
from n8n_scraper.core.started import as_started
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.crawl.sourced import noun_of_crawl, source_of_crawl
from n8n_scraper.crawl.store import store_of
from n8n_scraper.crawl.working import worker_of
from n8n_scraper.extensions.feeds import is_feed_lost
from n8n_scraper.ledger.ledger import RunStatus, State
from n8n_scraper.policies.run.ending import Ending, ending_of, spoilt
from n8n_scraper.policies.run.going_on import GoingOn
from n8n_scraper.policies.run.lease import RENEWALS

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from n8n_scraper.policies.pace.pace import Pace

logger = logging.getLogger(__name__)

BROKEN_OFF = "transcripts/broken_off"
"""Stat: whether an error of our own has ended the asking for videos."""


class RunLifecycle:
    """Sees to it that every claimed item ends, and that the run's end is told truthfully.

    Stats: `outcome/<outcome>`, `exit_status`.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.source, self.noun = source_of_crawl(crawler), noun_of_crawl(crawler)
        self.store = store_of(crawler)
        self.worker = worker_of(crawler)
        self.ending: Ending | None = None
        self._reason, self._left = "", 0
        self._outcomes: dict[Outcome, int] = {}
        self._renewal: asyncio.Future[object] | None = None
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
        self._heartbeat.start(self.worker.lease_seconds / RENEWALS, now=False)

    async def item_dropped(self, item: Any, exception: Exception) -> None:
        """Close the line of an item that was refused."""
        await self._fail(item, State.INVALID, str(exception))

    async def item_error(self, item: Any, failure: Failure) -> None:
        """Close the line of an item that a pipeline broke on."""
        await self._fail(item, State.FAILED, f"a pipeline failed: {failure.value!r}")

    def spider_error(self, failure: Failure, response: Response | Failure | None) -> None:
        """Close the line of an item that the spider broke on."""
        request: Request | None = getattr(response, "request", None)
        dossier = request.cb_kwargs.get("dossier") if request is not None else None
        if dossier is not None:
            # This signal does not wait for anybody.
            reason = f"our own error: {failure.value!r}"
            self.store.beside(self.worker.fail(dossier.item_id, State.FAILED, reason))
        elif self.worker.discovering:
            reason = f"The list of {self.noun.many} is not whole: our own error {failure.value!r}."
            self.store.beside(self.worker.discovery_is_over(reason))

    async def spider_closed(self, spider: Spider, reason: str) -> None:
        """Judge how the crawl has ended."""
        worker, lost = self.worker, self.store.lost is not None
        await self.store.settle()
        if worker.new is None or (worker.run_id is None and not lost):
            return  # a shell, a check: there was no run
        self._reason = reason
        self._outcomes = {outcome: worker.ended.get(outcome, 0) for outcome in Outcome}
        self._left = worker.planned - sum(self._outcomes.values())
        self.ending = self._judged(reason, lost=lost)

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
            await self.store.unless_lost(self._end_run(self.ending))
            if self.store.lost is not None:  # perhaps only just now
                self.ending = self._judged(self.store.reason_of_loss, lost=True)
            self._note_stats(self.ending)
        # What is still under way there may take its time; nobody else need wait for it.
        await asyncio.to_thread(self.store.database.close)
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
            unsettled=self.worker.unsettled,
            left=self._left,
            trouble=self.worker.trouble,
            refusal=self.worker.refusal,
            doubt=self.worker.doubt,
            lost=lost,
            not_in_feeds=self.worker.ended_before if self._begins_feeds_anew() else 0,
        )

    @property
    def _going_on(self) -> GoingOn:
        new = self.worker.new
        assert new is not None, "a crawl that ends has begun"
        jobdir = self.crawler.settings["JOBDIR"] or None
        return GoingOn(
            self.worker.run_id, new.command, new.arguments, jobdir, new.source, self.noun
        )

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
        await self.worker.end(RunStatus(ending.run_status), self._reason, totals)

    def _renew(self) -> None:
        # One that still waits for its turn renews the lease as well as many would.
        if self._renewal is None or self._renewal.done():
            self._renewal = self.store.beside(self.worker.renew())

    async def _fail(self, item: object, state: State, reason: str) -> None:
        item_id = self.source.id_of(item) if self.source else None
        if item_id is not None:
            await self.store.unless_lost(self.worker.fail(item_id, state, reason))


def _pace_of(pace: Pace) -> dict[str, float]:
    """What keeping to a domain's pace has cost, for the run's row."""
    stats = pace.bucket.stats
    return {
        "requests": stats.requests,
        "waits": stats.waits,
        "mean_wait": round(stats.mean, 3),
        "rate": round(pace.bucket.rate, 3),
    }
