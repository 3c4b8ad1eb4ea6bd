"""Keeps a pace when the store that all share is away: each process takes its share of the rate.

Nothing leaves in a burst, neither when the store goes nor when it is back, empty perhaps: whoever
goes on in another memory begins with an empty bucket. One that knows nothing of a domain says
nothing of those either who ask it at this moment, each alone: it begins so late that all of them
have come, or have counted one worker more.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from n8n_scraper.policies.pace.domain_state import DomainState, Step, Wish
from n8n_scraper.policies.pace.pace import LOOK_SECONDS
from n8n_scraper.policies.pace.pace_store import Clock, MemoryPaceStore, PaceAway, PaceStore, Seen
from n8n_scraper.policies.pace.token_bucket import Tempo

RETRY_SECONDS = 1.0
"""How often a store that is away is asked again."""

SLOW_ANSWER_SECONDS = 1.0
"""How long it may take until it is clear that it is away still."""

ALL_HAVE_NOTICED_SECONDS = RETRY_SECONDS + SLOW_ANSWER_SECONDS + LOOK_SECONDS
"""After which no worker believes any more that a store is away, or another worker is not there."""

Question = Callable[[PaceStore], Seen]


class FallbackPaceStore:
    """Asks the shared store; while it is away, keeps the pace of one of so many workers.

    A domain that the shared store does not know may be one that it has forgotten, and asked by
    others a moment ago. So its bucket is empty when it is met.
    """

    blocks = True

    def __init__(
        self,
        shared: PaceStore,
        *,
        workers: Callable[[], int],
        interval_of: Callable[[str], float],
        clock: Clock = time.monotonic,
        wall_clock: Clock = time.time,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """`interval_of` gives the seconds between two tokens that a domain is allowed."""
        self.on_away: Callable[[PaceAway, int], object] = lambda error, workers: None
        """Is called with the number of workers when the shared store goes away."""
        self.on_back: Callable[[], object] = lambda: None
        """Is called when it is back."""
        self._shared = shared
        self._count_workers = workers
        self._interval_of = interval_of
        self._clock, self._chance = clock, chance
        self._alone = MemoryPaceStore(self._there)
        self._offset = wall_clock() - clock()  # of the shared store's clock from ours
        self._known: dict[str, Seen] = {}
        self._adrift: dict[str, int] = {}  # the domains in our own memory, and the revision before
        self._is_away, self._retry_at, self._workers = False, 0.0, 1

    def look(self, domain: str) -> Seen:
        """Say how a domain stands."""
        return self._ask(domain, lambda store: store.look(domain))

    def reserve(self, domain: str, wish: Wish) -> Seen:
        """Reserve tokens, if that may be."""
        return self._ask(domain, lambda store: store.reserve(domain, self._our_share(wish)))

    def change(self, domain: str, step: Step) -> Seen:
        """Let something happen to a domain."""

        def ask(store: PaceStore) -> Seen:
            def begun(state: DomainState, now: float) -> DomainState:
                if not state.noted_at:
                    state = self._begun(domain, state, now, is_shared=store is self._shared)
                return step(state, now)

            return store.change(domain, begun)

        return self._ask(domain, ask)

    def close(self) -> None:
        """Need nothing more."""
        self._shared.close()

    def _ask(self, domain: str, question: Question) -> Seen:
        if self._clock() >= self._retry_at:
            try:
                seen = self._ask_shared(domain, question)
            except PaceAway as error:
                self._fall_back(error)
            else:
                self._known[domain] = seen
                self._offset = seen.now - self._clock()
                return seen
        self._known[domain] = seen = self._ask_alone(domain, question)
        return seen

    def _ask_shared(self, domain: str, question: Question) -> Seen:
        if domain in self._adrift:
            self._begin(self._shared, domain)
            del self._adrift[domain]
        elif self._is_away:
            self._shared.look(domain)
        if self._is_away:
            self._is_away, self._workers = False, 1
            self.on_back()
        seen = question(self._shared)
        return seen if seen.state.noted_at else self._begin(self._shared, domain)

    def _ask_alone(self, domain: str, question: Question) -> Seen:
        if domain not in self._adrift:
            known = self._known.get(domain)
            self._adrift[domain] = known.revision if known else 0
            self._begin(self._alone, domain)
        seen = question(self._alone)
        return replace(seen, revision=self._adrift[domain] + seen.revision)

    def _fall_back(self, error: PaceAway) -> None:
        self._workers = max(1, self._count_workers())
        self._retry_at = self._clock() + RETRY_SECONDS
        if not self._is_away:
            self._is_away = True
            self.on_away(error, self._workers)

    def _begin(self, store: PaceStore, domain: str) -> Seen:
        return store.change(domain, partial(self._begun, domain, is_shared=store is self._shared))

    def _begun(
        self, domain: str, state: DomainState, now: float, *, is_shared: bool
    ) -> DomainState:
        known = self._known.get(domain)
        interval = self._interval_of(domain) * self._workers
        # Those who begin alone at the same moment are not to ask at the same moment.
        phase = 1 + self._chance() if self._workers > 1 else 1
        # Alone a worker goes on with what it knows; its share was counted when the others' was.
        is_told = bool(state.noted_at) if is_shared else known is not None
        wait = LOOK_SECONDS if is_told else ALL_HAVE_NOTICED_SECONDS
        before = known.state if known else DomainState()
        return state.taken_up(now, before, wait + phase * interval)

    def _our_share(self, wish: Wish) -> Wish:
        if self._workers == 1:
            return wish
        tempo = Tempo(wish.tempo.interval * self._workers, grace=wish.tempo.grace)
        return replace(wish, tempo=tempo)

    def _there(self) -> float:
        return self._clock() + self._offset
