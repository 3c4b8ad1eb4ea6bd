"""Make one of what several places say of an event, field by field, the better place winning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from n8n_scraper.sources.events.found import Found, Place

_TO_PEOPLE = ("feed", "microformats", "open graph", "selectors", "address")
"""The places that say least, from the best; all others tell programs, and come before them."""

_OF_TIME = ("start", "end", "all_day", "occurrences", "when", "doubts", "timezone")
"""What is read of the same words: it comes from one place, or does not fit together."""

_WHOLE = ("title", "url", "detail_url", "source_event_id", "description", "images", "categories")
_ALONE = (*_WHOLE, "organiser", "status", "price")


@dataclass(frozen=True, slots=True)
class Said:
    """What one page says of an event."""

    page: str
    """The part of the event that the page is: its detail goes before the list."""
    found: Found


def merged(pages: Sequence[Said]) -> tuple[Found, dict[str, str]]:
    """Give what all of them say, and for each field where it stands: the better page first."""
    chosen: dict[str, Any] = {}
    where: dict[str, str] = {}
    for name in _ALONE:
        _take(name, _best(pages, name, name), chosen, where)
    best = _best(pages, "start", "start") or _best(pages, "when", "when")
    for name in _OF_TIME:
        _take(name, best, chosen, where)
    if best is None:
        chosen["timezone"] = pages[0].found.timezone
    _take("venue", _best(pages, "venue", "venue"), chosen, where)
    if "venue" in chosen:
        chosen["venue"] = _completed(chosen["venue"], pages)
    return replace(Found(timezone=chosen.pop("timezone")), **chosen, sources={}), where


def _best(pages: Sequence[Said], name: str, read_of: str) -> Said | None:
    having = [one for one in pages if _holds(getattr(one.found, name))]
    return min(having, key=lambda one: _rank(one.found.sources, read_of), default=None)


def _take(name: str, best: Said | None, chosen: dict[str, Any], where: dict[str, str]) -> None:
    if best is None or not _holds(value := getattr(best.found, name)):
        return
    chosen[name] = value
    if place := best.found.sources.get(name):
        where[name] = f"{best.page} {place}"


def _rank(sources: Mapping[str, str], name: str) -> int:
    place = sources.get(name, "").partition(",")[0]
    return _TO_PEOPLE.index(place) + 1 if place in _TO_PEOPLE else 0


def _completed(place: Place, pages: Sequence[Said]) -> Place:
    """Fill what the best place leaves open from those that speak of the same venue."""
    for other in (one.found.venue for one in pages):
        if other is None or (place.name and other.name and place.name != other.name):
            continue
        lacking = {
            one.name: getattr(other, one.name)
            for one in fields(Place)
            if getattr(place, one.name) is None
        }
        place = replace(place, **lacking)
    return place


def _holds(value: object) -> bool:
    return value is not None and value not in ("", ())
