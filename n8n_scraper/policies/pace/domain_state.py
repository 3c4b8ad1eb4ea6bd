"""How a domain stands with all who ask it: its bucket, its server's word, its circuit.

It is a value that they share, in one process or in a hundred, and whatever happens makes another
value of it. So each step can be tried by itself, and every store of such values (memory, a
database) does the same in one atomic piece.

Times are seconds on the clock of the store that keeps it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.pace.circuit import CircuitLimits, CircuitState, Mode, Result
from n8n_scraper.policies.pace.learned_rate import LearnedRate
from n8n_scraper.policies.pace.token_bucket import BucketLimits, Reservation, Tempo

MOST_AHEAD_SECONDS = 2.0
"""How far ahead tokens are reserved: what waits longer asks again, and finds out what is new."""

SET_BACK_SECONDS = 1.0
"""A clock that has gone back by more was set back: all that was noted is moved with it."""

REST_SECONDS = 60.0
"""After so long without a request, what was let through before says nothing of a rate."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a process was told of a domain: how fast it may be asked, how much failing it is let."""

    limits: BucketLimits
    circuit: CircuitLimits = field(default_factory=CircuitLimits)
    floor: float = 0.0
    """The slowest rate that a site's complaints may teach."""
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class Unused:
    """The last tokens of a reservation, which are there again if none was reserved after them."""

    next_at: float
    """What their reservation had left."""
    back_to: float
    """What it would have left without them."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a process wants to reserve, and what it has to tell at this occasion."""

    tokens: int
    tempo: Tempo
    epoch: int
    """That of the domain as the process knows it; where it is another one, nothing is reserved."""
    lead: float = 0.0
    """The seconds that the answer takes to come: so much less is saved up for it."""
    unused: Unused | None = None
    answers: int = 0
    """How many good answers came since the process last told of some."""


