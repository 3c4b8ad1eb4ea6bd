"""Join what several places of a page say of one event: for each field the better place counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from n8n_scraper.reading.moments import in_order
from n8n_scraper.sources.events.found import Found, Place

_TIMES = ("start", "end", "all_day", "occurrences", "when", "doubts")
_JOINED = frozenset((*_TIMES, "sources", "timezone", "venue"))
_MOST_ALIKE = 40


def merged(found: Iterable[Found]) -> list[Found]:
    """Give each event once; `found` has the better places first."""
    kept: list[Found] = []
    at: dict[tuple[str, str], list[int]] = {}
    for one in found:
        number = _number_of_same(one, kept, at)
        if number is None:
            number = len(kept)
            kept.append(one)
        else:
            kept[number] = _joined(kept[number], one)
        for key in _keys(kept[number]):
            numbers = at.setdefault(key, [])
            if number not in numbers[-_MOST_ALIKE:]:
                numbers.append(number)
    return kept


def _number_of_same(
    one: Found, kept: list[Found], at: dict[tuple[str, str], list[int]]
) -> int | None:
    alike = (number for key in _keys(one) for number in at.get(key, [])[-_MOST_ALIKE:])
    return next((number for number in alike if _is_same(kept[number], one)), None)


def _keys(one: Found) -> list[tuple[str, str]]:
    """Give what two notices of one event have in common, the surest first."""
    found = [("title", _simple(one.title or ""))]
    if one.url:
        found.insert(0, ("url", _bare(one.url)))
    if one.source_event_id:
        found.insert(0, ("id", one.source_event_id))
    return found


def _is_same(one: Found, other: Found) -> bool:
    """Whether both are of one event: nothing that both tell is against it, and something for it."""
    titles = sorted((_simple(one.title or ""), _simple(other.title or "")), key=len)
    same_url = bool(one.url and other.url) and _bare(one.url or "") == _bare(other.url or "")
    same_id = one.source_event_id is not None and one.source_event_id == other.source_event_id
    if one.sources.get("title") == other.sources.get("title"):
        known_as_another = _differ(one.source_event_id, other.source_event_id) or (
            bool(one.url and other.url) and not same_url
        )
        if known_as_another or titles[0] != titles[1] or not _venues_fit(one, other):
            return False
        return same_id or same_url or _days_fit(one, other)
    if titles[0] != titles[1] and not (same_url and titles[1].startswith(titles[0])):
        return False
    return _days_fit(one, other)


def _differ(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other


def _venues_fit(one: Found, other: Found) -> bool:
    return not (one.venue and other.venue and _differ(one.venue.name, other.venue.name))


def _days_fit(one: Found, other: Found) -> bool:
    """Whether both tell a day in common, or one of them tells none."""
    days, others = _days(one), _days(other)
    return not days or not others or bool(days & others)


def _days(one: Found) -> set[date]:
    zone = ZoneInfo(one.timezone)
    return {occurrence.start.astimezone(zone).date() for occurrence in one.occurrences[:400]}


def _joined(better: Found, other: Found) -> Found:
    """Fill what the better one lacks with what the other has."""
    changes: dict[str, Any] = {}
    sources = dict(better.sources)
    for field in fields(Found):
        name = field.name
        if name not in _JOINED and getattr(better, name) in (None, ()) and getattr(other, name):
            changes[name] = getattr(other, name)
            sources[name] = other.sources[name]
    changes |= _times(better, other, sources)
    if other.venue:
        changes["venue"] = _place(better.venue, other.venue)
        sources.setdefault("venue", other.sources["venue"])
    return replace(better, **changes, sources=sources)


def _times(better: Found, other: Found, sources: dict[str, str]) -> dict[str, Any]:
    if other.start is None:
        return {}
    if better.start is None:
        return _of_the_other(other, sources) | {"doubts": (*other.doubts, *better.doubts)}
    if better.sources.get("title") == other.sources.get("title"):
        return _of_both(better, other)
    if better.all_day and other.all_day is False:  # it tells the time of the same day
        return _of_the_other(other, sources)
    if better.start != other.start and not other.all_day:
        doubt = f"{other.sources['start']} says that it begins at {other.start:%Y-%m-%dT%H:%MZ}"
        return {"doubts": tuple(dict.fromkeys((*better.doubts, doubt)))}
    if better.end is None and other.end is not None:
        sources["end"] = other.sources["end"]
        return {"end": other.end}
    return {}


def _of_the_other(other: Found, sources: dict[str, str]) -> dict[str, Any]:
    sources.update({name: other.sources[name] for name in _TIMES if name in other.sources})
    return {name: getattr(other, name) for name in _TIMES}


def _of_both(better: Found, other: Found) -> dict[str, Any]:
    times = in_order((*better.occurrences, *other.occurrences))
    ends = [one.end for one in times if one.end]
    kinds = {one.all_day for one in times}
    return {
        "occurrences": times,
        "start": times[0].start,
        "end": max(ends) if times[-1].end else None,
        "all_day": kinds.pop() if len(kinds) == 1 else None,
    }


def _place(better: Place | None, other: Place) -> Place:
    if better is None:
        return other
    if better.latitude is None:
        better = replace(better, latitude=other.latitude, longitude=other.longitude)
    lacking = {
        name: getattr(other, name)
        for name in ("name", "address", "city")
        if getattr(better, name) is None
    }
    return replace(better, **lacking)


def _bare(url: str) -> str:
    """Leave out of an address what only says how somebody came there."""
    address, _, query = url.partition("#")[0].partition("?")
    kept = [part for part in query.split("&") if part and not part.lower().startswith("utm_")]
    return "?".join([address.rstrip("/").lower(), *(["&".join(kept)] if kept else [])])


def _simple(title: str) -> str:
    return "".join(sign for sign in title.lower() if sign.isalnum())
