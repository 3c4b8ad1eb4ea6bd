"""Share each domain's pace with all who use the archive, and stop a crawl whose site stays down."""

from __future__ import annotations

import gc
import logging
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call

from n8n_scraper.core.errors import StoreError, StoreLost
from n8n_scraper.core.garbage import look_seldomer
from n8n_scraper.core.redis_settings import RedisSettings
from n8n_scraper.core.signals import circuit_closed, circuit_opened, run_started
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.crawl.sourced import domains_of_crawl, noun_of_crawl
from n8n_scraper.crawl.store import store_of
from n8n_scraper.crawl.working import worker_of
from n8n_scraper.ledger.pace_store import DatabasePaceStore
from n8n_scraper.ledger.redis_pace_store import RedisPaceStore
from n8n_scraper.ledger.workers import number_alive
from n8n_scraper.policies.failure.category import Category, speaks_of_health
from n8n_scraper.policies.pace.fallback_store import FallbackPaceStore
from n8n_scraper.policies.pace.pace import LOOK_SECONDS
from n8n_scraper.policies.pace.pace_settings import CircuitSettings
from n8n_scraper.policies.pace.pace_store import PaceAway
from n8n_scraper.policies.run.ending import SITE_DOWN

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_ILLNESSES = [str(category) for category in Category if speaks_of_health(category)]


class PaceKeeper:
    """Keeps the paces in Redis or the archive's database, and looks what others have found out.

    A site that stays down, or complains even of the slowest pace that a complaint may teach, ends
    the crawl. A spider that keeps no archive has its pace for itself, and no database.

    Settings: `CIRCUIT_BREAKER_WAIT_LIMIT`, `RATE_LIMIT_FLOOR`, `REDIS_URL`.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.store = store_of(crawler)
        self.worker = worker_of(crawler)
        self.paces = paces_of(crawler)
        self.paces.on_loss = self.lost
        circuit = CircuitSettings.from_settings(crawler.settings)
        self.wait_limit_seconds = circuit.wait_limit_seconds
        self._items_come_from = domains_of_crawl(crawler)
        self._down_since: dict[str, float] = {}
        self._given_up = False
        self._clockwork = create_looping_call(self._tick)
        connect = crawler.signals.connect
        connect(self.spider_opened, signals.spider_opened)
        connect(self.run_started, run_started)
        connect(self.circuit_opened, circuit_opened)
        connect(self.circuit_closed, circuit_closed)
        connect(self.engine_stopped, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Listen to this crawl."""
        return cls(crawler)

    def spider_opened(self, spider: Spider) -> None:
        """Begin to look, and let the garbage collector hold up the crawl seldomer."""
        gc.collect()
        look_seldomer()
        self._clockwork.start(LOOK_SECONDS / 2, now=False)

    def run_started(self) -> None:
        """Go on from where all who have asked a domain have left it."""
        redis = RedisSettings.from_settings(self.crawler.settings).address
        if redis is None:
            self.paces.share(DatabasePaceStore(self.store.database))
            return
        store = FallbackPaceStore(
            RedisPaceStore(redis),
            workers=lambda: self.store.database.look(number_alive),
            interval_of=self.paces.interval_of,
        )
        store.on_away, store.on_back = _fell_back, _came_back
        self.paces.share(store)

    def lost(self, error: Exception) -> None:
        """End the crawl, because without the database there is no pace."""
        if not isinstance(error, StoreError):
            logger.error("The pace is kept no more, by an error of our own", exc_info=error)
            error = StoreLost(f"Nothing may be asked, because the pace is not known: {error!r}.")
        self.store.lose(error)

    def circuit_opened(self, domain: str, since: str) -> None:
        """Begin to count how long the domain is down, and take back what it made fail.

        The failures in a row that opened the circuit were the site's. An item that used up its
        attempts among them did not fail by itself.
        """
        if domain not in self._down_since:
            self._down_since[domain] = self.paces.clock()
            if self.worker.run_id is not None and domain in self._items_come_from:
                self.store.beside(self._reopen(since))

    def circuit_closed(self, domain: str) -> None:
        """The domain is back."""
        self._down_since.pop(domain, None)

    async def engine_stopped(self) -> None:
        """Leave the paces to others."""
        if self._clockwork.running:
            self._clockwork.stop()
        await self.paces.close()

    def _tick(self) -> None:
        self.paces.look()
        self._give_up_on_a_dead_site()

    async def _reopen(self, since: str) -> None:
        self.worker.ask_again(_ILLNESSES)
        number = await self.worker.reopen_failed(_ILLNESSES, since)
        if number:
            items = noun_of_crawl(self.crawler).so_many(number)
            logger.info("%s that failed just now will be asked for again", items)

    def _give_up_on_a_dead_site(self) -> None:
        now = self.paces.clock()
        for pace in self.paces.all():
            if pace.is_at_its_floor and pace.domain in self._items_come_from:
                self._give_up(
                    "%s complains even of one request in %.0f s (RATE_LIMIT_FLOOR): giving up "
                    "for now",
                    *(pace.domain, 1 / pace.rate),
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


def _fell_back(error: PaceAway, workers: int) -> None:
    logger.warning(
        "%s; until it is back each site is asked at this worker's share of its pace, 1/%d",
        *(error, workers),
    )


def _came_back() -> None:
    logger.info("Redis is back: all workers keep one pace again")
