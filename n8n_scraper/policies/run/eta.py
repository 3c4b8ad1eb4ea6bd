"""Estimate when a crawl will be through, from how fast things really get done."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from n8n_scraper.core.source import ITEMS, Noun
from n8n_scraper.policies.run.counts import Counts
from n8n_scraper.policies.run.progress import BucketLevel, CrawlProgress, LeftAlone

_START = 4
"""The first part of what was seen, one in so many, is left out: a crawl starts with a burst."""

_LEAST_MARKS = 128
"""So many are kept however old they are: from fewer, chance alone may be a tenth off."""


class Throughput:
    """How many things end per second, over the last while.

    Not from the time that one thing takes: things overlap, and waiting in line is no work.
    """

    def __init__(self, window_seconds: float = 120.0) -> None:
        self._window = window_seconds
        self._marks: deque[tuple[float, int]] = deque()

    def mark(self, now: float, done: int) -> None:
        """Note how many are done by now; the first call says how many others have done before."""
        if self._marks and done < self._marks[-1][1]:
            self._marks.clear()  # some are to be done again: what was measured says nothing now
        if not self._marks or done > self._marks[-1][1]:
            self._marks.append((now, done))
        while len(self._marks) > _LEAST_MARKS and self._marks[1][0] <= now - self._window:
            self._marks.popleft()

    def per_second(self, now: float) -> float | None:
        """The rate; None while nothing has been seen to end."""
        if len(self._marks) < 2:
            return None
        start, before = self._marks[len(self._marks) // _START]
        end, after = self._marks[-1]
        return rate_of(after - before, end - start, now - end)

    def seconds_left(self, remaining: int, now: float) -> float | None:
        """How long the rest will take at that rate."""
        rate = self.per_second(now)
        return time_for(remaining, rate, now - self._marks[-1][0]) if rate else None


def rate_of(ended: int, seconds: float, silence_seconds: float) -> float | None:
    """Things per second, when so many took so long and the last one ended some time ago.

    A silence no longer than usual says nothing. A longer one slows the rate down, little by little.
    """
    if ended <= 0 or seconds <= 0:
        return None
    return min(ended / seconds, (ended + 1) / (seconds + max(0.0, silence_seconds)))


def time_for(remaining: int, rate: float, silence_seconds: float) -> float:
    """Seconds until the rest is done; the next one has been under way since the last ended."""
    if remaining <= 0:
        return 0.0
    return remaining / rate - min(max(0.0, silence_seconds), 1 / rate)


class Course:
    """How far one process has come: what others had done before it is not counted as its own.

    Whoever asks first begins the course; marking the same number twice changes nothing.
    """

    def __init__(self) -> None:
        self.throughput = Throughput()
        self.requests = Throughput()
        self.before = 0
        self._started: float | None = None

    def begin(self, now: float, done: int) -> None:
        """Start to count, from what was done before."""
        if self._started is None:
            self._started, self.before = now, done
            self.throughput.mark(now, done)

    def mark(self, now: float, done: int) -> None:
        """Note how many are done by now."""
        self.begin(now, done)
        self.throughput.mark(now, done)

    def elapsed(self, now: float) -> float:
        """Seconds since this process began."""
        return 0.0 if self._started is None else max(0.0, now - self._started)

    def own(self, done: int) -> int:
        """How many this process has done."""
        return max(0, done - self.before)

    def progress(
        self,
        now: float,
        counts: Counts,
        *,
        still_planning: bool = False,
        bucket: BucketLevel | None = None,
        left_alone: Iterable[LeftAlone] = (),
        noun: Noun = ITEMS,
    ) -> CrawlProgress:
        """Note how many are done by now, and say how far that is."""
        self.mark(now, counts.done)
        elapsed, own = self.elapsed(now), self.own(counts.done)
        return CrawlProgress(
            counts,
            elapsed_seconds=elapsed,
            requests_per_second=self.requests.per_second(now) or 0.0,
            mean_seconds=elapsed / own if own else None,
            seconds_left=self.throughput.seconds_left(counts.left, now),
            still_planning=still_planning,
            bucket=bucket,
            left_alone=tuple(left_alone),
            noun=noun,
        )
