"""Decides whether a failing site may be asked at all.

CLOSED    everything passes; failures in a row are counted
OPEN      nothing passes until the hold is over
HALF_OPEN one probe is out; it alone decides between CLOSED and another, longer hold

A failure may be the site's or its path's own. So failures in a row only raise a doubt: the circuit
opens with no hold at all, and its probe asks a witness, an address that the host has answered
before. The witness's answer closes the circuit at once, its failure begins the first hold. Where
there is no witness, the site is left alone when so many different paths have failed in a row.

A circuit is a value that all share who ask the site, however many processes they are; each change
makes another value. The probe is a lease: whoever takes it has a name for it, the result counts
under that name only, and when none comes in time the next may take it.

Results arrive late. One rule keeps them harmless: while CLOSED a result counts only if its request
left after the circuit closed, so no failure of an earlier request reopens what a probe has closed
since; while OPEN none counts, while HALF_OPEN only the probe's.
See docs/decisions/0008-what-speaks-for-a-site.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

from n8n_scraper.policies.failure.category import Category, answered, speaks_of_health

WITNESS_FIRST_SECONDS = 1.0
"""For how long a process without a witness leaves the probe to those that have one."""


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
class Result:
    """What all who ask a site have to know of how a request ended; its category None is well."""

    category: Category | None
    sent_at: float
    """When it left, in the time of those who share the circuit."""
    probe: str = ""
    """Under which name it left as the probe; empty where it was none."""
    evidence: str = ""
    host: str = ""
    witness: bool = False
    """Whether its process knows an address of this host that was answered before."""
    again: bool = False
    """Whether the same request has failed before."""
    nobody_answered: bool = False
    """Whether the site has answered nobody since that failure."""
    answers: int = 0
    """How many good answers its process has had that it has not told of."""


@dataclass(frozen=True, slots=True)
class CircuitState:
    """How a site's circuit stands; each method gives the state after something has happened.

    Times are seconds in the time of those who share it, `opened_at` None is CLOSED. `reason` is the
    category that tripped it, `tripped_by` the evidence (which request).
    """

    failures: int = 0
    """In a row."""
    failed_paths: int = 0
    """How many of them were of requests that had not failed before."""
    opened_at: float | None = None
    closed_at: float = 0.0
    hold_seconds: float = 0.0
    reason: str = ""
    tripped_by: str = ""
    host: str = ""
    """The one that failed."""
    witnessed: bool = False
    """Whether whoever opened it knew a witness of that host."""
    probe: str = ""
    """The name of the probe that is out."""
    probe_at: float = 0.0
    """When it was taken."""

    @property
    def mode(self) -> Mode:
        """Which of the three it is."""
        if self.opened_at is None:
            return Mode.CLOSED
        return Mode.HALF_OPEN if self.probe else Mode.OPEN

    @property
    def leaves_alone(self) -> bool:
        """Whether a hold has begun and the site has not answered since; a doubt is none."""
        return self.opened_at is not None and self.hold_seconds > 0

    def due_at(self, limits: CircuitLimits, *, witness: bool = True) -> float:
        """Give the moment from which a probe may be taken; -inf while none is needed.

        While one is out that is the time after which it counts as lost. Who has no witness lets
        those go first that may have one.
        """
        if self.opened_at is None:
            return -math.inf
        if self.probe:
            return self.probe_at + limits.probe_timeout_seconds
        due = self.opened_at + min(self.hold_seconds, limits.hold_cap_seconds)
        return due if witness or not self.witnessed else due + WITNESS_FIRST_SECONDS

    def taken(
        self, name: str, now: float, limits: CircuitLimits, *, witness: bool = True
    ) -> CircuitState:
        """Take the one probe under this name, if it is time for one and no other has it.

        A doubt that none is left to settle by a witness is none: the failures count on.
        """
        if self.opened_at is None or self.due_at(limits, witness=witness) > now:
            return self
        if not self.hold_seconds and not witness:
            return replace(self, opened_at=None, failures=self.failed_paths, probe="")
        return replace(self, probe=name, probe_at=now)

    def given_back(self, name: str) -> CircuitState:
        """Leave to others a probe that was taken and is not sent."""
        return replace(self, probe="") if name and self.probe == name else self

    def heard(self, result: Result, now: float, limits: CircuitLimits) -> CircuitState:
        """Hear how a request ended.

        Any whole answer, also a 404, is a sign of life. A failure that teaches nothing about the
        site changes nothing; a probe with such an end counts as one that never reported.
        """
        if not self._counts(result):
            return self
        if answered(result.category):
            return self._answered(now)
        if not speaks_of_health(result.category):
            return self
        failed = replace(
            self,
            failures=self.failures + 1,
            failed_paths=self.failed_paths + (not result.again),
        )
        if self.mode is Mode.CLOSED:
            if not failed._is_doubtful(result, limits):
                return failed
            if result.witness:
                return failed._doubted(result, now)
            if failed.failed_paths < limits.failures:
                return failed
        return failed.opened(now, limits, str(result.category), result.evidence, result)

    def opened(
        self,
        now: float,
        limits: CircuitLimits,
        reason: str,
        evidence: str,
        result: Result | None = None,
    ) -> CircuitState:
        """Leave the site alone: for the first hold, or for one longer than that before."""
        grown = min(self.hold_seconds * limits.growth, limits.hold_cap_seconds)
        witness = result.witness if result else False
        return replace(
            self,
            opened_at=now,
            hold_seconds=grown or limits.hold_seconds,
            reason=reason,
            tripped_by=evidence,
            host=self.host or (result.host if result else ""),
            witnessed=self.witnessed or witness,
            probe="",
        )

    def closed(self, now: float) -> CircuitState:
        """Let everything pass again and forget what was, at the probe's or a person's word."""
        return CircuitState(closed_at=now)

    def _answered(self, now: float) -> CircuitState:
        if self.mode is Mode.HALF_OPEN:
            return self.closed(now)
        return replace(self, failures=0, failed_paths=0)

    def _is_doubtful(self, result: Result, limits: CircuitLimits) -> bool:
        """Whether it is time to ask if the site still answers.

        One that complains of a request again, and answered nothing in between, is asked at once:
        who waits at the server's word has no end of its own.
        """
        if self.failures >= limits.failures:
            return True
        unanswered = result.again and result.nobody_answered
        return unanswered and result.category is Category.RATE_LIMITED

    def _doubted(self, result: Result, now: float) -> CircuitState:
        return replace(
            self, opened_at=now, hold_seconds=0.0, host=result.host, witnessed=True, probe=""
        )

    def _counts(self, result: Result) -> bool:
        match self.mode:
            case Mode.CLOSED:
                return result.sent_at >= self.closed_at
            case Mode.HALF_OPEN:
                return bool(result.probe) and result.probe == self.probe
            case Mode.OPEN:
                return False
