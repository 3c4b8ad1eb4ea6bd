"""Says how long until a domain's next request may leave, whatever holds it back."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count

from n8n_scraper.policies.failure.category import Category, answered, speaks_of_health
from n8n_scraper.policies.pace.circuit import Result
from n8n_scraper.policies.pace.domain_state import DomainState, Rules, Step
from n8n_scraper.policies.pace.domain_view import DomainView
from n8n_scraper.policies.pace.moment import seconds_until
from n8n_scraper.policies.pace.pace_store import PaceStore, Seen
from n8n_scraper.policies.pace.purse import Purse
from n8n_scraper.policies.pace.token_bucket import BucketStats
from n8n_scraper.policies.pace.witnesses import Witness, Witnesses

LOOK_SECONDS = 0.5
"""How old what is known of a domain may get while requests of it wait or leave."""

_AFTER_THE_LAST_SECONDS = 1.0

Question = Callable[[PaceStore], Seen]
"""What to ask of the store, and then to give to `Pace.hear`."""


class Pace(DomainView):
    """When a process may ask a domain: by what it knows of it, and the tokens it has reserved.

    What is shared is in a store, and this asks nothing by itself: `ask` says what to ask now,
    `hear` takes the answer, `result` says what to tell. `wait` gives the seconds until a request
    may leave, None while that is not known without the store; `take` lets one leave. When `take`
    says no, somebody was quicker or something has happened: ask again.

    Witnesses, and when the site has last answered, are known to this process only.
    """

    def __init__(self, domain: str, rules: Rules) -> None:
        super().__init__(domain, rules)
        self.witnesses = Witnesses()
        self.stats = BucketStats()
        self._purse = Purse(self.tempo)
        self._looked_at = self._reported_at = -math.inf
        self._alive_at = self._last_departure = -math.inf
        self._unreported = 0
        self._complaints = 0
        self._waiting = 0
        self._name, self._probes = secrets.token_hex(6), count(1)
        self._probe, self._probe_is_out = "", False

    # --- what may leave ---------------------------------------------------------------------

    def wait(self, now: float, *, ahead: int = 0) -> float | None:
        """Give the seconds until a request may leave: the longest of all that hold it back.

        `ahead` others may leave already, and have not yet. One of them is the probe of a circuit
        that is not closed, and the next waits for its answer.
        """
        if self.state is None or self._complaints:
            return None
        if barred := self._barred(now, ahead):
            return barred
        there = self.clock.there(now)
        delay = self._delay(now, ahead)
        token = self._purse.wait(there, ahead=ahead)
        if token is None:
            return max(self._purse.promised_for(there), delay) or None
        if not (token or self.is_closed or self._may_probe):
            return None
        return max(token, delay)

    def take(self, now: float, *, waited_seconds: float = 0.0, as_probe: bool = False) -> bool:
        """Let one request leave now if all agree; unless CLOSED, it is the circuit's probe.

        Where there is a witness to ask, only who was let out `as_probe` may be that.
        """
        if self.witness and not as_probe:
            return False
        if self.wait(now) != 0.0 or not self._purse.take(self.clock.there(now)):
            return False
        self._probe_is_out = not self.is_closed
        self._waiting = max(0, self._waiting - 1)
        self._last_departure = max(self._last_departure, now)
        self.stats.add(waited_seconds)
        return True

    def probe_goes_on(self) -> None:
        """Let the next request be of the same probe, where it takes several to learn something."""
        self._probe_is_out = False

    # --- what the store is asked ------------------------------------------------------------

    def ask(self, now: float, *, ahead: int = 0, waiting: int = 1) -> Question | None:
        """Say what to ask so that `waiting` more may leave; None when nothing has to be."""
        self._waiting = ahead + waiting
        if self.state is None:
            return lambda store: store.change(self.domain, DomainState.met)
        if self._complaints or self._barred(now, ahead):
            return None
        there, epoch = self.clock.there(now), self.state.epoch
        trip = self.clock.usual_trip
        if wish := self._purse.wish(there, ahead, waiting, epoch=epoch, trip_seconds=trip):
            if self.learned_rate is None:
                wish = replace(wish, answers=self._report())
            return lambda store: store.reserve(self.domain, wish)
        if self.is_closed or self._may_probe or self._purse.wait(there) != 0.0:
            return None
        return self._ask_for_the_probe()

    def news(self, now: float) -> Question | None:
        """Say what to ask though nobody waits for it; None while what is known is new enough."""
        if self.state is None:
            return None
        # With a learned rate each of them counts; without a limit nothing else would tell of them.
        if self._unreported and (self.learned_rate is not None or not self.rate):
            if now - self._reported_at < LOOK_SECONDS:
                return None
            self._reported_at = now
            answers = partial(DomainState.answered, rules=self.rules, number=self._report())
            return lambda store: store.change(self.domain, answers)
        if now - self._looked_at < LOOK_SECONDS:
            return None
        if not self._waiting and now - self._last_departure > _AFTER_THE_LAST_SECONDS:
            return None
        return lambda store: store.look(self.domain)

    def hear(self, seen: Seen, *, asked_at: float, heard_at: float) -> None:
        """Take an answer of the store."""
        self.clock.note(seen.now, asked_at=asked_at, heard_at=heard_at)
        self._looked_at = heard_at
        if self.take_over(seen):
            self._purse.void()
        assert self.state is not None
        self._purse.tempo, self._purse.next_at = self.tempo, self.state.next_at
        if seen.reservation is not None and seen.reservation.epoch == self.state.epoch:
            self._purse.put(seen.reservation)

    # --- what the store is told -------------------------------------------------------------

    @contextmanager
    def complaining(self) -> Iterator[None]:
        """Let nothing leave while the store is told of a complaint."""
        self._complaints += 1
        try:
            yield
        finally:
            self._complaints -= 1

    def result(
        self,
        now: float,
        category: Category | None,
        evidence: str = "",
        *,
        sent_at: float | None = None,
        failed_at: float | None = None,
        host: str = "",
        probe: str = "",
    ) -> Step | None:
        """Hear how a request ended (None: well); give what to tell the store, if anything.

        `sent_at` is the `now` of its `take`, `failed_at` when the same request failed before,
        `probe` the name under which it left.
        """
        left_at = now if sent_at is None else sent_at
        self.stats.complaints += category is Category.RATE_LIMITED
        if answered(category):
            self._alive_at = max(self._alive_at, left_at)
            self._unreported += 1
            if not self.circuit.failures and not probe:
                return None
        elif not speaks_of_health(category):
            return None
        elif probe:
            self.witnesses.turn(self.circuit.host)
        result = Result(
            category,
            self.clock.there(left_at),
            probe=probe,
            evidence=evidence,
            host=host,
            witness=self.witnesses.of(host) is not None,
            again=failed_at is not None,
            nobody_answered=not self.alive_since(failed_at),
            answers=self._report() if category is Category.RATE_LIMITED else 0,
        )
        return partial(DomainState.heard, rules=self.rules, result=result)

    def retry_after(self, seconds: float) -> Step:
        """Give what to tell the store when a server asks to be left alone for so long."""
        return partial(DomainState.held, seconds=seconds)

    def crawl_delay(self, seconds: float) -> None:
        """Obey robots' Crawl-delay: never two requests closer than this; 0 lifts it.

        It only ever slows down; a rate lower than 1 in `seconds` stays as it is.
        """
        self.crawl_delay_seconds = seconds if 0 < seconds < math.inf else 0.0
        self.set_tempo()
        self._purse.drop()
        self._purse.tempo = self.tempo

    def give_up_witness(self) -> None:
        """Let any request be the probe, because the witness may not be asked."""
        self.witnesses.forget(self.circuit.host)

    # --- how it stands ----------------------------------------------------------------------

    @property
    def witness(self) -> Witness | None:
        """Whom the probe is to ask; None while CLOSED, or where there is none."""
        return None if self.is_closed else self.witnesses.of(self.circuit.host)

    @property
    def probe(self) -> str:
        """The name of the probe that is ours; empty while none is."""
        circuit = self.circuit
        return self._probe if circuit.probe == self._probe and not self.is_closed else ""

    def left_alone_for(self, now: float) -> float:
        """Give the seconds until the site's circuit lets a probe go."""
        due = self.circuit.due_at(self.rules.circuit, witness=self.witness is not None)
        return seconds_until(due, self.clock.there(now))

    def alive_since(self, moment: float | None) -> bool:
        """Whether the site has answered a request of ours that left after this moment."""
        return moment is not None and self._alive_at > moment

    def is_to_blame(self, failed_at: float | None) -> bool:
        """Whether a failure now is the site's, and not that of the request which met it."""
        return not self.is_closed and not self.alive_since(failed_at)

    # --- inside -----------------------------------------------------------------------------

    @property
    def _may_probe(self) -> bool:
        return bool(self.probe) and not self._probe_is_out

    def _barred(self, now: float, ahead: int) -> float:
        """Give the seconds for which no request may leave, whatever tokens there are."""
        assert self.state is not None
        if not self.is_closed:
            if ahead:
                return self.rules.circuit.probe_timeout_seconds
            if not self._may_probe and (left_alone_for := self.left_alone_for(now)):
                return left_alone_for
        return self.held_for(now)

    def _delay(self, now: float, ahead: int) -> float:
        """Keep the distance to our own last request, however late that was for its token.

        Where tokens are saved up none is kept.
        """
        if self.tempo.slack:
            return 0.0
        interval = self.tempo.interval
        return seconds_until(self._last_departure + interval, now) + ahead * interval

    def _ask_for_the_probe(self) -> Question:
        self._probe, self._probe_is_out = f"{self._name}:{next(self._probes)}", False
        take = partial(
            DomainState.taken,
            rules=self.rules,
            name=self._probe,
            witness=self.witness is not None,
        )
        return lambda store: store.change(self.domain, take)

    def _report(self) -> int:
        number, self._unreported = self._unreported, 0
        return number
