"""Find out how fast a server lets us go, when it says that we go too fast."""

from __future__ import annotations

import math

FIRST_CUT = 2.0
"""By how much to slow down while nothing is known of the server's limit."""

RISE_PER_ANSWER = 0.004
"""By what share the rate rises with each good answer, where a complaint costs a second."""

TELLING_SECONDS = 2.0
"""A shorter time says nothing of a rate, because all of it may have been the server's burst."""


class LearnedRate:
    """Narrows the server's limit down between a rate that it bore and one that it refused.

    What the server let through from one complaint to the next, divided by that time, is a rate
    that it bears: its bucket was empty, so it cannot have given more than it earned. The rate at
    which it complained is one that it does not bear. The next try is the geometric mean of the two,
    so that each complaint halves what is unknown; but a single complaint after many good answers
    takes little away, because it need not have been about the rate. Every good answer gives a
    little back, the less the longer the server makes us wait when we overdo it.

    `configured` 0 is no limit; the rate never goes beyond what is configured. Nor does it go below
    `floor`: a site that complains of that too does not want to be crawled now, and `at_its_floor`
    says so. A later process begins at the floor, and tries again.
    """

    def __init__(
        self, configured: float, burst: int, *, floor: float = 0.0, learned: float | None = None
    ) -> None:
        self.configured = configured
        self.floor = min(floor, configured or math.inf)
        self.at_its_floor = False
        self.rate = self._within(learned) if learned else configured
        self.let_through = 0
        self._burst = burst
        self._borne = 0.0
        self._complained = learned is not None
        self._since: float | None = None  # the last complaint, or else the first answer
        self._price_seconds = 1.0

    @property
    def slowed(self) -> bool:
        """Whether the server has taught us to go slower than we were told."""
        return self.rate != self.configured

    def heard_answer(self, now: float) -> bool:
        """Try a little more while all is well; True when the rate has changed."""
        self.let_through += 1
        if self._since is None:
            self._since = now
        if not self.slowed:
            return False
        self.at_its_floor = False
        rise = 1 + RISE_PER_ANSWER / self._price_seconds
        self.rate = min(self.rate * rise, self.configured or math.inf)
        return True

    def heard_complaint(
        self, now: float, price_seconds: float = 0.0, sent_at: float | None = None
    ) -> bool:
        """Slow down after a 429 that costs us `price_seconds` of waiting.

        Whoever was already under way at the last complaint says nothing new: False.
        """
        since = now if self._since is None else self._since
        if self._complained and sent_at is not None and sent_at < since:
            return False
        refused = self.rate or max(1.0, self.let_through / max(now - since, 1.0))
        self._note_borne(now - since, refused)
        between = math.sqrt(self._borne * refused) if self._borne else refused / FIRST_CUT
        # After n good answers in a row, one complaint takes away at least a share of 2 / (n + 2).
        wanted = min(between, refused * self.let_through / (self.let_through + 2) or between)
        self.rate = self._within(wanted)
        self.at_its_floor = wanted < self.floor
        self._complained, self._since, self.let_through = True, now, 0
        self._price_seconds = max(1.0, price_seconds)
        return True

    def _within(self, rate: float) -> float:
        return min(max(rate, self.floor), self.configured or math.inf)

    def _note_borne(self, seconds: float, refused: float) -> None:
        # Before the first complaint the server's bucket was full, and what it held is no rate.
        earned = self.let_through if self._complained else self.let_through - 2 * self._burst
        telling = seconds >= TELLING_SECONDS and earned > 0
        if telling:
            self._borne = max(self._borne, earned / seconds)
        if self._borne >= refused:  # the limit has come down since
            self._borne = min(earned / seconds, refused / FIRST_CUT) if telling else 0.0
