"""Write down, minute by minute, how domains were asked, so that a page can show it later."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Self

from scrapy.utils.asyncio import create_looping_call

from n8n_scraper.core.signals import circuit_closed, circuit_opened, run_left, run_started
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.crawl.store import store_of
from n8n_scraper.crawl.working import worker_of
from n8n_scraper.ledger import domain_record
from n8n_scraper.ledger.domain_record import Asked

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from n8n_scraper.ledger.once import Work
    from n8n_scraper.policies.pace.pace import Pace

_NOTE_EVERY = 10.0  # seconds


class DomainRecord:
    """Notes requests and complaints of each domain, and the openings of its circuit.

    It only tells: no pace ever goes by it.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.store = store_of(crawler)
        self.worker = worker_of(crawler)
        self.paces = paces_of(crawler)
        self._told: dict[str, tuple[int, int]] = {}
        self._rates: dict[str, float] = {}
        self._noting: asyncio.Future[object] | None = None
        self._clockwork = create_looping_call(self._tick)
        connect = crawler.signals.connect
        connect(self.run_started, run_started)
        connect(self.run_left, run_left)
        connect(self.circuit_opened, circuit_opened)
        connect(self.circuit_closed, circuit_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Listen to this crawl."""
        return cls(crawler)

    def run_started(self) -> None:
        """Begin to note."""
        self._beside(partial(domain_record.forget_old, now=datetime.now(UTC)))
        self._clockwork.start(_NOTE_EVERY, now=False)

    async def run_left(self) -> None:
        """Note the rest."""
        if not self._clockwork.running:
            return  # no run, nothing to note: `scrapy check` and `parse` open no database
        self._clockwork.stop()
        if self._noting is not None:
            await self._noting
        self._tick()
        await self.store.settle()

    def circuit_opened(self, domain: str) -> None:
        """Note why a domain is left alone, and for how long."""
        pace = self.paces.of_domain(domain)
        seconds = pace.left_alone_for(self.paces.clock())
        self._beside(
            partial(domain_record.note_opened, domain=domain, circuit=pace.circuit, seconds=seconds)
        )

    def circuit_closed(self, domain: str) -> None:
        """Note that it may be asked again."""
        circuit = self.paces.of_domain(domain).circuit
        self._beside(partial(domain_record.note_closed, domain=domain, circuit=circuit))

    def _tick(self) -> None:
        if self._noting is not None and not self._noting.done():
            return
        now = datetime.now(UTC)
        asked = [one for pace in self.paces.all() if (one := self._since_last(pace))]
        if asked:
            worker = self.worker.process.name
            work = partial(domain_record.note, worker=worker, asked=asked, now=now)
            self._noting = self._beside(work)
        for pace in self.paces.all():
            self._note_slower(pace, now)

    def _since_last(self, pace: Pace) -> Asked | None:
        requests, complaints = pace.stats.requests, pace.stats.complaints
        told = self._told.get(pace.domain, (0, 0))
        if (requests, complaints) == told:
            return None
        self._told[pace.domain] = (requests, complaints)
        return Asked(pace.domain, requests - told[0], complaints - told[1], pace.rate or None)

    def _note_slower(self, pace: Pace, now: datetime) -> None:
        rate = pace.learned_rate
        before = self._rates.get(pace.domain, pace.rules.limits.rate)
        if rate is None:
            self._rates.pop(pace.domain, None)
            return
        self._rates[pace.domain] = rate
        if not before or rate < before:
            self._beside(partial(domain_record.note_slowed, domain=pace.domain, rate=rate, now=now))

    def _beside(self, work: Work[None]) -> asyncio.Future[object]:
        return self.store.beside(self.store.run(work))
