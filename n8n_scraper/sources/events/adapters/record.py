"""An object of JSON by its keys, and when what it tells of takes place."""

from __future__ import annotations

import re
from typing import Any

from n8n_scraper.reading.moments import in_order
from n8n_scraper.reading.values import Occurrence
from n8n_scraper.reading.whens import Calendar, When, read_from_to, read_when
from n8n_scraper.sources.events.adapters import keys
from n8n_scraper.sources.events.adapters.values import all_words, words, yes_or_no

Record = dict[str, Any]
"""An object by its keys, in small letters and without signs."""

_A_DATE = re.compile(r"\d")
_BEGINS_WITH_A_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MOST_DEEP = 3


def simple(record: dict[str, Any]) -> Record:
    """Give an object with its keys written in one way."""
    return {keys.simple(str(key)): value for key, value in record.items()}


def first(record: Record, names: tuple[str, ...]) -> Any:
    """Give the first value that says anything."""
    return next(
        (record[name] for name in names if record.get(name) not in (None, "", [], {})), None
    )


def when_of(record: Record, calendar: Calendar, *, alone: bool = False) -> When | None:
    """Give when it is: from a beginning and an end, from several of them, or from words.

    What is one of several already (`alone`) has no several of its own.
    """
    start, end = (
        _with_time(record, names, times)
        for names, times in ((keys.START, keys.START_TIME), (keys.END, keys.END_TIME))
    )
    several = first(record, keys.TIMES)
    if start is None and isinstance(several, list) and not alone:
        return _of_several(several, calendar)
    if start is not None:
        found = _from_to(record, start, end, calendar)
        if found.occurrences or first(record, keys.WHEN) is None:
            return found
    told = _told(record)
    if told is None or not _A_DATE.search(told):
        return None
    time = words(first(record, keys.TIME))
    return read_when(f"{told} {time}" if time and time not in told else told, calendar)


def _from_to(record: Record, start: str, end: str | None, calendar: Calendar) -> When:
    """Read both as days where the object says so; calendars name the day after the last then."""
    whole_days = yes_or_no(first(record, keys.ALL_DAY)) or False
    told_in_days = isinstance(record.get("start"), dict) and "date" in record["start"]
    if whole_days:
        start, end = _day_of(start), end and _day_of(end)
    exclusive = "end" in record and (told_in_days or "allday" in record)
    return read_from_to(start, end, calendar, end_is_exclusive=exclusive)


def _day_of(moment: str) -> str:
    return moment[:10] if _BEGINS_WITH_A_DAY.match(moment) else moment


def _told(record: Record) -> str | None:
    """Give the words about time; the day on which a thing was published is none."""
    names: tuple[str, ...] = keys.WHEN
    if record.keys() & keys.PUBLISHED:
        names = tuple(name for name in names if name not in ("date", "datetime"))
    return _words_of_date(first(record, names))


def _with_time(record: Record, names: tuple[str, ...], times: tuple[str, ...]) -> str | None:
    """Join a day and the time of it that stands in a field of its own."""
    day = _words_of_date(first(record, names))
    time = words(first(record, times))
    if day and time and len(day) <= 10 and ":" in time and len(time) <= 8:
        return f"{day} {time}"
    return day


def _of_several(several: list[Any], calendar: Calendar) -> When | None:
    occurrences: list[Occurrence] = []
    told, doubts = list[str](), list[str]()
    for one in several[:500]:
        if isinstance(one, dict):
            found = when_of(simple(one), calendar, alone=True)
        else:
            found = read_when(text, calendar) if (text := words(one)) else None
        if found:
            told.append(found.words)
            doubts += found.doubts
            occurrences += found.occurrences
    return When("; ".join(told), in_order(occurrences), tuple(doubts)) if told else None


def _words_of_date(value: Any, deep: int = 0) -> str | None:
    if isinstance(value, dict):
        inner = simple(value)
        if deep < _MOST_DEEP and isinstance(inner.get("start"), dict):
            return _words_of_date(inner["start"], deep + 1)
        day, time = words(inner.get("localdate")), words(inner.get("localtime"))
        if day and time:
            return f"{day} {time}"
        names = ("datetime", "utc", "local", "date", "localdate", "iso", "start", "value", "raw")
        return next((told for name in names if (told := words(inner.get(name)))), None)
    if isinstance(value, list):
        return ", ".join(all_words(value)) or None
    return words(value)


def zone_within(value: Any) -> str | None:
    """Give the zone that stands beside a time."""
    return (
        words(value.get("timeZone") or value.get("timezone")) if isinstance(value, dict) else None
    )


def is_dated(record: Record) -> bool:
    """Whether it has anything that can be a day."""
    given = _words_of_date(first(record, keys.START)) or _told(record)
    return bool(_A_DATE.search(given or "")) or any(
        isinstance(record.get(name), list) for name in keys.TIMES
    )
