"""Decides whether a failing site may be asked at all.

CLOSED    everything passes; failures in a row are counted
OPEN      nothing passes until the hold is over
HALF_OPEN one probe is out; it alone decides between CLOSED and another, longer hold

Results arrive late. One rule keeps them harmless: a result counts only if its request left
after the present mode began (`sent_at`). So a failure of an earlier request neither prolongs
a hold nor reopens a circuit that a probe has closed since, and an earlier request's success
does not close it: only the probe does. Without `sent_at` a result counts as one of the present
mode, and while OPEN, when nobody may send, never.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from n8n_scraper.policies.failure import Category, answered, speaks_of_health
from n8n_scraper.policies.moment import seconds_until


class Mode(StrEnum):
    """Names the three modes of a circuit."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


@dataclass(frozen=True, slots=True)
class CircuitLimits:
    """Holds how much failing is tolerated and how long the site is left alone then."""

    failures: int = 10
    hold_seconds: float = 60.0
    growth: float = 2.0
    hold_cap_seconds: float = 900.0
    probe_timeout_seconds: float = 60.0

    def __post_init__(self) -> None:
        if not isinstance(self.failures, int) or self.failures < 1:
            raise ValueError(
                "CIRCUIT_BREAKER_FAILURES must be a whole number, 1 or more, "
                f"but is {self.failures!r}."
            )
        if not 0 < self.hold_seconds <= self.hold_cap_seconds < math.inf:
            raise ValueError(
                "CIRCUIT_BREAKER_HOLD must be more than 0 and at most "
                f"{self.hold_cap_seconds!r} seconds, but is {self.hold_seconds!r}."
            )
        if not 1 <= self.growth < math.inf or not 0 < self.probe_timeout_seconds < math.inf:
            raise ValueError(
                "A circuit's growth must be 1 or more and its probe time-out more than 0, "
                f"but they are {self.growth!r} and {self.probe_timeout_seconds!r}."
            )


@dataclass(frozen=True, slots=True)
class CircuitState:
    """Remembers a circuit over a restart, in wall-clock seconds; `opened_at` None is CLOSED.

    `reason` is the category that tripped it, `tripped_by` the evidence (which request).
    """

    failures: int = 0
    opened_at: float | None = None
    hold_seconds: float = 0.0
    reason: str = ""
    tripped_by: str = ""


class Circuit:
    """Leaves a site alone after too many failures in a row, then asks it one question."""

    def __init__(
        self,
        limits: CircuitLimits | None = None,
        state: CircuitState | None = None,
        *,
        now: float = 0.0,
        now_wall: float | None = None,
    ) -> None:
        self.limits = limits or CircuitLimits()
        self.reset()
        if state is not None:
            if now_wall is None:
                raise ValueError("A circuit is restored with the wall time of now (now_wall).")
            self._restore(state, now, now_wall)

    def reset(self) -> None:
        """Close the circuit and forget its past, at a person's word."""
        self.mode = Mode.CLOSED
        self.failures = 0
        self.hold_seconds = 0.0
        self.opened_at = -math.inf
        self.reason = ""
        self.tripped_by = ""
        self._mode_began = -math.inf

    def allows(self, now: float) -> bool:
        """Tell whether a request may leave now; unless CLOSED, it must then claim the `probe`."""
        return self.wait(now) <= 0

    def wait(self, now: float) -> float:
        """Give the seconds until it is worth asking again.

        While a probe is out that is the time after which it counts as lost; its answer can
        end the wait earlier, so a sleeper looks up in between.
        """
        if self.mode is Mode.CLOSED:
            return 0.0
        if self.mode is Mode.OPEN:
            return seconds_until(self.opened_at + self.hold_seconds, now)
        return seconds_until(self._mode_began + self.limits.probe_timeout_seconds, now)

    def probe(self, now: float) -> bool:
        """Claim the one probe; True for exactly one caller after a hold.

        A probe that never reports is given up after `probe_timeout_seconds`, and the next
        caller gets one of its own.
        """
        if self.mode is Mode.CLOSED or self.wait(now) > 0:
            return False
        self._enter(Mode.HALF_OPEN, now)
        return True

    def enter(self, now: float) -> bool:
        """Let a request pass: any while CLOSED, the probe when one is due."""
        return self.mode is Mode.CLOSED or self.probe(now)

    def record(
        self,
        now: float,
        category: Category | None,
        evidence: str = "",
        *,
        sent_at: float | None = None,
    ) -> bool:
        """Hear a result and tell whether it opened the circuit.

        Any whole answer, also a 404, is a sign of life. A failure that teaches nothing about
        the site changes nothing; a probe with such an end counts as one that never reported.
        """
        if speaks_of_health(category):
            return self._fail(now, str(category), evidence, sent_at)
        if answered(category):
            self.record_success(now, sent_at=sent_at)
        return False

    def record_success(self, now: float, *, sent_at: float | None = None) -> None:
        """Hear that the site answered; the probe's answer closes the circuit."""
        if not self._counts(sent_at):
            return
        self.failures = 0
        if self.mode is Mode.HALF_OPEN:
            self._enter(Mode.CLOSED, now)

    def record_failure(
        self, now: float, category: Category, evidence: str = "", *, sent_at: float | None = None
    ) -> bool:
        """Hear of a failure; True when it opened the circuit, for the first time or again."""
        return self.record(now, category, evidence, sent_at=sent_at)

    def state(self, now: float, now_wall: float) -> CircuitState:
        """Give what a restart needs, translated from this process's clock to wall time."""
        if self.mode is Mode.CLOSED:
            return CircuitState(failures=self.failures)
        opened_at = now_wall - (now - self.opened_at)
        return CircuitState(
            self.failures, opened_at, self.hold_seconds, self.reason, self.tripped_by
        )

    def _fail(self, now: float, reason: str, evidence: str, sent_at: float | None) -> bool:
        if not self._counts(sent_at):
            return False
        self.failures += 1
        if self.mode is Mode.CLOSED and self.failures < self.limits.failures:
            return False
        self.hold_seconds = self._next_hold()
        self.opened_at = now
        self.reason = reason
        self.tripped_by = evidence
        self._enter(Mode.OPEN, now)
        return True

    def _next_hold(self) -> float:
        if self.mode is Mode.CLOSED:
            return self.limits.hold_seconds
        return min(self.hold_seconds * self.limits.growth, self.limits.hold_cap_seconds)

    def _counts(self, sent_at: float | None) -> bool:
        if self.mode is Mode.OPEN:
            return False
        return sent_at is None or sent_at >= self._mode_began

    def _enter(self, mode: Mode, now: float) -> None:
        self.mode = mode
        self._mode_began = now

    def _restore(self, state: CircuitState, now: float, now_wall: float) -> None:
        """Continue a stored circuit; a probe that was out is lost, and its hold was over."""
        self.failures = max(0, state.failures)
        if state.opened_at is None:
            return
        hold = state.hold_seconds if state.hold_seconds > 0 else self.limits.hold_seconds
        self.hold_seconds = min(hold, self.limits.hold_cap_seconds)
        elapsed = now_wall - state.opened_at
        if not 0 <= elapsed < math.inf:  # opened "in the future": hold once more from now
            elapsed = 0.0
        self.opened_at = now - elapsed
        self.reason = state.reason
        self.tripped_by = state.tripped_by
        self._enter(Mode.OPEN, now)
