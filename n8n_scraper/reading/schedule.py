"""Read on which days and at which times an event takes place, as people write it.

A schedule is one group after the other: days, the weekdays that they are (or of which "every" one
is meant), the times, and the exceptions. What this grammar does not cover is not guessed at:
`Unreadable`.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import date, time, timedelta

from n8n_scraper.reading.schedule_days import Days, Group, Span, complete
from n8n_scraper.reading.schedule_groups import Reader
from n8n_scraper.reading.schedule_tokens import PartialDate, Unreadable
from n8n_scraper.reading.schedule_words import tokens
from n8n_scraper.reading.years import fill_years, lacks_a_year, the_year

__all__ = ["NEVER", "Schedule", "Span", "Unreadable", "read_schedule"]

NEVER = 2099
"""The year that stands for "no date"."""

MOST_WORDS = 4000
_LONGEST_RANGE = timedelta(days=3 * 366)
_WEEK = timedelta(days=7)
_ALL_WEEK = frozenset(range(7))


@dataclass(frozen=True, slots=True)
class Schedule:
    """The times of each day, and what in the words does not fit together."""

    days: dict[date, tuple[Span, ...]]
    doubts: tuple[str, ...] = ()
    year_by: str | None = None
    """What told the year, where the words did not."""

    @property
    def tells_times(self) -> bool:
        """Whether a time of day is told at all."""
        return any(self.days.values())


def read_schedule(
    words: str,
    *,
    today: date | None = None,
    year: int | None = None,
    month_first: bool = False,
) -> Schedule:
    """Turn the words into days with their times; Unreadable if they say more than that.

    A year that the words do not tell is the one that is told elsewhere, where every weekday fits;
    else it is taken from `today` where only one is possible.
    """
    if len(words) > MOST_WORDS:
        raise Unreadable(f"{len(words)} characters")
    reader = Reader(list(tokens(words, month_first=month_first)))
    reader.read()
    complete(reader.written)
    if lacks_a_year(reader.written):
        if year and (found := _in_year(reader, words, year)) and not found.doubts:
            return replace(found, year_by="a heading")
        if today:
            return _in_the_one_year(reader, words, today)
    return _schedule(reader.groups, words)


def _in_year(reader: Reader, words: str, year: int) -> Schedule:
    groups, written = deepcopy((reader.groups, reader.written))
    fill_years(written, year)
    return _schedule(groups, words)


def _in_the_one_year(reader: Reader, words: str, today: date) -> Schedule:
    def days_in(year: int) -> tuple[date, date, bool]:
        found = _in_year(reader, words, year)
        return min(found.days), max(found.days), not found.doubts

    told = any(
        one.named != (None, None) or (one.weekdays and not one.every) for one in reader.written
    )
    year = the_year(today, days_in, weekday_told=told)
    return replace(_in_year(reader, words, year), year_by="the day of asking")


def _schedule(groups: list[Group], words: str) -> Schedule:
    days: dict[date, list[Span]] = {}
    doubts: list[str] = []
    for group in groups:
        doubts.extend(group.doubts)
        dropped = {(one.first.day, one.first.month) for one in group.exceptions}
        for one in group.days:
            for day in _expand(one, doubts):
                if (day.day, day.month) not in dropped:
                    days.setdefault(day, []).extend(group.spans)
    if not days:
        raise Unreadable(words[:40])
    return Schedule({day: _in_order(spans) for day, spans in sorted(days.items())}, tuple(doubts))


def _expand(days: Days, doubts: list[str]) -> Iterator[date]:
    first = _date(days.first)
    last = _date(days.last or days.first, at_the_end=True)
    if not timedelta(0) <= last - first <= _LONGEST_RANGE:
        raise Unreadable(f"{first} to {last}")
    if days.first.day is None and not days.last and days.weekdays is None:
        raise Unreadable(f"a day of {first:%B %Y}")
    doubts.extend(_wrongly_named(days, first, last))
    weekdays, is_range = days.weekdays, last > first
    if weekdays is None:
        weekdays = _ALL_WEEK
    elif not (is_range and (days.every or (len(weekdays) == 1 and last - first >= _WEEK))):
        wrong = [day for day in {first, last} if day.weekday() not in weekdays]
        doubts.extend(f"{day} is a {day:%A}" for day in sorted(wrong))
        weekdays = _ALL_WEEK
    for step in range((last - first).days + 1):
        day = first + timedelta(days=step)
        if day.weekday() in weekdays:
            yield day


def _wrongly_named(days: Days, first: date, last: date) -> Iterator[str]:
    for day, weekday in zip((first, last), days.named, strict=True):
        if weekday is not None and day.weekday() != weekday:
            yield f"{day} is a {day:%A}"


def _date(one: PartialDate, *, at_the_end: bool = False) -> date:
    if not one.month or not one.year:
        raise Unreadable(f"day {one.day} of no month and year")
    if one.year >= NEVER:
        raise Unreadable(f"{one.year} stands for no date")
    try:
        if one.day is None and at_the_end:
            following = date(one.year + one.month // 12, one.month % 12 + 1, 1)
            return following - timedelta(days=1)
        return date(one.year, one.month, one.day or 1)
    except ValueError:
        raise Unreadable(f"{one.day}/{one.month}/{one.year}") from None


def _in_order(spans: list[Span]) -> tuple[Span, ...]:
    return tuple(sorted(set(spans), key=lambda span: (span.start, span.end or time.max)))
