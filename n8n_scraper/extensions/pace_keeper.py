"""Carry each domain's pace from one crawl to the next, and stop a crawl whose site stays down."""

from __future__ import annotations

import asyncio
import gc
import logging
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call

from n8n_scraper.core.signals import circuit_closed, circuit_opened, run_started
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.crawl.sourced import domains_of_crawl, noun_of_crawl
from n8n_scraper.crawl.store import store_of
from n8n_scraper.crawl.working import worker_of
from n8n_scraper.ledger import domains, workers
from n8n_scraper.policies.failure.category import Category, speaks_of_health
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.pace.pace_settings import CircuitSettings
from n8n_scraper.policies.run.ending import SITE_DOWN

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_SAVE_EVERY = 2.0  # seconds
_ILLNESSES = [str(category) for category in Category if speaks_of_health(category)]


class PaceKeeper:
    """Restores the paces before the first request, and notes them every two seconds.

    A site that stays down, or complains even of the slowest pace that a complaint may teach, ends
    the crawl.

    What is noted assumes the worst: that until the next note everything was spent. So a crawl that
    is killed never gives its heir more tokens than were earned.

    Settings: `CIRCUIT_BREAKER_WAIT_LIMIT`, `RATE_LIMIT_FLOOR`.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.store = store_of(crawler)
        self.worker = worker_of(crawler)
        self.paces = paces_of(crawler)
        self.pace_store = domains.DatabasePaceStore(self.store)
        circuit = CircuitSettings.from_settings(crawler.settings)
        self.wait_limit_seconds = circuit.wait_limit_seconds
        self._items_come_from = domains_of_crawl(crawler)
        self._down_since: dict[str, float] = {}
        self._resets: dict[str, str] = {}
        self._saving: asyncio.Future[object] | None = None
        self._given_up = False
        self._clockwork = create_looping_call(self._tick)
        connect = crawler.signals.connect
        connect(self.spider_opened, signals.spider_opened)
        connect(self.run_started, run_started)
        connect(self.circuit_opened, circuit_opened)
        connect(self.circuit_closed, circuit_closed)
        connect(self.spider_closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Listen to this crawl."""
        return cls(crawler)

    def spider_opened(self, spider: Spider) -> None:
        """Begin to look, and take what is loaded by now out of the garbage collector's sight.

        It stays for good, and walking it holds up the crawl for some sixty milliseconds each time.
        """
        gc.collect()
        gc.freeze()
        self._clockwork.start(_SAVE_EVERY, now=False)

    async def run_started(self) -> None:
        """Go on from where the last crawl left each domain."""
        self.paces.remember(await self.pace_store.load())
        self._resets = await self.store.run(domains.resets)
        await self._warn_of_others()

    def circuit_opened(self, domain: str, since: str) -> None:
        """Begin to count how long the domain is down, and take back what it made fail.

        The failures in a row that opened the circuit were the site's. An item that used up its
        attempts among them did not fail by itself.
        """
        if domain not in self._down_since:
            self._down_since[domain] = self.paces.clock()
            if self.worker.run_id is not None and domain in self._items_come_from:
                self.store.beside(self._reopen(since))
        self._tick()

    def circuit_closed(self, domain: str) -> None:
        """The domain is back."""
        self._down_since.pop(domain, None)
        self._tick()

    async def spider_closed(self, spider: Spider) -> None:
        """Note exactly how things stand at the end."""
        if self._clockwork.running:
            self._clockwork.stop()
        if self._saving is not None:
            await self._saving
        if self.worker.run_id is not None:
            await self.store.unless_lost(self._save(ahead_seconds=0.0))

    async def _warn_of_others(self) -> None:
        """Say so when another crawl asks the same site: no pace of ours knows of its requests."""
        run_id = self.worker.run_id
        assert run_id is not None
        others = await self.store.run(lambda session: workers.in_runs_besides(session, run_id))
        same = [run for run in others if registrable_domain(run.site) in self._items_come_from]
        if same:
            logger.warning(
                "Another crawl is at work on %s (%s): each keeps the pace for itself, so the site "
                'sees both together. See docs/how-to/operate.md, "Two crawls at once".',
                *(same[0].site, ", ".join(f"run {run.run_id}" for run in same)),
            )

    def _tick(self) -> None:
        # A spider that keeps no archive has its pace for itself, and no database.
        has_run = self.worker.run_id is not None
        if has_run and (self._saving is None or self._saving.done()):
            self._saving = self.store.beside(self._note_and_look())
        self._give_up_on_a_dead_site()

    async def _note_and_look(self) -> None:
        await self._save(ahead_seconds=_SAVE_EVERY)
        await self._obey_resets()

    async def _save(self, *, ahead_seconds: float) -> None:
        await self.pace_store.save(self.paces.states(ahead_seconds=ahead_seconds))

    async def _reopen(self, since: str) -> None:
        self.worker.ask_again(_ILLNESSES)
        number = await self.worker.reopen_failed(_ILLNESSES, since)
        if number:
            items = noun_of_crawl(self.crawler).so_many(number)
            logger.info("%s that failed just now will be asked for again", items)

    async def _obey_resets(self) -> None:
        """Close the circuits that somebody has reset from outside since we last looked."""
        resets = await self.store.run(domains.resets)
        for pace in self.paces.all():
            if resets.get(pace.domain, "") > self._resets.get(pace.domain, ""):
                pace.circuit.reset()
                self._down_since.pop(pace.domain, None)
                logger.info("%s may be asked again: its circuit was reset by hand", pace.domain)
        self._resets = resets

    def _give_up_on_a_dead_site(self) -> None:
        now = self.paces.clock()
        for pace in self.paces.all():
            if pace.learned.at_its_floor and pace.domain in self._items_come_from:
                self._give_up(
                    "%s complains even of one request in %.0f s (RATE_LIMIT_FLOOR): giving up "
                    "for now",
                    *(pace.domain, 1 / pace.learned.floor),
                )
            if not pace.circuit.leaves_alone:
                continue
            # A circuit that was already open when we started counts from our first look.
            down = now - self._down_since.setdefault(pace.domain, now)
            if down >= self.wait_limit_seconds:
                self._give_up(
                    "%s has been down for %.0f s (%s): giving up for now",
                    *(pace.domain, down, pace.circuit.tripped_by),
                )

    def _give_up(self, words: str, *arguments: object) -> None:
        if not self._given_up:
            self._given_up = True
            logger.error(words, *arguments)
            self.store.close_spider(SITE_DOWN)
