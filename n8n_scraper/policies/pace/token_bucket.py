"""Says when a domain's next token is due, so that its server never sees more than we promised.

The bucket is one number, the moment at which its next token is due. Where that lies in the past,
tokens have been saved up since; where it lies in the future, those before it are promised. Taking
a token moves it by one interval (the generic cell rate algorithm), so forty callers at one instant
get forty different departures instead of one common wait, be they in one process or in forty.

A token is good from the moment at which it is due for as long as the bucket can save it up. Whoever
comes within that time, on however many machines, the server counts no more in any span of time
than the bucket holds and the rate earns in it: the tokens are an interval apart, and each is used
at most a slack after it was due.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

JITTER_SECONDS = 0.05
"""How far apart two requests may shift between our clock and the server's log."""

LEAST_MARGIN = 0.25
"""The part of a token kept back at any rate: the very first connection takes its time."""

GRACE_SECONDS = 0.05
"""By how much a token may be used later than it can be saved up, at most: a process is busy."""

BLOCK_SECONDS = 0.02
"""For how much of the pace tokens are reserved at once."""


@dataclass(frozen=True, slots=True)
class BucketLimits:
    """Holds what a site allows: `rate` tokens a second, `burst` at once; rate 0 is no limit."""

    rate: float
    burst: int

    def __post_init__(self) -> None:
        if not _is_number(self.rate) or not math.isfinite(self.rate) or self.rate < 0:
            raise ValueError(
                "RATE_LIMIT_RATE (or a rate in RATE_LIMITS) must be a number of requests per "
                f"second, 0 or more, but is {self.rate!r}."
            )
        if not _is_number(self.burst) or self.burst != self.burst // 1 or self.burst < 1:
            raise ValueError(
                "RATE_LIMIT_BURST (or a burst in RATE_LIMITS) must be a whole number, 1 or more, "
                f"but is {self.burst!r}."
            )

    @classmethod
    def by_domain(cls, rate_limits: Mapping[str, Any]) -> dict[str, BucketLimits]:
        """Read `RATE_LIMITS`: a rate and a burst for each registrable domain."""
        return {domain: cls._of(domain, entry) for domain, entry in rate_limits.items()}

    @classmethod
    def _of(cls, domain: str, entry: object) -> BucketLimits:
        if not isinstance(entry, Mapping) or set(entry) != {"rate", "burst"}:
            raise ValueError(
                f'RATE_LIMITS["{domain}"] must look like {{"rate": 2.0, "burst": 5}}, '
                f"but is {entry!r}."
            )
        return cls(entry["rate"], entry["burst"])


@dataclass(slots=True)
class BucketStats:
    """Counts what the bucket let out and what that cost in waiting."""

    requests: int = 0
    waits: int = 0
    total_wait: float = 0.0
    complaints: int = 0
    """How often the server said that this was too much."""

    @property
    def mean(self) -> float:
        """Seconds an average request waited, the ones that did not wait included."""
        return self.total_wait / self.requests if self.requests else 0.0

    def add(self, waited_seconds: float) -> None:
        """Count one request and the seconds it waited."""
        self.requests += 1
        if waited_seconds > 0:
            self.waits += 1
            self.total_wait += waited_seconds


@dataclass(frozen=True, slots=True)
class Tempo:
    """How closely the tokens of a domain follow one another, and how long they can be saved up.

    The `margin` is the part of a token never handed out. Our departures are exact, but the server
    counts arrivals, and two requests can arrive some milliseconds closer than they left. On a
    bucket filled to the brim that overdraws the server's count and earns a 429. The default
    covers `JITTER_SECONDS` at this rate, at least a quarter of a token and at most one. It is paid
    once, in the first burst, and never lowers the rate. A burst of 1 leaves nothing to keep back,
    because a bucket that never holds a whole token would never let anyone go; there, set a slightly
    lower rate instead.
    """

    interval: float
    """Seconds from one token to the next; 0 is no limit."""
    slack: float = 0.0
    """For how many seconds tokens are saved up."""
    grace: float = 0.0

    @classmethod
    def of(
        cls,
        limits: BucketLimits,
        *,
        rate: float | None = None,
        least_interval: float = 0.0,
        margin: float | None = None,
    ) -> Tempo:
        """Give the tempo of these limits.

        A `rate` is one that the server's complaints have taught, a `least_interval` one that its
        robots.txt asks for. With either nothing goes in a burst, because the server's own bucket
        may be of any size.
        """
        told = limits.rate if rate is None else rate
        interval = max(1 / told if told else 0.0, least_interval)
        if not interval:
            return cls(0.0)
        kept_back = default_margin(1 / interval) if margin is None else margin
        saved = 0.0 if rate is not None or least_interval else limits.burst - kept_back - 1
        grace = min(GRACE_SECONDS, default_margin(1 / interval) / 2 * interval)
        return cls(interval, max(0.0, saved) * interval, grace)

    @property
    def rate(self) -> float:
        """Tokens a second; 0 is no limit."""
        return 1 / self.interval if self.interval else 0.0

    @property
    def capacity(self) -> float:
        """The tokens that there are after a long rest."""
        return 1 + self.slack / self.interval if self.interval else math.inf

    @property
    def block(self) -> int:
        """How many tokens are worth reserving at once."""
        return max(1, int(self.rate * BLOCK_SECONDS))

    def saved(self, next_at: float, now: float) -> float:
        """Give the tokens that are free at a moment; below zero while some are promised."""
        return min(self.capacity, 1 + (now - next_at) * self.rate)


@dataclass(frozen=True, slots=True)
class Reservation:
    """Tokens that are ours alone, whether we live to use them or not."""

    next_at: float
    """When the first token after them is due."""
    tokens: int
    tempo: Tempo
    epoch: int = 0
    """That of the domain when they were reserved; with another one they are void."""

    def due_at(self, number: int) -> float:
        """When one of them is due; in the past where it was saved up."""
        return self.next_at - (self.tokens - number) * self.tempo.interval

    def good_until(self, number: int) -> float:
        """Until when one of them may be used: later its server could have lost count of it."""
        return self.due_at(number) + self.tempo.slack + self.tempo.grace


def default_margin(rate: float) -> float:
    """Give the share of a token that `JITTER_SECONDS` of arrival jitter can cost."""
    return min(1.0, max(LEAST_MARGIN, rate * JITTER_SECONDS))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
