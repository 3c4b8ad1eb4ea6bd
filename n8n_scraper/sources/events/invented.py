"""Invent events for each of the ten sites, and know what is true of each.

An event is drawn up as days and times; its page is written of that as its site writes it, so that
a reader can be held to the truth. All of them lie ahead: a day without a year can mean one only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

SITES: Mapping[str, str] = {
    **dict.fromkeys(("mgto", "broadway", "galaxy", "venetian", "londoner"), "Asia/Macau"),
    **dict.fromkeys(("timable", "studio_city", "mgm"), "Asia/Macau"),
    **dict.fromkeys(("asiaworld_expo", "hk_coliseum"), "Asia/Hong_Kong"),
}
"""The sites, each with the zone that its times are in."""

_AHEAD = timedelta(days=9)
_WEEK = timedelta(days=7)
_NAMES = (
    *("Lanterns on the Pier", "The Paper Orchestra", "Midnight Puppets", "Songs of the Ferry"),
    *("A Garden of Glass", "The Quiet Drummers", "Clockwork Circus", "Letters from the Tower"),
)
_VENUES = ("Harbour Hall", "The Round Theatre", "Pier Seven")
_KINDS = ("Concert", "Exhibition", "Conference")
_PRICES = ((380.0, 1280.0), (488.0, 488.0), (0.0, 0.0))


@dataclass(frozen=True, slots=True)
class Changes:
    """What has happened to the stock since it was first seen; an event is named by its key."""

    added: int = 0
    """How many more each site has."""
    removed: frozenset[str] = frozenset()
    cancelled: frozenset[str] = frozenset()
    moved: Mapping[str, int] = field(default_factory=dict)
    """By so many days."""
    retitled: Mapping[str, str] = field(default_factory=dict)
    drawn: frozenset[str] = frozenset()
    """Whose page has lost its structured data, so that a script alone puts them there."""
    empty: frozenset[str] = frozenset()
    """The sites that list nothing."""


@dataclass(frozen=True, slots=True)
class Invented:
    """An event, and what is true of it."""

    site: str
    number: int
    title: str
    days: Sequence[date]
    begins: time
    ends: time
    venue: str
    kind: str
    lowest: float
    highest: float
    is_cancelled: bool = False
    is_drawn: bool = False

    @property
    def key(self) -> str:
        """What it is called in addresses, and what changes name it by."""
        return f"{self.site}-{self.number}"

    @property
    def description(self) -> str:
        """What is said of it."""
        return f"Number {self.number} of a season that was never played, at {self.venue}."

    @property
    def start(self) -> datetime:
        """When it begins, in UTC."""
        return self.at(self.days[0], self.begins)

    @property
    def end(self) -> datetime:
        """When it ends, in UTC."""
        return self.at(self.days[-1], self.ends)

    def at(self, day: date, clock: time) -> datetime:
        """A time of its site's, in UTC."""
        return datetime.combine(day, clock, ZoneInfo(SITES[self.site])).astimezone(UTC)

    def local(self, moment: datetime) -> str:
        """A moment as programs write it, with its offset."""
        return moment.astimezone(ZoneInfo(SITES[self.site])).isoformat()


class InventedSites:
    """So many events a site; the same seed gives the same on the same day."""

    def __init__(self, number: int = 6, seed: int = 1, changes: Changes | None = None) -> None:
        self.changes = changes or Changes()
        self.number = number + self.changes.added
        self.seed = seed
        self.first_day = datetime.now(UTC).date() + _AHEAD

    def events(self, site: str) -> list[Invented]:
        """The events that a site lists by now, in the order of their days."""
        if site in self.changes.empty:
            return []
        drafts = (self._event(site, number) for number in range(1, self.number + 1))
        return [one for one in drafts if one.key not in self.changes.removed]

    def event(self, site: str, key: str) -> Invented | None:
        """The event of a key; None where the site has none."""
        return next((one for one in self.events(site) if one.key == key), None)

    def _event(self, site: str, number: int) -> Invented:
        key, turn = f"{site}-{number}", number + self.seed + list(SITES).index(site)
        first = self.first_day + number * _WEEK + timedelta(days=self.changes.moved.get(key, 0))
        lowest, highest = _PRICES[turn % len(_PRICES)]
        return Invented(
            site=site,
            number=number,
            title=self.changes.retitled.get(key, f"{_NAMES[turn % len(_NAMES)]} {number}"),
            days=[first + timedelta(days=step) for step in range(1 + turn % 2)],
            begins=time(18 + turn % 3, 30 * (turn % 2)),
            ends=time(22),
            venue=_VENUES[turn % len(_VENUES)],
            kind=_KINDS[turn % len(_KINDS)],
            lowest=lowest,
            highest=highest,
            is_cancelled=key in self.changes.cancelled,
            is_drawn=key in self.changes.drawn,
        )
