"""Find out how fast a server lets us go, when it says that we go too fast."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from n8n_scraper.policies.pace.token_bucket import BucketLimits

FIRST_CUT = 2.0
"""By how much to slow down while nothing is known of the server's limit."""

RISE_PER_ANSWER = 0.004
"""By what share the rate rises with each good answer, where a complaint costs a second."""

TELLING_SECONDS = 2.0
"""A shorter time says nothing of a rate, because all of it may have been the server's burst."""


@dataclass(frozen=True, slots=True)
class LearnedRate:
    """Narrows the server's limit down between a rate that it bore and one that it refused.

    What the server let through from one complaint to the next, divided by that time, is a rate
    that it bears: its bucket was empty, so it cannot have given more than it earned. The rate at
    which it complained is one that it does not bear. The next try is the geometric mean of the two,
    so that each complaint halves what is unknown; but a single complaint after many good answers
    takes little away, because it need not have been about the rate. Every good answer gives a
    little back, the less the longer the server makes us wait when we overdo it.

    The rate never goes beyond what is configured (0 is no limit). Nor does it go below a floor: a
    site that complains of that too does not want to be crawled now. A later process begins at the
    floor, and tries again.
    """

    rate: float | None = None
    """What the server has taught us; None where it has not, or we are back at what we were told."""
    borne: float = 0.0
    price: float | None = None
    """The seconds that its last complaint cost; None where it has never complained."""
    answers: int = 0
    """What it let through since then."""
    since: float | None = None
    """When it complained last, or else gave the first answer."""

    def within(self, limits: BucketLimits, floor: float) -> float | None:
        """Give the rate that it teaches a process with these limits; None where that is none."""
        if self.rate is None:
            return None
        configured = limits.rate or math.inf
        rate = max(self.rate, min(floor, configured))
        return rate if rate < configured else None

    def is_at_its_floor(self, limits: BucketLimits, floor: float) -> bool:
        """Whether it has complained even of the slowest rate, and answered nothing since."""
        slowest = min(floor, limits.rate or math.inf)
        return self.rate is not None and self.rate <= slowest and not self.answers

    @property
    def rise(self) -> float:
        """By what factor the rate rises with each good answer."""
        return 1 + RISE_PER_ANSWER / (self.price or 1.0)

    def counted(self, answers: int, now: float) -> LearnedRate:
        """Count good answers that teach nothing, because nothing was refused."""
        since = now if self.since is None else self.since
        return replace(self, answers=self.answers + answers, since=since) if answers else self

    def heard_answers(
        self, number: int, now: float, limits: BucketLimits, floor: float = 0.0
    ) -> LearnedRate:
        """Try a little more while all is well."""
        rate = self.rate
        if (going := self.within(limits, floor)) is not None:
            rate = going * self.rise**number
            rate = rate if rate < (limits.rate or math.inf) else None
        return replace(self.counted(number, now), rate=rate)

    def heard_complaint(
        self,
        now: float,
        limits: BucketLimits,
        *,
        floor: float = 0.0,
        price_seconds: float = 0.0,
        sent_at: float | None = None,
    ) -> LearnedRate:
        """Slow down after a 429 that costs us `price_seconds` of waiting.

        Whoever was already under way at the last complaint says nothing new.
        """
        since = now if self.since is None else self.since
        if self.price is not None and sent_at is not None and sent_at < since:
            return self
        going = self.within(limits, floor) or limits.rate
        refused = going or max(1.0, self.answers / max(now - since, 1.0))
        borne = self._borne(now - since, refused, limits.burst)
        between = math.sqrt(borne * refused) if borne else refused / FIRST_CUT
        # After n good answers in a row, one complaint takes away at least a share of 2 / (n + 2).
        wanted = min(between, refused * self.answers / (self.answers + 2) or between)
        slowest = min(floor, limits.rate or math.inf)
        rate = min(max(wanted, slowest), limits.rate or math.inf)
        return LearnedRate(rate, borne, max(1.0, price_seconds), 0, now)

    def _borne(self, seconds: float, refused: float, burst: int) -> float:
        # Before the first complaint the server's bucket was full, and what it held is no rate.
        earned = self.answers if self.price is not None else self.answers - 2 * burst
        telling = seconds >= TELLING_SECONDS and earned > 0
        borne = max(self.borne, earned / seconds) if telling else self.borne
        if borne < refused:
            return borne
        # the limit has come down since
        return min(earned / seconds, refused / FIRST_CUT) if telling else 0.0
