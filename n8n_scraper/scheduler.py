"""Hold every request until its domain may be asked: the waiting room of the crawl.

Scrapy offers a middleware as the place to wait, but there a waiting request holds one of
`CONCURRENT_REQUESTS`, and one slow domain keeps all others out. Here nothing is popped before it
may leave, so waiting costs no place, a stop has nothing to drain, and whatever holds a request back
(the bucket, the server's word, a back-off, an open circuit) is the same thing: a time.

Nothing is written to disk: the ledger in the database knows what is left to do, and a second
truth beside it could only contradict it. See docs/decisions/0002-the-ledger-is-the-queue.md.
"""

from __future__ import annotations

import heapq
from collections import deque
from itertools import count
from typing import TYPE_CHECKING, Self

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler
from scrapy.utils.asyncio import CallLaterResult, call_later

from n8n_scraper.pacing import Paces, paces_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from scrapy.spiders import Spider

    from n8n_scraper.policies.pace import Pace

NOT_BEFORE = "not_before"
"""Key of `Request.meta`: the moment, on the crawl's clock, before which it must not leave."""


WAITING_SINCE = "waiting_since"
"""Key of `Request.meta`: the moment from which it could have left, had its turn come."""


class WaitingLine:
    """The requests of one domain: those that are due, by priority, and those that are not yet."""

    def __init__(self, pace: Pace) -> None:
        self.pace = pace
        self._due: list[tuple[int, int, Request]] = []
        self._later: list[tuple[float, int, Request]] = []
        self._arrivals = count()

    def __len__(self) -> int:
        return len(self._due) + len(self._later)

    def add(self, request: Request) -> None:
        """Let a request join the line."""
        arrival = next(self._arrivals)
        if not_before := request.meta.get(NOT_BEFORE):
            heapq.heappush(self._later, (not_before, arrival, request))
        else:
            heapq.heappush(self._due, (-request.priority, arrival, request))

    def wait(self, now: float, ahead: int) -> float:
        """Seconds until somebody of this line may leave, with so many on their way already."""
        self._ripen(now)
        wait = self.pace.wait(now, ahead=ahead)
        return wait if self._due else max(self._later[0][0] - now, wait)

    def pop(self) -> Request:
        """Take out the request whose turn it is."""
        return heapq.heappop(self._due)[2]

    def _ripen(self, now: float) -> None:
        while self._later and self._later[0][0] <= now:
            _, arrival, request = heapq.heappop(self._later)
            heapq.heappush(self._due, (-request.priority, arrival, request))


class PacedScheduler(BaseScheduler):
    """Gives out a request at the moment its domain may be asked, and wakes the engine for it.

    Domains take turns, so that none starves another. A domain never has more requests at work
    than its download slot takes, and keeps the delay that AutoThrottle gives that slot: nothing
    ever queues behind this scheduler. The token itself is taken by the throttle middleware, at the
    last moment before the wire.
    """

    def __init__(self, paces: Paces, crawler: Crawler) -> None:
        self.paces = paces
        self.crawler = crawler
        self._lines: dict[str, WaitingLine] = {}
        self._turns: deque[str] = deque()
        self._wake_engine: Callable[[], object] = lambda: None
        self._alarm: CallLaterResult | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Share the paces of this crawl."""
        return cls(paces_of(crawler), crawler)

    def open(self, spider: Spider) -> None:
        """Find the one way to tell the engine that something is due.

        Without it the engine looks up every five seconds only. Scrapy has no public name for it,
        so a version that renames it must fail here and not crawl slowly.
        """
        assert self.crawler.engine is not None
        self._wake_engine = self.crawler.engine._slot.nextcall.schedule  # type: ignore[union-attr]

    def close(self, reason: str) -> None:
        """Drop what waits: the ledger gives its templates back."""
        self._set_alarm(None)
        self._lines.clear()
        self._turns.clear()

    def has_pending_requests(self) -> bool:
        """Whether anybody waits."""
        return any(self._lines.values())

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def enqueue_request(self, request: Request) -> bool:
        """Let a request join the line of its domain."""
        pace = self.paces.of(request)
        if pace.domain not in self._lines:
            self._lines[pace.domain] = WaitingLine(pace)
            self._turns.append(pace.domain)
        request.meta[WAITING_SINCE] = max(self.paces.clock(), request.meta.get(NOT_BEFORE, 0.0))
        self._lines[pace.domain].add(request)
        return True

    def next_request(self) -> Request | None:
        """Give out the next request that may leave now, or set the alarm for when one may."""
        now = self.paces.clock()
        soonest: float | None = None
        for _ in range(len(self._turns)):
            domain = self._turns[0]
            self._turns.rotate(-1)
            line = self._lines[domain]
            if not line or self._is_busy(domain):
                continue  # a finished download wakes the engine by itself
            leaving = self.paces.on_their_way(line.pace)
            ahead = len(leaving)
            wait = max(line.wait(now, ahead), self._slot_wait(domain, now, ahead))
            if wait <= 0:
                request = line.pop()
                leaving.add(request)
                return request
            soonest = wait if soonest is None else min(soonest, wait)
        self._set_alarm(soonest)
        return None

    def _is_busy(self, domain: str) -> bool:
        slot = self.crawler.engine.downloader.slots.get(domain)
        return slot is not None and len(slot.active) >= slot.concurrency

    def _slot_wait(self, domain: str, now: float, ahead: int) -> float:
        """How long AutoThrottle wants the next request to wait, behind those on their way."""
        slot = self.crawler.engine.downloader.slots.get(domain)
        if slot is None:
            return 0.0
        return max(slot.lastseen + slot.delay - now, 0.0) + ahead * slot.delay

    def _set_alarm(self, seconds: float | None) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if seconds is not None:
            self._alarm = call_later(max(seconds, 0.0), self._wake_engine)
