"""Find in words, or in lines among other lines, when something takes place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from zoneinfo import ZoneInfo

from n8n_scraper.reading.moments import between, occurrences_of, read_point
from n8n_scraper.reading.schedule import Unreadable, read_schedule
from n8n_scraper.reading.schedule_tokens import Kind
from n8n_scraper.reading.schedule_words import tokens
from n8n_scraper.reading.values import Occurrence

_DATED = (Kind.DAY, Kind.MONTH, Kind.TIME, Kind.YEAR, Kind.WEEKDAY, Kind.REST_OF_DATE)
_TO = re.compile(r"\s+(?:to|until|till|[-–—~])\s+|\s*至\s*", re.IGNORECASE)
_MOST_OF_TWO = 200
_SLASHED = re.compile(r"(?<!\d)(\d{1,2})/(\d{1,2})/20\d{2}(?!\d)")


@dataclass(frozen=True, slots=True)
class When:
    """When something takes place, the words that say so, and what in them is doubtful."""

    words: str
    occurrences: tuple[Occurrence, ...] = ()
    doubts: tuple[str, ...] = ()
    year_by: str | None = None
    """What told the year, where the words did not."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """What has to be known to read days and times."""

    zone: ZoneInfo
    today: date | None = None
    month_first: bool | None = False
    """Whether "12/6/2017" is in December; None where nobody knows."""
    year: int | None = None
    """The year that a heading above the words tells."""


def read_when(words: str, calendar: Calendar) -> When:
    """Read the words, of a person or of a program; what is not understood is a doubt."""
    words = words.strip()
    if point := read_point(words, calendar.zone):
        occurrence, doubts = between(point, None, calendar.zone)
        return When(words, (occurrence,), tuple(doubts))
    if calendar.month_first is None and _reads_both_ways(words):
        return When(words, doubts=("the day and the month could be either",))
    try:
        schedule = read_schedule(
            words,
            today=calendar.today,
            year=calendar.year,
            month_first=bool(calendar.month_first),
        )
    except Unreadable as error:
        whole = _from_moment_to_moment(words, calendar)
        return whole or When(words, doubts=(f"not understood: {error}",))
    found = occurrences_of(schedule, calendar.zone)
    return When(words, found, schedule.doubts, schedule.year_by)


def read_from_to(
    start: str, end: str | None, calendar: Calendar, *, end_is_exclusive: bool = False
) -> When:
    """Read a beginning and an end that stand apart.

    `end_is_exclusive` says of an end that is a day whether it is the one after the last.
    """
    first = read_point(start, calendar.zone)
    last = read_point(end, calendar.zone) if end else None
    if first is None:
        joined = f"{start} - {end}" if end and end != start else start
        found = read_when(joined, calendar)
        found = found if found.occurrences else read_when(start, calendar)
        return (
            found if found.occurrences else When(joined, doubts=(f"not understood: {start[:60]}",))
        )
    occurrence, doubts = between(first, last, calendar.zone, end_is_exclusive=end_is_exclusive)
    if end and last is None:
        doubts.append(f"not understood: {end[:40]}")
    words = start if not end else f"{start} - {end}"
    return When(words, (occurrence,), tuple(doubts))


def _from_moment_to_moment(words: str, calendar: Calendar) -> When | None:
    """Read "5 Sep 2025 8pm to 6 Sep 2025 2am": one time, from the first moment to the other."""
    parts = _TO.split(words[:_MOST_OF_TWO])
    if len(parts) != 2 or not all(re.search(r"\d", part) for part in parts):
        return None
    alone = [read_when(part, calendar) for part in parts]
    times = [one.occurrences[0] for one in alone if len(one.occurrences) == 1]
    if len(times) != 2 or any(one.all_day or one.end for one in times):
        return None
    first, last = (one.start for one in times)
    if not first < last:
        return None
    doubts = (*alone[0].doubts, *alone[1].doubts)
    return When(words, (Occurrence(first, last),), doubts, alone[0].year_by or alone[1].year_by)


def month_first_in(texts: Sequence[str]) -> bool | None:
    """Tell by days above twelve how numbers are written; None where there is none, or both."""
    told = set()
    for text in texts:
        for first, second in _SLASHED.findall(text):
            if int(first) > 12 or int(second) > 12:
                told.add(int(second) > 12)
    return told.pop() if len(told) == 1 else None


@lru_cache(maxsize=2_000)  # a block is asked about its time, its place and its price
def is_about_time(line: str) -> bool:
    """Whether a line says days or times and nothing else."""
    if len(line) > 300:
        return False
    try:
        return any([token.kind in _DATED for token in tokens(line)])  # noqa: C419 - all are read
    except Unreadable:
        return False


def _reads_both_ways(words: str) -> bool:
    return any(
        int(first) <= 12 and int(second) <= 12 and first != second
        for first, second in _SLASHED.findall(words)
    )
