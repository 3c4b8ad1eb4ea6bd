"""Cut the three files into one answer an event: its own pieces of them, word for word.

The files are asked for once and hold everything; what is kept of an event is what an answer of its
own would be, so that it can be read anew at any time without the other thousand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lxml import etree

from n8n_scraper.core.errors import BadContent
from n8n_scraper.sources.hk_events.files import Record, days_of, elements, name_of, record_of
from n8n_scraper.sources.hk_events.names import title_of

_ROOT = "event_pieces"
_ELEMENTS = {
    "venues.xml": ("venues", "venue"),
    "eventDates.xml": ("event_dates", "event"),
    "events.xml": ("events", "event"),
}
"""The root of each file, and what stands in it."""


@dataclass(frozen=True, slots=True)
class Cut:
    """What the three files hold of one event."""

    event_id: str
    title: str | None
    body: bytes


@dataclass(slots=True)
class Pieces:
    """What the pieces of one event say."""

    record: Record = field(default_factory=dict)
    days: list[str] | None = None
    """None where the dates file does not know the event."""
    venues: dict[str, Record] = field(default_factory=dict)


def cut(venues: bytes, dates: bytes, events: bytes) -> list[Cut]:
    """Cut the files; BadContent with the name of the first of them that is not whole."""
    of_venue = {key: _text(one) for key, one in _elements("venues.xml", venues)}
    of_dates = {key: _text(one) for key, one in _elements("eventDates.xml", dates)}
    found = {}
    for key, one in _elements("events.xml", events):
        record = record_of(one)
        venue_id = record.get("venueid", "").strip()
        body = _body(_text(one), of_dates.get(key, ""), of_venue.get(venue_id, ""))
        found[key] = Cut(key, title_of(record), body)
    return list(found.values())


def _elements(file: str, body: bytes) -> Iterator[tuple[str, etree._Element]]:
    try:
        yield from elements(body, *_ELEMENTS[file])
    except BadContent as error:
        raise BadContent(f"{file}: {error}") from None


def read_pieces(body: bytes, asked: str) -> Pieces:
    """Read what was cut; BadContent where it is not that of the event asked for."""
    if not asked.isascii() or not asked.isdecimal():
        raise BadContent(f"{asked!r} is no number, and so no id of an event")
    pieces, seen = Pieces(), set()
    for section, key, one in _sections(body):
        seen.add((section, key))
        match section:
            case "events":
                pieces.record = record_of(one)
            case "event_dates":
                pieces.days = days_of(one)
            case "venues":
                pieces.venues[key] = record_of(one)
    if ("events", asked) not in seen:
        raise BadContent(f"no pieces of event {asked}")
    return pieces


def _sections(body: bytes) -> Iterable[tuple[str, str, etree._Element]]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(body, parser)
    except etree.XMLSyntaxError as error:
        raise BadContent(f"not whole pieces of an event: {error.msg}") from None
    for section in root:
        for one in section:
            yield name_of(section), (one.get("id") or "").strip(), one


def _text(element: etree._Element) -> str:
    return etree.tostring(element, encoding="unicode", with_tail=False)


def _body(event: str, dates: str, venue: str) -> bytes:
    sections: Mapping[str, str] = {"events": event, "event_dates": dates, "venues": venue}
    inside = "\n".join(f"<{name}>{text}</{name}>" for name, text in sections.items())
    return f"<{_ROOT}>\n{inside}\n</{_ROOT}>\n".encode()
