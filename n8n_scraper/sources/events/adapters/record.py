"""An object of JSON by its keys, and when what it tells of takes place."""

from __future__ import annotations

import re
from typing import Any

from n8n_scraper.reading.moments import in_order
from n8n_scraper.reading.values import Occurrence
from n8n_scraper.reading.whens import Calendar, When, read_from_to, read_when
from n8n_scraper.sources.events.adapters import keys
from n8n_scraper.sources.events.adapters.values import all_words, words

Record = dict[str, Any]
"""An object by its keys, in small letters and without signs."""

_A_DATE = re.compile(r"\d")


def simple(record: dict[str, Any]) -> Record:
    """Give an object with its keys written in one way."""
    return {keys.simple(str(key)): value for key, value in record.items()}


def first(record: Record, names: tuple[str, ...]) -> Any:
    """Give the first value that says anything."""
    return next(
        (record[name] for name in names if record.get(name) not in (None, "", [], {})), None
    )


def when_of(record: Record, calendar: Calendar) -> When | None:
    """Give when it is: from a beginning and an end, from several of them, or from words."""
    start, end = (
        _with_time(record, names, times)
        for names, times in ((keys.START, keys.START_TIME), (keys.END, keys.END_TIME))
    )
    if start is None and (several := first(record, keys.TIMES)) and isinstance(several, list):
        return _of_several(several, calendar)
    if start is not None:
        found = read_from_to(start, end, calendar)
        if found.occurrences or first(record, keys.WHEN) is None:
            return found
    told = _words_of_date(first(record, keys.WHEN))
    if told is None or not _A_DATE.search(told):
        return None
    time = words(first(record, keys.TIME))
    return read_when(f"{told} {time}" if time and time not in told else told, calendar)


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
            found = when_of(simple(one), calendar)
        else:
            found = read_when(text, calendar) if (text := words(one)) else None
        if found:
            told.append(found.words)
            doubts += found.doubts
            occurrences += found.occurrences
    return When("; ".join(told), in_order(occurrences), tuple(doubts)) if told else None


def _words_of_date(value: Any) -> str | None:
    if isinstance(value, dict):
        inner = simple(value)
        names = ("datetime", "utc", "local", "date", "iso", "start", "value", "raw", "rendered")
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
    given = first(record, keys.START + keys.WHEN)
    return bool(_A_DATE.search(_words_of_date(given) or "")) or any(
        isinstance(record.get(name), list) for name in keys.TIMES
    )
