"""The tokens that a process has reserved and not used yet, and which it is to reserve next."""

from __future__ import annotations

from collections import deque

from n8n_scraper.policies.pace.domain_state import MOST_AHEAD_SECONDS, Unused, Wish
from n8n_scraper.policies.pace.moment import seconds_until
from n8n_scraper.policies.pace.token_bucket import Reservation, Tempo

FETCHED_AHEAD_SECONDS = 0.02
"""So long before the last token is due the next are reserved."""

MOST_LEAD_SECONDS = 1.0
"""How much later than now tokens may be asked for because the way to the store is long."""


class Purse:
    """Holds tokens in the order in which they are due, and lets go of those that are not good.

    Without a limit there is always one. All times are those of the store.
    """

    def __init__(self, tempo: Tempo) -> None:
        self.tempo = tempo
        self.next_at = 0.0
        """When the first token is due that nobody has reserved, as far as is known."""
        self._tokens: deque[tuple[Reservation, int]] = deque()
        self._last: Reservation | None = None
        self._used_of_last = 0
        self._spoilt = 0

    def put(self, reservation: Reservation) -> None:
        """Put in what was reserved."""
        self._tokens.extend((reservation, number) for number in range(reservation.tokens))
        self._last, self._used_of_last = reservation, 0

    def void(self) -> None:
        """Let go of all: they are good for nothing any more."""
        self._tokens.clear()
        self._last = None

    def drop(self) -> None:
        """Use none of them: others are to be reserved."""
        self._tokens.clear()

    def wait(self, now: float, *, ahead: int = 0) -> float | None:
        """Give the seconds until a token is due that `ahead` others leave; None without one."""
        if not self.tempo.interval:
            return 0.0
        if self._count(now) <= ahead:
            return None
        reservation, number = self._tokens[ahead]
        return seconds_until(reservation.due_at(number), now)

    def take(self, now: float) -> bool:
        """Use a token, if one is due."""
        if self.wait(now) != 0.0:
            return False
        if self.tempo.interval:
            reservation, number = self._tokens.popleft()
            if reservation is self._last:
                self._used_of_last = number + 1
            self._spoilt = 0
        return True

    def promised_for(self, now: float) -> float:
        """Give the seconds until it is worth asking: so many tokens are promised before ours."""
        unused = self._unused(now)
        next_at = unused.back_to if unused and unused.next_at == self.next_at else self.next_at
        return seconds_until(next_at - MOST_AHEAD_SECONDS, now)

    def wish(
        self, now: float, ahead: int, waiting: int, *, epoch: int, trip_seconds: float
    ) -> Wish | None:
        """Say what to reserve, so that `waiting` more may leave; None when nothing has to be."""
        if not self.tempo.interval or self.promised_for(now):
            return None
        there = self._count(now)
        lacking = ahead + waiting - there
        if lacking <= 0 or (there > ahead and self._lasts_for(now) > FETCHED_AHEAD_SECONDS):
            return None
        # Who has been too late several times in a row asks for what is due later.
        patience = self.tempo.grace * (2 ** max(0, self._spoilt - 1) - 1)
        return Wish(
            min(lacking, self.tempo.block),
            self.tempo,
            epoch,
            lead=min(trip_seconds + patience, MOST_LEAD_SECONDS),
            unused=self._unused(now),
        )

    def _count(self, now: float) -> int:
        while self._tokens and self._is_late(*self._tokens[0], now):
            reservation, number = self._tokens.popleft()
            self._spoilt += number + 1 == reservation.tokens
        return len(self._tokens)

    def _is_late(self, reservation: Reservation, number: int, now: float) -> bool:
        return reservation.good_until(number) < now

    def _lasts_for(self, now: float) -> float:
        reservation, number = self._tokens[-1]
        return seconds_until(reservation.due_at(number), now)

    def _unused(self, now: float) -> Unused | None:
        """Say what of the last reservation is there again, when none of it is good any more."""
        last = self._last
        if last is None or self._count(now) or self._used_of_last == last.tokens:
            return None
        return Unused(last.next_at, last.due_at(self._used_of_last))
