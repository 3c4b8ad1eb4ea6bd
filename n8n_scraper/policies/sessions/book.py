"""Reserve sessions of a provider that allows so many at once and so many new ones a minute.

All who use an account write into one book. Whoever wants a session reserves it first, and asks the
provider only with a reservation in hand; so all together never ask for more than is allowed. What
becomes of the creation is written down: one whose end nobody has heard stays in the book until it
is known that there is no such session.

A creation counts as one of this minute for as long as it is not known what became of it, and for a
minute from then on: the provider counts it from some moment before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

WINDOW_SECONDS = 61.0
"""A minute, and something for clocks that differ."""
SETTLE_SECONDS = 30.0
"""A session that is not to be seen so long after its creation failed does not exist."""
LEASE_SECONDS = 120.0
"""A holder that has given no sign of life for so long is lost."""
LOOK_AGAIN_SECONDS = 2.0
"""How long is waited for a session that another holder has to end first."""

_SHORTEST_WAIT = 0.01


class Standing(StrEnum):
    """How far a reservation has come."""

    RESERVED = "reserved"
    """Its creation has not been answered yet."""
    OPEN = "open"
    DOUBTFUL = "doubtful"
    """Nobody knows whether it was created."""
    ENDING = "ending"
    """It is to be released, and that has not been confirmed."""


_UNDER_WAY = (Standing.RESERVED, Standing.DOUBTFUL)


@dataclass(frozen=True, slots=True)
class Limits:
    """What the provider allows."""

    at_once: int
    a_minute: int


@dataclass(frozen=True, slots=True)
class Lease:
    """One reserved session."""

    name: str
    """Ours; the session carries it as a tag."""
    owner: str
    machine: str
    since: float
    """When it came to stand as it does."""
    seen_at: float
    """When its holder last gave a sign of life."""
    standing: Standing = Standing.RESERVED
    remote: str = ""
    """The provider's name for it, once that is known."""
    items: int = 0
    errors: int = 0
    load: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """What a holder tells of its session."""

    items: int
    errors: int
    load: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why no session may be reserved now."""

    why: str
    wait_seconds: float
    is_full: bool = False
    """Whether another one has to end first."""


@dataclass(frozen=True, slots=True)
class SessionBook:
    """All reservations of an account; each method gives the book after something has happened."""

    leases: tuple[Lease, ...] = ()
    begun: tuple[float, ...] = ()
    """When it was known what became of the creations of the last minute."""
    held_until: float = 0.0
    """The provider has asked to be left alone until then."""

    def refusal(self, now: float, limits: Limits) -> Refusal | None:
        """Say why nothing may be reserved; None where it may."""
        if self.held_until > now:
            wait = max(self.held_until - now, _SHORTEST_WAIT)
            return Refusal("the provider wants to be left alone", wait)
        if len(self.leases) >= limits.at_once:
            why = f"{limits.at_once} sessions are open, as many as may be"
            return Refusal(why, LOOK_AGAIN_SECONDS, is_full=True)
        recent = self._recent(now)
        under_way = sum(one.standing in _UNDER_WAY for one in self.leases)
        if len(recent) + under_way < limits.a_minute:
            return None
        why = f"{limits.a_minute} sessions were begun within a minute, as many as may be"
        return Refusal(why, self._wait_for_minute(recent, under_way, now, limits))

    def reserved(
        self, name: str, owner: str, machine: str, now: float, limits: Limits
    ) -> SessionBook:
        """Reserve a session, if that may be; the same name twice is one reservation."""
        if self.of(name) is not None or self.refusal(now, limits) is not None:
            return self
        lease = Lease(name, owner, machine, since=now, seen_at=now)
        return replace(self, leases=(*self.leases, lease), begun=self._recent(now))

    def of(self, name: str) -> Lease | None:
        """Give a reservation by its name."""
        return next((one for one in self.leases if one.name == name), None)

    def asked(self, name: str, now: float) -> SessionBook:
        """Note that its creation is asked for now: until that has ended, its holder lives."""
        leases = (replace(one, seen_at=now) if one.name == name else one for one in self.leases)
        return replace(self, leases=tuple(leases))

    def opened(self, name: str, remote: str, now: float) -> SessionBook:
        """Note that it was created."""
        return self._answered(name, now)._changed(name, now, Standing.OPEN, remote)

    def doubted(self, name: str, now: float) -> SessionBook:
        """Note that nobody knows whether it was created."""
        return self._changed(name, now, Standing.DOUBTFUL)

    def ending(self, name: str, now: float) -> SessionBook:
        """Note that it is to be released."""
        return self._changed(name, now, Standing.ENDING)

    def ended(self, name: str, now: float) -> SessionBook:
        """Note that it is no more, or never was."""
        book = self._answered(name, now)
        return replace(book, leases=tuple(one for one in book.leases if one.name != name))

    def unused(self, name: str) -> SessionBook:
        """Give back a reservation with which nothing was asked of the provider."""
        return replace(self, leases=tuple(one for one in self.leases if one.name != name))

    def held(self, until: float) -> SessionBook:
        """Note that the provider wants to be left alone."""
        return replace(self, held_until=max(self.held_until, until))

    def renewed(self, told: Mapping[str, Told], owner: str, now: float) -> SessionBook:
        """Note that a holder lives, and how its sessions do."""
        return replace(self, leases=tuple(_renewed(one, told, owner, now) for one in self.leases))

    def taken_over(self, now: float, has_died: Callable[[Lease], bool]) -> SessionBook:
        """Let what lost holders have left be released, or looked for where its name is unknown."""
        book = self
        for one in self.leases:
            if one.standing in (Standing.RESERVED, Standing.OPEN) and _is_lost(one, now, has_died):
                book = book.ending(one.name, now) if one.remote else book.doubted(one.name, now)
        return book

    def to_be_seen_to(self) -> tuple[Lease, ...]:
        """Give what is to be released, and what is to be looked for."""
        settled = (Standing.RESERVED, Standing.OPEN)
        return tuple(one for one in self.leases if one.standing not in settled)

    def _recent(self, now: float) -> tuple[float, ...]:
        # A clock that was set back leaves times to come: they count from now on.
        return tuple(min(at, now) for at in self.begun if at > now - WINDOW_SECONDS)

    def _wait_for_minute(
        self, recent: tuple[float, ...], under_way: int, now: float, limits: Limits
    ) -> float:
        """Wait until so many have left the minute that there is room for one."""
        too_many = len(recent) + under_way - limits.a_minute
        if too_many >= len(recent):  # those under way fill it alone
            return LOOK_AGAIN_SECONDS
        # A wait that is lost in rounding would end where it began.
        return max(sorted(recent)[too_many] + WINDOW_SECONDS - now, _SHORTEST_WAIT)

    def _answered(self, name: str, now: float) -> SessionBook:
        lease = self.of(name)
        if lease is None or lease.standing not in _UNDER_WAY:
            return self
        return replace(self, begun=(*self._recent(now), now))

    def _changed(self, name: str, now: float, to: Standing, remote: str = "") -> SessionBook:
        leases = (
            replace(one, standing=to, since=now, remote=remote or one.remote)
            if one.name == name and one.standing is not to
            else one
            for one in self.leases
        )
        return replace(self, leases=tuple(leases))


def is_settled(lease: Lease, now: float) -> bool:
    """Whether a doubtful session that is nowhere to be seen does not exist."""
    return lease.standing is Standing.DOUBTFUL and now - lease.since >= SETTLE_SECONDS


def _renewed(lease: Lease, told: Mapping[str, Told], owner: str, now: float) -> Lease:
    if lease.owner != owner:
        return lease
    news = told.get(lease.name) or Told(lease.items, lease.errors, lease.load)
    return replace(lease, seen_at=now, items=news.items, errors=news.errors, load=news.load)


def _is_lost(lease: Lease, now: float, has_died: Callable[[Lease], bool]) -> bool:
    return now - lease.seen_at > LEASE_SECONDS or has_died(lease)
