"""Keep Scrapy's own queues, on disk where JOBDIR names a place, at the pace of each domain.

This is for spiders that keep no ledger: what is left to do stands in these queues alone. A clean
stop writes them down, and the same command goes on with them. See docs/how-to/add-a-spider.md.
"""

from __future__ import annotations

import heapq
from itertools import count
from typing import TYPE_CHECKING, Any

from scrapy.core.scheduler import Scheduler
from scrapy.pqueues import DownloaderAwarePriorityQueue, DownloaderInterface

from n8n_scraper.crawl.gate import AS_PROBE, PROBE, SENT_AT, Gate
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.crawl.per_crawler import PerCrawler
from n8n_scraper.crawl.scheduler import FAILED_AT, NOT_BEFORE, WAITING_SINCE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred

gate_of: PerCrawler[Gate] = PerCrawler(lambda crawler: Gate(paces_of(crawler), crawler))
"""The gate that the queues of a crawl share."""


_OF_ONE_DEPARTURE = (AS_PROBE, PROBE, WAITING_SINCE, SENT_AT)
"""Keys of `Request.meta` that mean nothing once a request waits again, least to a later process."""


class OpenDomains(DownloaderInterface):
    """What Scrapy's queue chooses from: the domains that may be asked now."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._gate = gate_of(crawler)

    def stats(self, possible_slots: Iterable[str]) -> list[tuple[int, str]]:
        """Give each domain that is open, with the number of its requests at work."""
        return super().stats(name for name in possible_slots if self.wait(name) == 0)

    def wait(self, domain: str) -> float | None:
        """Seconds until a domain may be asked; None until a request of it has ended."""
        paces = self._gate.paces
        wait = self._gate.wait(paces.of_domain(domain), paces.clock())
        return None if wait is None else max(wait, 0.0)


class PacedQueue(DownloaderAwarePriorityQueue):
    """Scrapy's queue of queues, one a domain, which passes over those that have to wait."""

    def __init__(self, crawler: Crawler, *args: Any, **kwargs: Any) -> None:
        super().__init__(crawler, *args, **kwargs)
        self._downloader_interface: OpenDomains = OpenDomains(crawler)

    def waits(self) -> list[float]:
        """Seconds until each domain may be asked that is not busy at the moment."""
        waits = map(self._downloader_interface.wait, self.pqueues)
        return [wait for wait in waits if wait is not None]


class QueuedScheduler(Scheduler):
    """Scrapy's scheduler, which gives out a request when its domain may be asked."""

    def open(self, spider: Spider) -> Deferred[None] | None:
        """Open the queues, and be able to wake the engine."""
        assert self.crawler is not None
        self.gate = gate_of(self.crawler)
        self.gate.open()
        self._later: list[tuple[float, int, Request]] = []
        self._arrivals = count()
        return super().open(spider)

    def close(self, reason: str) -> Deferred[None] | None:
        """Write down what waits; the time of a repeat means nothing to a later process."""
        self.gate.close()
        self._ripen(float("inf"))
        return super().close(reason)

    def __len__(self) -> int:
        return super().__len__() + len(self._later)

    def enqueue_request(self, request: Request) -> bool:
        """Let a request join the queue of its domain; one with a time of its own does so then."""
        for key in _OF_ONE_DEPARTURE:
            request.meta.pop(key, None)
        self._move_failure(request, self._wall_offset)
        request.meta["download_slot"] = self.gate.paces.of(request).domain
        if not_before := request.meta.pop(NOT_BEFORE, None):
            heapq.heappush(self._later, (not_before, next(self._arrivals), request))
            return True
        return super().enqueue_request(request)

    def next_request(self) -> Request | None:
        """Give out the next request that may leave now, or set the alarm for when one may."""
        now = self.gate.paces.clock()
        self._ripen(now)
        request = super().next_request()
        if request is None:
            self.gate.wake_in(min(self._waits(now), default=None))
            return None
        self._move_failure(request, -self._wall_offset)
        leaving = self.gate.let_out(self.gate.paces.of(request), lambda: request)
        if leaving is not request:
            request.dont_filter = True  # it is no second one
            self.enqueue_request(request)
        return leaving

    @property
    def _wall_offset(self) -> float:
        return self.gate.paces.wall_clock() - self.gate.paces.clock()

    def _move_failure(self, request: Request, seconds: float) -> None:
        """Put the time of a failure on the wall clock for the queue, or back on the crawl's own."""
        if (failed_at := request.meta.get(FAILED_AT)) is not None:
            request.meta[FAILED_AT] = failed_at + seconds

    def _ripen(self, now: float) -> None:
        while self._later and self._later[0][0] <= now:
            super().enqueue_request(heapq.heappop(self._later)[2])

    def _waits(self, now: float) -> list[float]:
        waits = [self._later[0][0] - now] if self._later else []
        queues: tuple[object, ...] = (self.mqs, self.dqs)  # of the class that a setting names
        for queue in queues:
            if isinstance(queue, PacedQueue):
                waits += queue.waits()
        return waits
