"""Invent events in the shapes of the open data, and know what is true of each.

An event is drawn up first as days and times; what the files say of it is written from that, the
way people write it, so that a reader can be held to the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from xml.sax.saxutils import escape
from zoneinfo import ZoneInfo

from n8n_scraper.sources.hk_events.item import TIMEZONE

_FIRST_DAY = date(2026, 1, 5)
_FIRST_ID = 180_001
_NEVER = "20990101"
_NAMES = (
    ("Nocturnes by Lamplight", "燈下夜曲"),
    ("Paper Boats &amp; Other Stories", "紙船故事"),
    ("Drums of the Harbour", "海港鼓樂"),
    ("Storytelling for Children", "兒童故事"),
    ("--", "書法班"),
    ("The Long Way Home (Cancelled)", "歸途（取消）"),
    ("Shadow Puppets\tfrom the North", "北方皮影&nbsp;"),
)
_PRICES: tuple[tuple[str, tuple[float, ...] | None, bool | None], ...] = (
    ("", None, None),
    ("Free Activities", (), True),
    ("$1,280, 880, 680", (1280, 880, 680), False),
    ("$180,100", (180, 100), False),
    ("Admission by enrollment", None, None),
    ("$480, $280*", (480, 280), False),
)
_VENUES: Mapping[str, tuple[str, str, str]] = {
    "1": ("City Hall (Concert Hall)", "22.2822", "114.1617"),
    "2": ("Harbour Library", "", ""),
    "3": ("Hillside Theatre", "22.3759", "114.1090"),
}


@dataclass(frozen=True, slots=True)
class Showing:
    """One time that an invented event takes place; without a time of day it lasts all day."""

    day: date
    start: time | None = None
    end: time | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """What has happened to the stock since it was first seen."""

    added: int = 0
    removed: frozenset[str] = frozenset()
    retitled: Mapping[str, str] = field(default_factory=dict)
    edited: Mapping[str, int] = field(default_factory=dict)
    """The revision of an event by its id: a sentence of its description differs."""


@dataclass(frozen=True, slots=True)
class InventedEvent:
    """An event, what the files say of it, and what is true."""

    event_id: str
    title: str
    title_zh: str
    words: str
    showings: Sequence[Showing]
    listed: Sequence[str]
    """The days of the dates file, as it writes them."""
    venue_id: str
    price: str
    amounts: tuple[float, ...] | None
    is_free: bool | None

    @property
    def start(self) -> datetime | None:
        """When it begins, in Hong Kong's time."""
        if not self.showings:
            return None
        first = self.showings[0]
        return datetime.combine(first.day, first.start or time(), ZoneInfo(TIMEZONE))


class InventedEvents:
    """A stock of so many events; the same seed gives the same."""

    def __init__(self, number: int = 60, seed: int = 1, changes: Changes | None = None) -> None:
        self.changes = changes or Changes()
        drafts = (_event(position, seed) for position in range(number + self.changes.added))
        self.events = {
            one.event_id: one for one in drafts if one.event_id not in self.changes.removed
        }

    def title(self, event: InventedEvent) -> str:
        """The English title that the files give it by now."""
        return self.changes.retitled.get(event.event_id, event.title)

    def description(self, event: InventedEvent) -> str:
        """What the files describe it with by now."""
        revision = self.changes.edited.get(event.event_id)
        said = f"An evening at {_VENUES[event.venue_id][0]}.\n\nAll are welcome."
        return f"{said} Revision {revision}." if revision else said

    def events_file(self) -> bytes:
        """What `events.xml` holds."""
        return _file("events", (self._record(event) for event in self.events.values()))

    def dates_file(self) -> bytes:
        """What `eventDates.xml` holds."""
        return _file(
            "event_dates",
            (
                _element("event", event.event_id, (("indate", day) for day in event.listed))
                for event in self.events.values()
            ),
        )

    def venues_file(self) -> bytes:
        """What `venues.xml` holds."""
        return _file(
            "venues",
            (
                _element(
                    "venue",
                    venue_id,
                    (("venuec", ""), ("venuee", name), ("latitude", north), ("longitude", east)),
                )
                for venue_id, (name, north, east) in _VENUES.items()
            ),
        )

    def _record(self, event: InventedEvent) -> str:
        return _element(
            "event",
            event.event_id,
            (
                ("titlec", event.title_zh),
                ("titlee", self.title(event)),
                ("cat1", "inc4"),
                ("cat2", "inc4sc2"),
                ("predateE", event.words),
                ("progtimee", "Not Applicable"),
                ("venueid", event.venue_id),
                ("pricee", event.price),
                ("desce", self.description(event)),
                ("urle", f"https://events.example.org/{event.event_id}"),
                ("presenterorge", "Presented by the Lamplight Society"),
                ("submitdate", "2025-12-10 11:16:10.000"),
            ),
        )


