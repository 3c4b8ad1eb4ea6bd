"""How a domain stands as far as one process knows: what the store has said last, by our clock."""

from __future__ import annotations

import math

from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.policies.pace.domain_state import DomainState, Rules
from n8n_scraper.policies.pace.learned_rate import LearnedRate
from n8n_scraper.policies.pace.moment import seconds_until
from n8n_scraper.policies.pace.pace_store import Seen
from n8n_scraper.policies.pace.store_clock import StoreClock

_CLOSED = CircuitState()
_NEVER_COMPLAINED = LearnedRate()


class DomainView:
    """The last that is known of a domain, and what it means for a process with these rules."""

    def __init__(self, domain: str, rules: Rules) -> None:
        self.domain = domain
        self.rules = rules
        self.state: DomainState | None = None
        """How it stands as far as we know; None before the first answer."""
        self.crawl_delay_seconds = 0.0
        """The seconds between requests that robots.txt asks for."""
        self.tempo = DomainState().tempo(rules)
        self.clock = StoreClock()
        self._revision = -1
        self._met_at = math.inf

    @property
    def circuit(self) -> CircuitState:
        """The circuit as far as we know."""
        return self.state.circuit if self.state else _CLOSED

    @property
    def is_closed(self) -> bool:
        """Whether its circuit lets everything pass."""
        return self.circuit.opened_at is None

    @property
    def learned_rate(self) -> float | None:
        """The rate that the server's complaints have taught us; None where they have not."""
        learned = self.state.learned if self.state else _NEVER_COMPLAINED
        return learned.within(self.rules.limits, self.rules.floor)

    @property
    def rate(self) -> float:
        """The requests a second that are left when robots' delay is obeyed too."""
        return self.tempo.rate

    @property
    def is_at_its_floor(self) -> bool:
        """Whether the site has complained to us even of the slowest rate."""
        learned = self.state.learned if self.state else _NEVER_COMPLAINED
        said_to_us = learned.since is not None and learned.since >= self._met_at
        return said_to_us and learned.is_at_its_floor(self.rules.limits, self.rules.floor)

    def available(self, now: float) -> float:
        """Give the tokens free now, for display: 0.0 while held, the burst without a limit."""
        there = self.clock.there(now)
        if self.state is None or not self.rate:
            return float(self.rules.limits.burst)
        if self.state.held_until > there:
            return 0.0
        return max(0.0, self.tempo.saved(self.state.next_at, there))

    def held_for(self, now: float) -> float:
        """Give the seconds for which the server still asks to be left alone."""
        held_until = self.state.held_until if self.state else 0.0
        return seconds_until(held_until, self.clock.there(now))

    def take_over(self, seen: Seen) -> bool:
        """Know what the store has said, unless more is known; True when reservations are void."""
        if seen.revision < self._revision:
            return False
        before, self.state, self._revision = self.state, seen.state, seen.revision
        if before is None:
            self._met_at = seen.now
        if before is None or before.learned.rate != seen.state.learned.rate:
            self.set_tempo()
        return before is not None and before.epoch != seen.state.epoch

    def set_tempo(self) -> None:
        """Go as fast as is allowed by all that is known."""
        state = self.state or DomainState()
        self.tempo = state.tempo(self.rules, crawl_delay=self.crawl_delay_seconds)