@dataclass(frozen=True, slots=True)
class DomainState:
    """How a domain stands; each method gives the state after something has happened."""

    next_at: float = 0.0
    """When its next token is due."""
    held_until: float = 0.0
    """Until when its server asked to be left alone."""
    learned: LearnedRate = field(default_factory=LearnedRate)
    circuit: CircuitState = field(default_factory=CircuitState)
    epoch: int = 0
    """Rises with all that makes earlier reservations void."""
    noted_at: float = 0.0
    """When it last changed."""
    reset_at: str | None = None
    """When a person last closed the circuit by hand."""

    def tempo(self, rules: Rules, *, crawl_delay: float = 0.0) -> Tempo:
        """Give the tempo at which a process with these rules may go.

        `crawl_delay` are the seconds between requests that robots.txt asks for.
        """
        return Tempo.of(
            rules.limits,
            rate=self.learned.within(rules.limits, rules.floor),
            least_interval=crawl_delay,
            margin=rules.margin,
        )

    def settled(self, now: float) -> DomainState:
        """Move everything to a clock that was set back: nothing lasts longer than was meant."""
        ahead = self.noted_at - now
        if ahead <= SET_BACK_SECONDS:
            return self
        circuit, learned = self.circuit, self.learned
        return replace(
            self,
            next_at=self.next_at - ahead,
            held_until=self.held_until - ahead,
            noted_at=now,
            learned=replace(learned, since=None if learned.since is None else now),
            circuit=replace(
                circuit,
                opened_at=None if circuit.opened_at is None else circuit.opened_at - ahead,
                closed_at=circuit.closed_at - ahead,
                probe_at=circuit.probe_at - ahead,
            ),
        )

    def reserved(self, now: float, wish: Wish) -> tuple[DomainState, Reservation | None]:
        """Reserve the next tokens, though they lie in the future; None where that may not be.

        They are left alone when the process does not know how things stand, or when so many are
        promised already that it has to ask again anyhow.
        """
        next_at = self.next_at
        if wish.unused is not None and next_at == wish.unused.next_at:
            next_at = wish.unused.back_to
        due = max(next_at, now + wish.lead - wish.tempo.slack)
        if wish.epoch != self.epoch or due > now + MOST_AHEAD_SECONDS:
            return self, None
        after = due + wish.tokens * wish.tempo.interval
        reservation = Reservation(after, wish.tokens, wish.tempo, self.epoch)
        learned = self.learned.counted(wish.answers, now)
        state = replace(self, next_at=after, learned=learned, noted_at=now)
        return state, reservation

    def answered(self, now: float, rules: Rules, number: int) -> DomainState:
        """Count good answers; a rate that was learned rises with them."""
        learned = self.learned.heard_answers(number, now, rules.limits, rules.floor)
        return replace(self, learned=learned, noted_at=now)

    def met(self, now: float) -> DomainState:
        """Begin to ask; after a rest it is counted anew what a site lets through."""
        rested = now - max(self.noted_at, self.held_until) > REST_SECONDS
        if not rested or self.learned.since is None or self.learned.price is not None:
            return self
        return replace(self, learned=LearnedRate(), noted_at=now)

    def held(self, now: float, seconds: float) -> DomainState:
        """Obey the server's word: no token before its end, and no burst right after it."""
        until = now + seconds
        return self._void(
            now, next_at=max(self.next_at, until), held_until=max(self.held_until, until)
        )

    def heard(self, now: float, rules: Rules, result: Result) -> DomainState:
        """Hear how a request ended.

        After a 429, also one without a Retry-After, the bucket is empty, because ours was evidently
        fuller than the server's, and it fills more slowly from then on. But a request that has
        failed before teaches no rate: what it meets again may be its path's own.
        """
        state = self
        if result.category is Category.RATE_LIMITED:
            state = state._complained(now, rules, result)
        circuit = state.circuit.heard(result, now, rules.circuit)
        if circuit == state.circuit:
            return state
        opens = circuit.mode is Mode.OPEN and state.circuit.mode is Mode.CLOSED
        state = replace(state, circuit=circuit, noted_at=now)
        return state._void(now) if opens else state

    def left_alone(self, now: float, rules: Rules, reason: str, evidence: str) -> DomainState:
        """Open the circuit at once, whatever was counted."""
        circuit = self.circuit
        if circuit.mode is Mode.OPEN and circuit.leaves_alone:
            return self
        circuit = replace(circuit, failures=circuit.failures + 1)
        return self._void(now, circuit=circuit.opened(now, rules.circuit, reason, evidence))

    def taken(self, now: float, rules: Rules, name: str, *, witness: bool) -> DomainState:
        """Take the one probe under this name, if it is time for one and no other has it."""
        circuit = self.circuit.taken(name, now, rules.circuit, witness=witness)
        return self if circuit is self.circuit else replace(self, circuit=circuit, noted_at=now)

    def given_back(self, now: float, name: str) -> DomainState:
        """Leave to others a probe that was taken and is not sent."""
        circuit = self.circuit.given_back(name)
        return self if circuit is self.circuit else replace(self, circuit=circuit, noted_at=now)

    def closed(self, now: float) -> DomainState:
        """Close the circuit and forget its past."""
        return replace(self, circuit=self.circuit.closed(now), noted_at=now)

    def reset(self, now: float, reset_at: str) -> DomainState:
        """Close the circuit at a person's word."""
        return replace(self.closed(now), reset_at=reset_at)

    def taken_up(self, now: float, known: DomainState, wait_seconds: float) -> DomainState:
        """Go on in a store that was away, or has forgotten, from what was heard last.

        For so long there is no token, and what was reserved elsewhere is void.
        """
        known = known.settled(now)
        newest = known if known.noted_at > self.noted_at else self
        return replace(
            newest,
            next_at=max(self.next_at, known.next_at, now + wait_seconds),
            held_until=max(self.held_until, known.held_until),
            # Others that knew less, or more, may have taken it up before.
            epoch=max(self.epoch, known.epoch, int(now)) + 1,
            noted_at=now,
        )

    def _complained(self, now: float, rules: Rules, result: Result) -> DomainState:
        learned = self.learned.heard_answers(result.answers, now, rules.limits, rules.floor)
        if not result.again:
            learned = learned.heard_complaint(
                now,
                rules.limits,
                floor=rules.floor,
                price_seconds=max(0.0, self.held_until - now),
                sent_at=result.sent_at,
            )
        slower = self._void(now, learned=learned)
        empty = now + slower.tempo(rules).interval
        return replace(slower, next_at=max(self.next_at, empty))

    def _void(self, now: float, **changes: object) -> DomainState:
        return replace(self, epoch=self.epoch + 1, noted_at=now, **changes)  # type: ignore[arg-type]


Step = Callable[[DomainState, float], DomainState]
"""What happens to a domain at a moment."""
