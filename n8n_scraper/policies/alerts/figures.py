"""What the rules look at: figures of one moment, whoever has computed them."""

from __future__ import annotations

from dataclasses import dataclass

from n8n_scraper.core.exit_status import ExitStatus

_NO_FAILURES = (ExitStatus.DONE, ExitStatus.FAILURES, ExitStatus.WORK_LEFT, ExitStatus.WORKED_ON)
"""Ends of a run that say nothing of what other rules do not say better, or that a person wanted."""


@dataclass(frozen=True, slots=True)
class RunFigures:
    """A run, the newest of its source to have ended or one that no process has ended."""

    source: str
    run_id: str
    noun: str
    """What its items are called."""
    has_ended: bool
    is_stale: bool = False
    """Whether no process works on it, though none has ended it."""
    silent_seconds: float = 0.0
    """For how long it has given no sign of life."""
    is_over: bool = False
    """Whether all that was planned has ended."""
    exit_status: int | None = None
    meaning: str = ""
    """What its exit status means."""
    items: int = 0
    """How many it expected, as far as it knew."""
    had: int = 0
    """How many of them the site has answered for: with an item, or that there is none any more."""
    ended_lately: int = 0
    """How many have ended lately; of a run that has ended, in all."""
    unsettled_lately: int = 0
    """How many of those were not had for good."""
    seconds: float = 0.0
    """How long it has taken."""
    earlier_seconds: tuple[float, ...] = ()
    """How long those before it took that were asked for the same and ended in order."""

    @property
    def has_failed(self) -> bool:
        """Whether it broke off."""
        return self.exit_status is not None and self.exit_status not in _NO_FAILURES


@dataclass(frozen=True, slots=True)
class CircuitFigures:
    """A domain that is left alone."""

    domain: str
    reason: str
    closed_at: float
    """When its circuit was closed last, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class CoverageFigures:
    """Of how many items of a source a field is known, for which there is a bar."""

    source: str
    field: str
    share: float | None
    """None where there is no item, or no such field."""


@dataclass(frozen=True, slots=True)
class Watched:
    """Everything that the rules look at."""

    runs: tuple[RunFigures, ...] = ()
    circuits: tuple[CircuitFigures, ...] | None = None
    """None where not all of them were looked at this time."""
    coverage: tuple[CoverageFigures, ...] | None = None
    """None where it was not looked at this time."""
