"""Says how long a request must wait so that a site never sees more than we promised.

The bucket is kept as one number: the moment at which it will be full again (the "theoretical
arrival time" of the generic cell rate algorithm). Taking a token moves that moment by one
interval, also when it already lies in the future, so forty callers at one instant get forty
different departures instead of one common wait.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from n8n_scraper.policies.pace.moment import seconds_until

JITTER_SECONDS = 0.05
"""How far apart two requests may shift between our clock and the server's log."""

LEAST_MARGIN = 0.25
"""The part of a token kept back at any rate: the very first connection takes its time."""


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


@dataclass(frozen=True, slots=True)
class BucketState:
    """Remembers a bucket over a restart, in wall-clock seconds.

    `tokens` is negative while departures are promised or the server asked for silence.
    """

    tokens: float
    at: float
    held_until: float = 0.0


@dataclass(slots=True)
class BucketStats:
    """Counts what the bucket let out and what that cost in waiting."""

    requests: int = 0
    waits: int = 0
    total_wait: float = 0.0

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


class TokenBucket:
    """Hands out one domain's tokens, exactly `rate` a second after a first `burst`.

    `margin` is the part of a token never handed out. Our departures are exact, but the server
    counts arrivals, and two requests can arrive some milliseconds closer than they left. On a
    bucket filled to the brim that overdraws the server's count and earns a 429. The default
    covers `JITTER_SECONDS` at this rate, at least a quarter of a token and at most one. It
    is paid once, in the first burst, and never lowers the rate. A burst of 1 leaves nothing to
    keep back, because a bucket that never holds a whole token would never let anyone go; there,
    set a slightly lower rate instead.

    A clock that goes backwards lengthens waits and never grants a token.
    """

    def __init__(
        self,
        rate: float,
        burst: int,
        *,
        margin: float | None = None,
        state: BucketState | None = None,
        now: float = 0.0,
        now_wall: float | None = None,
    ) -> None:
        self.limits = BucketLimits(rate, burst)
        self.rate = rate
        self.stats = BucketStats()
        self.margin = default_margin(rate) if margin is None else margin
        if not 0 <= self.margin < math.inf:
            raise ValueError(f"The margin of a bucket must be 0 or more, but is {margin!r}.")
        self.capacity = self._full_capacity()
        self._interval = 1 / rate if rate else 0.0
        # A full bucket lets one go as long as this much of it is still to be refilled.
        self._slack = (self.capacity - 1) * self._interval
        self._full_at = -math.inf
        self._held_until = -math.inf
        if state is not None:
            if now_wall is None:
                raise ValueError("A bucket is restored with the wall time of now (now_wall).")
            self._restore(state, now, now_wall)

    def wait(self, now: float, *, ahead: int = 0) -> float:
        """Give the seconds until a token is free; 0.0 when one is free now.

        `ahead` others are on their way to take one, and come first.
        """
        if not ahead:
            return seconds_until(self._ready_at(), now)
        full_at = max(self._full_at, now) + ahead * self._interval
        return seconds_until(max(full_at - self._slack, self._held_until), now)

    def take(self, now: float, *, waited_seconds: float = 0.0) -> bool:
        """Take a token if one is free now; `waited_seconds` is what the caller's wait cost."""
        if self.wait(now) > 0:
            return False
        self._spend(now)
        self.stats.add(waited_seconds)
        return True

    def reserve(self, now: float) -> float:
        """Take the next token even if it lies in the future, and give the seconds until then.

        Callers leave in the order in which they reserved. A promise cannot be called back: who
        must obey a `hold` that comes while others sleep uses `wait` and `take` instead.
        """
        seconds = self.wait(now)
        self._spend(max(now, self._ready_at()))
        self.stats.add(seconds)
        return seconds

    def change_rate(self, rate: float, now: float) -> None:
        """Go at another rate from now on, with the tokens that are there.

        A rate other than the given one was taught by the server's complaints. Then nothing goes in
        a burst, because nobody knows how large the server's own bucket is.
        """
        start = max(now, self._held_until)
        tokens = self._tokens(start)
        self.rate = rate
        self.capacity = self._full_capacity() if rate == self.limits.rate else 1.0
        self._interval = 1 / rate if rate else 0.0
        self._slack = (self.capacity - 1) * self._interval
        self._full_at = start + (self.capacity - min(tokens, self.capacity)) * self._interval

    def hold(self, until: float, *, tokens_after: float = 1.0) -> None:
        """Obey the server's word: no token before `until`, and no burst right after it.

        At `until` the bucket holds at most `tokens_after`, because a server that has just
        complained should not meet our full burst first.
        """
        if not math.isfinite(until) or not math.isfinite(tokens_after):
            raise ValueError(f"A bucket is held until a finite moment, not {until!r}.")
        self._held_until = max(self._held_until, until)
        if self.rate:
            missing = self.capacity - min(tokens_after, self.capacity)
            self._full_at = max(self._full_at, until + missing * self._interval)

    def held(self, now: float) -> float:
        """Give the seconds left of the server's word; 0.0 when there is none."""
        return seconds_until(self._held_until, now)

    def available(self, now: float) -> float:
        """Give the tokens free now, for display: 0.0 while held, the burst without a limit."""
        if self.held(now):
            return 0.0
        return max(0.0, self._tokens(now))

    def state(self, now: float, now_wall: float) -> BucketState:
        """Give what a restart needs, translated from this process's clock to wall time."""
        held = self.held(now)
        return BucketState(self._tokens(now), now_wall, now_wall + held if held else 0.0)

    def _full_capacity(self) -> float:
        return max(1.0, self.limits.burst - self.margin)

    def _ready_at(self) -> float:
        return max(self._full_at - self._slack, self._held_until)

    def _spend(self, departure: float) -> None:
        if self.rate:
            self._full_at = max(self._full_at, departure) + self._interval

    def _tokens(self, now: float) -> float:
        if not self.rate:
            return float(self.limits.burst)
        return self.capacity - max(0.0, self._full_at - now) * self.rate

    def _restore(self, state: BucketState, now: float, now_wall: float) -> None:
        """Continue a stored bucket; whatever cannot be trusted counts as an empty bucket."""
        elapsed = now_wall - state.at
        tokens = state.tokens
        if not math.isfinite(tokens) or not math.isfinite(elapsed):
            tokens, elapsed = 0.0, 0.0
        elif elapsed < 0:  # written "in the future": how much time passed is unknowable
            tokens, elapsed = min(tokens, 0.0), 0.0
        if self.rate:
            missing = self.capacity - min(tokens, self.capacity)
            self._full_at = now + missing * self._interval - elapsed
        remaining = state.held_until - max(state.at, now_wall)
        if 0 < remaining < math.inf:
            self._held_until = now + remaining


def default_margin(rate: float) -> float:
    """Give the share of a token that `JITTER_SECONDS` of arrival jitter can cost."""
    return min(1.0, max(LEAST_MARGIN, rate * JITTER_SECONDS))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
