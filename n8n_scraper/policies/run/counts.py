"""Count how far a run is: every figure that follows from how many ended how is computed here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Counts:
    """How many items of a run have ended, and how, and how many have not."""

    outcomes: Mapping[str, int] = field(default_factory=dict)
    unsettled: int = 0
    """How many have ended, but not for good: asking again could still bring more."""
    left: int = 0

    @property
    def done(self) -> int:
        """How many have ended."""
        return sum(self.outcomes.values())

    @property
    def total(self) -> int:
        """How many the run expects, as far as it knows."""
        return self.done + self.left

    @property
    def settled(self) -> int:
        """How many have ended for good: whatever the site has of them is stored."""
        return self.done - self.unsettled

    @property
    def success_percent(self) -> float | None:
        """Which part ended for good; a whole is all of them. None while none has ended."""
        if not self.done:
            return None
        percent = 100 * self.settled / self.done
        return percent if percent == 100 else min(percent, 99.9)