def _event(position: int, seed: int) -> InventedEvent:
    turn = position + seed
    first = _FIRST_DAY + timedelta(days=7 * (position % 20))  # a Monday
    words, showings, listed = _SHAPES[turn % len(_SHAPES)](first)
    title, title_zh = _NAMES[turn % len(_NAMES)]
    price, amounts, is_free = _PRICES[turn % len(_PRICES)]
    return InventedEvent(
        str(_FIRST_ID + position),
        title,
        title_zh,
        words,
        tuple(showings),
        tuple(listed if listed is not None else dict.fromkeys(map(_listed, showings))),
        list(_VENUES)[turn % len(_VENUES)],
        price,
        amounts,
        is_free,
    )


_Shape = tuple[str, list[Showing], list[str] | None]


def _one_evening(first: date) -> _Shape:
    return f"{first:%d/%m/%Y}({first:%a}) 19:30", [Showing(first, time(19, 30))], None


def _two_evenings(first: date) -> _Shape:
    second = first + timedelta(days=1)
    words = f"{first:%d/%m/%Y} ({first:%a}) 8pm\n{second:%d/%m/%Y} ({second:%a}) 3pm &7:30pm"
    return words, [
        Showing(first, time(20)), Showing(second, time(15)), Showing(second, time(19, 30))
    ], None  # fmt: skip


def _every_week(first: date) -> _Shape:
    days = [first + timedelta(weeks=week) for week in range(5)]
    words = (
        f"{first.day} {first:%b} {first.year} to {days[-1].day} {days[-1]:%b} {days[-1].year} "
        f"(Every Mon) 12:00nn-2:00pm (Except {days[2].day}/{days[2].month})"
    )
    return words, [Showing(day, time(12), time(14)) for day in days if day != days[2]], None


def _an_exhibition(first: date) -> _Shape:
    days = [first + timedelta(days=step) for step in range(4)]
    return f"{first:%d/%m/%Y} - {days[-1]:%d/%m/%Y}", [Showing(day) for day in days], None


def _never(_first: date) -> _Shape:
    return "31/5/2024 - 3/11/2024", [], [_NEVER]


_SHAPES: tuple[Callable[[date], _Shape], ...] = (
    _one_evening, _two_evenings, _every_week, _an_exhibition, _never,
)  # fmt: skip


def _listed(showing: Showing) -> str:
    return f"{showing.day:%Y%m%d}"


def _file(root: str, elements: Iterator[str]) -> bytes:
    body = "\n".join(elements)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root}>\n{body}\n</{root}>\n'.encode()


def _element(
    kind: str, identity: str, fields: Iterator[tuple[str, str]] | Sequence[tuple[str, str]]
) -> str:
    inner = "".join(
        f"<{name}><![CDATA[{text}]]></{name}>" if text else f"<{name} />" for name, text in fields
    )
    return f'  <{kind} id="{escape(identity)}">{inner}</{kind}>'
