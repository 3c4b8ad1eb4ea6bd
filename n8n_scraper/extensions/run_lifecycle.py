"""See a run to its end: renew the lease, close lines that our errors lost, set the exit status."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Self

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.core.signals import run_left, run_started
from n8n_scraper.core.started import as_started
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.crawl.sourced import noun_of_crawl, source_of_crawl
from n8n_scraper.crawl.store import store_of
from n8n_scraper.crawl.working import NotStored, worker_of
from n8n_scraper.extensions.feeds import is_feed_lost
from n8n_scraper.ledger.ledger import Leaving, State
from n8n_scraper.policies.run.ending import Account, Ending, ending_of
from n8n_scraper.policies.run.going_on import GoingOn
from n8n_scraper.policies.run.lease import RENEWALS

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        self._reason = ""
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
        self._heartbeat.start(self.worker.process.lease_seconds / RENEWALS, now=False)

    async def item_dropped(self, item: Any, exception: Exception) -> None:
        """Close the line of an item that was refused."""
        if not isinstance(exception, NotStored):
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
        elif self.worker.discovers:
            reason = f"The list of {self.noun.many} is not whole: our own error {failure.value!r}."
            self.store.beside(self.worker.discovery_is_over(reason))

    async def spider_closed(self, spider: Spider, reason: str) -> None:
        """Count once more, when nothing is under way any longer."""
        self._reason = reason
        await self.store.settle()
        if self.worker.run_id is not None:
            await self.store.unless_lost(self.worker.note())

    async def engine_stopped(self) -> None:
        """Leave the run, and say as the last word how it stands and how to go on."""
        if self._heartbeat.running:
            self._heartbeat.stop()
        await self.store.settle()
        ending = await self._ending() if self._has_begun else None
        await self.crawler.signals.send_catch_log_async(run_left)
        # What is still under way there may take its time; nobody else need wait for it.
        await asyncio.to_thread(self.store.database.close)
        if ending is not None:
            for warning in ending.warnings:
                logger.warning("%s", as_started(warning))
            level = logging.INFO if ending.status == 0 else logging.WARNING
            for line in ending.lines:
                logger.log(level, "%s", as_started(line))

    @property
    def _has_begun(self) -> bool:
        """Whether there was a run, or was to be; a shell and a check have none."""
        begun = self.worker.run_id is not None or self.store.lost is not None
        return begun and self.worker.new is not None

    async def _ending(self) -> Ending:
        account = None
        if self.worker.run_id is not None:
            account = await self.store.unless_lost(self.worker.leave(self._leaving))
        lost, reason = account is None, self._reason
        if account is None:
            account, reason = self._remembered, self.store.reason_of_loss
        self._note_stats(account)
        not_in_feeds = account.done - sum(self.worker.ended.values())
        ending = ending_of(
            reason,
            account,
            self._going_on,
            lost=lost,
            not_in_feeds=not_in_feeds if self._begins_feeds_anew() else 0,
        )
        self.crawler.stats.set_value("exit_status", int(ending.status))
        return ending

    @property
    def _leaving(self) -> Leaving:
        # Feeds, and the questions to the video host, have ended by now.
        return Leaving(
            self._reason,
            {"pace": {pace.domain: _pace_of(pace) for pace in paces_of(self.crawler).all()}},
            feed_lost=is_feed_lost(self.crawler),
            asking_broke_off=bool(self.crawler.stats.get_value(BROKEN_OFF)),
        )

    @property
    def _remembered(self) -> Account:
        """How the run stands as far as this process knows, where the database tells no more."""
        if self.worker.run_id is None:
            return Account()
        counts = self.worker.run.counts
        return Account(_by_outcome(counts.outcomes), counts.unsettled, counts.left)

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

    def _note_stats(self, account: Account) -> None:
        for outcome in Outcome:
            number = account.outcomes.get(outcome, 0)
            self.crawler.stats.set_value(f"outcome/{outcome}", number)

    def _renew(self) -> None:
        # One that still waits for its turn renews the lease as well as many would.
        if self._renewal is None or self._renewal.done():
            self._renewal = self.store.beside(self.worker.renew())

    async def _fail(self, item: object, state: State, reason: str) -> None:
        item_id = self.source.id_of(item) if self.source else None
        if item_id is not None:
            await self.store.unless_lost(self.worker.fail(item_id, state, reason))


def _by_outcome(outcomes: Mapping[str, int]) -> dict[Outcome, int]:
    return {outcome: outcomes.get(outcome, 0) for outcome in Outcome}


def _pace_of(pace: Pace) -> dict[str, float]:
    """What keeping to a domain's pace has cost, for the run's row."""
    stats = pace.stats
    return {
        "requests": stats.requests,
        "waits": stats.waits,
        "mean_wait": round(stats.mean, 3),
        "rate": round(pace.rate, 3),
    }
