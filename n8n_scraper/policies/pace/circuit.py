"""Decides whether a failing site may be asked at all.

CLOSED    everything passes; failures in a row are counted
OPEN      nothing passes until the hold is over
HALF_OPEN one probe is out; it alone decides between CLOSED and another, longer hold

A failure may be the site's or its path's own. So failures in a row only raise a doubt: the circuit
opens with no hold at all, and its probe asks a witness, an address that the host has answered
before. The witness's answer closes the circuit at once, its failure begins the first hold. Where
there is no witness, the site is left alone when so many different paths have failed in a row.

Results arrive late. One rule keeps them harmless: a result counts only if its request left
after the present mode began (`sent_at`). So a failure of an earlier request neither prolongs
a hold nor reopens a circuit that a probe has closed since, and an earlier request's success
does not close it: only the probe does. Without `sent_at` a result counts as one of the present
mode, and while OPEN, when nobody may send, never.

What is known is small: two counters, two times, and three addresses a host. So processes can
share it. See docs/decisions/0008-what-speaks-for-a-site.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from n8n_scraper.policies.failure.category import Category, answered, speaks_of_health
from n8n_scraper.policies.pace.moment import seconds_until
from n8n_scraper.policies.pace.witnesses import Witness, Witnesses


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
        self.witnesses = Witnesses()
        self._alive_at = -math.inf
        self.reset()
        if state is not None:
            if now_wall is None:
                raise ValueError("A circuit is restored with the wall time of now (now_wall).")
            self._restore(state, now, now_wall)

    def reset(self) -> None:
        """Close the circuit and forget its past, at a person's word."""
        self.mode = Mode.CLOSED
        self.failures = 0
        self.failed_paths = 0
        self.hold_seconds = 0.0
        self.opened_at = -math.inf
        self.reason = ""
        self.tripped_by = ""
        self._host = ""
        self._mode_began = -math.inf

    @property
    def leaves_alone(self) -> bool:
        """Whether a hold has begun and the site has not answered since; a doubt is none."""
        return self.mode is not Mode.CLOSED and self.hold_seconds > 0

    @property
    def witness(self) -> Witness | None:
        """Whom the probe is to ask; None while CLOSED, or where there is none."""
        return None if self.mode is Mode.CLOSED else self.witnesses.of(self._host)

    def give_up_witness(self) -> None:
        """Let any request be the probe, because the witness may not be asked."""
        self.witnesses.forget(self._host)

    def alive_since(self, moment: float | None) -> bool:
        """Whether the site has answered a request that left after this moment."""
        return moment is not None and self._alive_at > moment

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
        failed_at: float | None = None,
        host: str = "",
    ) -> bool:
        """Hear a result and tell whether it began a hold, the first or another.

        Any whole answer, also a 404, is a sign of life. A failure that teaches nothing about
        the site changes nothing; a probe with such an end counts as one that never reported.
        `failed_at` is when this request failed before; None when this is its first failure.
        """
        if answered(category):
            self.record_success(now, sent_at=sent_at)
            return False
        if not speaks_of_health(category) or not self._counts(sent_at):
            return False
        self.failures += 1
        self.failed_paths += failed_at is None
        if self.mode is Mode.CLOSED:
            self._host = host
            if not self._is_doubtful(category, failed_at):
                return False
            if self.witnesses.of(host):
                self._open(now, 0.0)
                return False
            if self.failed_paths < self.limits.failures:
                return False
        self.reason, self.tripped_by = str(category), evidence
        self.witnesses.turn(self._host)
        self._open(now, self._next_hold())
        return True

    def record_success(self, now: float, *, sent_at: float | None = None) -> None:
        """Hear that the site answered; the probe's answer closes the circuit."""
        left_at = now if sent_at is None else sent_at
        if left_at > self._alive_at:
            self._alive_at = left_at
        if not self._counts(sent_at):
            return
        self.failures = self.failed_paths = 0
        if self.mode is Mode.HALF_OPEN:
            self.hold_seconds = 0.0
            self._enter(Mode.CLOSED, now)

    def state(self, now: float, now_wall: float) -> CircuitState:
        """Give what a restart needs, translated from this process's clock to wall time."""
        if not self.leaves_alone:
            return CircuitState(failures=self.failed_paths)
        opened_at = now_wall - (now - self.opened_at)
        return CircuitState(
            self.failures, opened_at, self.hold_seconds, self.reason, self.tripped_by
        )

    def _is_doubtful(self, category: Category | None, failed_at: float | None) -> bool:
        """Whether it is time to ask if the site still answers.

        One that complains of a request again, and answered nothing in between, is asked at once:
        who waits at the server's word has no end of its own.
        """
        if self.failures >= self.limits.failures:
            return True
        again = failed_at is not None and not self.alive_since(failed_at)
        return again and category is Category.RATE_LIMITED

    def _open(self, now: float, hold_seconds: float) -> None:
        self.hold_seconds = hold_seconds
        self.opened_at = now
        self._enter(Mode.OPEN, now)

    def _next_hold(self) -> float:
        if not self.hold_seconds:
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
        self.failures = self.failed_paths = max(0, state.failures)
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
