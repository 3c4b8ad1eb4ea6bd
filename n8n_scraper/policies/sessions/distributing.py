"""Give each session the items that it is to visit.

Nothing is asked of anybody here: the same items, sessions and options give the same shares. What
fits nowhere is told, with the reason, so that "nothing to do" and "nobody to do it" are two things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from n8n_scraper.policies.sessions.session import Item, Session, Site, fits


class Strategy(StrEnum):
    """By what a session is chosen among those that fit."""

    ROUND_ROBIN = "round-robin"
    DOMAIN_AFFINITY = "domain-affinity"
    LEAST_LOADED = "least-loaded"


class Why(StrEnum):
    """Why an item has no session."""

    NO_SESSION = "there is no session at all"
    NO_FIT = "no session fits its site"
    FULL = "the sessions that fit have enough"
    SITE_AT_LIMIT = "as many sessions visit its site as may"


@dataclass(frozen=True, slots=True)
class Options:
    """How items are given out."""

    strategy: Strategy = Strategy.ROUND_ROBIN
    max_items_per_session: int | None = None
    prioritize_domains: tuple[str, ...] = ()
    """Their items go first, in this order."""
    sites: Mapping[str, Site] = field(default_factory=dict)
    """What is known of sites, by registrable domain."""
    now: float = 0.0
    """What failed may be tried again up to this time."""


@dataclass(frozen=True, slots=True)
class SessionItems:
    """What one session is to visit, in this order."""

    session: Session
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Unmatched:
    """An item that is to be visited, and that no session has."""

    item: Item
    why: Why


@dataclass(frozen=True, slots=True)
class Distribution:
    """All shares, one for each session, and what is left over."""

    entries: tuple[SessionItems, ...]
    unmatched: tuple[Unmatched, ...]

    @property
    def lacks_capacity(self) -> bool:
        """Whether there is work for which there is no session at all."""
        return bool(self.unmatched) and not self.entries

    @property
    def is_done(self) -> bool:
        """Whether nothing is to be visited any more."""
        return not self.unmatched and not any(entry.items for entry in self.entries)


def items_to_sessions(
    items: Iterable[Item], sessions: Sequence[Session], options: Options | None = None
) -> list[SessionItems]:
    """Give exactly one entry for each session, in their order."""
    return list(distribute(items, sessions, options).entries)


def distribute(
    items: Iterable[Item], sessions: Sequence[Session], options: Options | None = None
) -> Distribution:
    """The same, with what no session has."""
    table = _Table(sessions, options or Options())
    left = [
        Unmatched(item, why)
        for item in _in_turn(items, table.options)
        if (why := table.seat(item)) is not None
    ]
    entries = tuple(SessionItems(one.session, tuple(one.items)) for one in table.places)
    return Distribution(entries, tuple(left))


def _in_turn(items: Iterable[Item], options: Options) -> list[Item]:
    """Give what is to be visited, each item once, in the order in which it is seated."""
    pending: dict[tuple[str, str], Item] = {}
    for item in items:
        pending.setdefault((item.run, item.url), item)
    rank = {domain: place for place, domain in enumerate(options.prioritize_domains)}
    due = [item for item in pending.values() if item.is_pending(options.now)]
    return sorted(due, key=lambda item: rank.get(item.domain, len(rank)))


@dataclass(slots=True)
class _Place:
    session: Session
    number: int
    room: float
    items: list[Item] = field(default_factory=list)
    domains: set[str] = field(default_factory=set)


class _Table:
    """The sessions, and what each has been given so far."""

    def __init__(self, sessions: Sequence[Session], options: Options) -> None:
        self.options = options
        self.places = [
            _Place(one, number, _room(one, options), domains=set(one.domains))
            for number, one in enumerate(sessions)
        ]
        self._key: Callable[[_Place], tuple[int, ...]] = _BY[options.strategy]

    def seat(self, item: Item) -> Why | None:
        """Give an item to the best of the sessions that may have it; else say why none has it."""
        domain, site = item.domain, self.options.sites.get(item.domain)
        fitting = [place for place in self.places if fits(place.session, item, site)]
        if not fitting:
            return Why.NO_FIT if self.places else Why.NO_SESSION
        theirs = self._sessions_it_must_keep_to(fitting, item, site)
        admitted = fitting if theirs is None else theirs
        free = [place for place in admitted if len(place.items) < place.room]
        if not free:
            return Why.FULL if theirs is None else Why.SITE_AT_LIMIT
        chosen = min(free, key=self._key)
        chosen.items.append(item)
        chosen.domains.add(domain)
        return None

    def _sessions_it_must_keep_to(
        self, fitting: list[_Place], item: Item, site: Site | None
    ) -> list[_Place] | None:
        """Give the sessions that its site has, where it may have no further one; else None."""
        theirs = [place for place in fitting if item.domain in place.domains]
        if theirs and self.options.strategy is Strategy.DOMAIN_AFFINITY:
            return theirs
        if site is None or self._sessions_of(item.domain) < site.session_limit:
            return None
        return theirs

    def _sessions_of(self, domain: str) -> int:
        return sum(domain in place.domains for place in self.places)


def _room(session: Session, options: Options) -> float:
    most = [given for given in (session.room, options.max_items_per_session) if given is not None]
    return min(most, default=float("inf"))


def _fewest(place: _Place) -> tuple[int, ...]:
    return len(place.items), place.session.load, place.number


def _least_load(place: _Place) -> tuple[int, ...]:
    return place.session.load + len(place.items), place.number


_BY: Mapping[Strategy, Callable[[_Place], tuple[int, ...]]] = {
    Strategy.ROUND_ROBIN: _fewest,
    Strategy.DOMAIN_AFFINITY: _fewest,
    Strategy.LEAST_LOADED: _least_load,
}
