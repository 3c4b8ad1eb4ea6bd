"""Where the states of domains are kept, so that all who ask a site keep one pace.

A store does each thing in one atomic piece, on its own clock. It may block; who must not be blocked
calls it from a thread of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from n8n_scraper.policies.pace.domain_state import DomainState, Step, Wish
from n8n_scraper.policies.pace.token_bucket import Reservation

Clock = Callable[[], float]


class PaceAway(Exception):
    """A store does not answer; its text says which, and how that shows."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a store answers: how a domain stands, and the time on the store's clock."""

    state: DomainState
    now: float
    revision: int
    """Rises with each change, so that an answer which comes late is known as old."""
    reservation: Reservation | None = None


class PaceStore(Protocol):
    """Keeps how each domain stands for all who share it."""

    blocks: bool
    """Whether an answer may take its time."""

    def look(self, domain: str) -> Seen:
        """Say how a domain stands."""

    def reserve(self, domain: str, wish: Wish) -> Seen:
        """Reserve tokens, as `DomainState.reserved` does; the most frequent of the three."""

    def change(self, domain: str, step: Step) -> Seen:
        """Let something happen to a domain; what changes nothing is not written."""

    def close(self) -> None:
        """Need nothing more."""


class MemoryPaceStore:
    """Keeps a pace for one process alone."""

    blocks = False

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._states: dict[str, tuple[DomainState, int]] = {}

    def look(self, domain: str) -> Seen:
        """Say how a domain stands."""
        state, revision = self._states.get(domain, (DomainState(), 0))
        return Seen(state, self._clock(), revision)

    def reserve(self, domain: str, wish: Wish) -> Seen:
        """Reserve tokens, if that may be."""
        now = self._clock()
        state, reservation = self.look(domain).state.settled(now).reserved(now, wish)
        return self._noted(domain, state, now, reservation)

    def change(self, domain: str, step: Step) -> Seen:
        """Let something happen to a domain."""
        now = self._clock()
        return self._noted(domain, step(self.look(domain).state.settled(now), now), now)

    def close(self) -> None:
        """Nothing to give back."""

    def _noted(
        self, domain: str, state: DomainState, now: float, reservation: Reservation | None = None
    ) -> Seen:
        before, revision = self._states.get(domain, (DomainState(), 0))
        if state != before:
            revision += 1
            self._states[domain] = state, revision
        return Seen(state, now, revision, reservation)
