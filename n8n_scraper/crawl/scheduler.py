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

from n8n_scraper.crawl.gate import Gate
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.policies.pace.circuit import Mode

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.spiders import Spider

    from n8n_scraper.policies.pace.pace import Pace

NOT_BEFORE = "not_before"
"""Key of `Request.meta`: the moment, on the crawl's clock, before which it must not leave."""


FAILED_AT = "failed_at"
"""Key of `Request.meta`: the moment at which it last failed in a way that may be the site's."""

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

    @property
    def ripe(self) -> int:
        """How many of them are due."""
        return len(self._due)

    def ripe_in(self, now: float) -> float:
        """Seconds until a request of this line is due."""
        self._ripen(now)
        return 0.0 if self._due else self._later[0][0] - now

    def pop(self) -> Request:
        """Take out the request whose turn it is.

        While the site is in doubt that is one which has not failed: it may be answered.
        """
        if self.pace.circuit.mode is Mode.CLOSED:
            return heapq.heappop(self._due)[2]
        first = min(self._due, key=lambda entry: (FAILED_AT in entry[2].meta, entry))
        self._due.remove(first)
        heapq.heapify(self._due)
        return first[2]

    def _ripen(self, now: float) -> None:
        while self._later and self._later[0][0] <= now:
            _, arrival, request = heapq.heappop(self._later)
            heapq.heappush(self._due, (-request.priority, arrival, request))


class PacedScheduler(BaseScheduler):
    """Gives out a request at the moment its domain may be asked, and wakes the engine for it.

    Domains take turns, so that none starves another. The token itself is taken by the throttle
    middleware, at the last moment before the wire.
    """

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.paces = gate.paces
        self._lines: dict[str, WaitingLine] = {}
        self._turns: deque[str] = deque()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Share the paces of this crawl."""
        return cls(Gate(paces_of(crawler), crawler))

    def open(self, spider: Spider) -> None:
        """Be able to wake the engine."""
        self.gate.open()

    def close(self, reason: str) -> None:
        """Drop what waits: the ledger gives its items back."""
        self.gate.close()
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
            line = self._lines[self._turns[0]]
            self._turns.rotate(-1)
            if not line:
                continue
            # A token is asked for when there is a request to use it.
            wait = line.ripe_in(now) or self.gate.wait(line.pace, now, line.ripe)
            if wait is None:
                continue
            if wait <= 0:
                return self.gate.let_out(line.pace, line.pop)
            soonest = wait if soonest is None else min(soonest, wait)
        self.gate.wake_in(soonest)
        return None
