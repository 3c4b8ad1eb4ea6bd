"""Let a tool rest that fails for a domain by its own fault, and try it again with one request.

The site's own failures are the affair of the site's circuit: what is counted here says nothing of
whether the site works.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

FAILURES_IN_A_ROW = 3
GROWTH = 2.0


@dataclass(frozen=True, slots=True)
class RestLimits:
    """How long a tool rests."""

    hold_seconds: float
    cap_seconds: float
    probe_seconds: float
    """After so long a trial whose end was never told counts as lost."""


@dataclass(frozen=True, slots=True)
class ToolCircuit:
    """How a tool does for a domain; each method gives the state after something has happened."""

    failures: int = 0
    """In a row."""
    rests_until: float = 0.0
    hold_seconds: float = 0.0
    """How long the last rest was; 0 while none has been needed since it last worked."""
    trial_until: float = 0.0
    """While this is to come, one request tries whether it works again."""

    def rest(self, now: float) -> float:
        """Seconds until it may be asked; 0 where it may now."""
        return max(self.rests_until, self.trial_until, now) - now

    def asked(self, now: float, limits: RestLimits) -> ToolCircuit:
        """Let a request begin, which is the trial where a rest has just ended."""
        if not self.hold_seconds:
            return self
        return replace(self, trial_until=now + limits.probe_seconds)

    def worked(self) -> ToolCircuit:
        """Forget what was."""
        return ToolCircuit()

    def ended(self) -> ToolCircuit:
        """Let the next request be the trial where this one has shown nothing."""
        return replace(self, trial_until=0.0)

    def failed(self, now: float, limits: RestLimits, *, wait_seconds: float = 0.0) -> ToolCircuit:
        """Count a failure; `wait_seconds` is what the tool asks for itself.

        The third in a row begins a rest, and each trial that fails a longer one.
        """
        failures = self.failures + 1
        hold = self.hold_seconds
        if failures >= FAILURES_IN_A_ROW:
            hold = min(hold * GROWTH or limits.hold_seconds, limits.cap_seconds)
        elif not wait_seconds:
            return replace(self, failures=failures)
        return ToolCircuit(failures, now + max(hold, wait_seconds), hold)
