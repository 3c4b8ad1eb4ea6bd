"""Find the year of days that were written without one, where only one year is possible."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from n8n_scraper.reading.schedule_days import Days
from n8n_scraper.reading.schedule_tokens import PartialDate, Unreadable

# What is announced lies ahead. Half a year ahead and a month back leave only one year possible;
# with a weekday that fits, so does a whole year.
_PAST, _AHEAD = timedelta(days=31), timedelta(days=183)
_PAST_FITTING, _AHEAD_FITTING = timedelta(days=60), timedelta(days=365)


def lacks_a_year(written: list[Days]) -> bool:
    """Whether a day has a month, and a year was told neither with it nor behind it."""
    days = [one.last or one.first for one in written]
    return any(day.month and not day.year for day in days)


def fill_years(written: list[Days], year: int) -> None:
    """Give this year to the first day that has none, and to each later one the year that follows.

    Where a year was told before, that one goes on instead.
    """
    before = PartialDate(None, None, None)
    for days in written:
        days.first = before = _following(days.first, before, year)
        if days.last:
            days.last = before = _following(days.last, before, year)


def _following(one: PartialDate, before: PartialDate, year: int) -> PartialDate:
    if one.year or not one.month:
        return one
    if before.year and before.month:
        return PartialDate(one.day, one.month, before.year + (one.month < before.month))
    return PartialDate(one.day, one.month, year)


def the_year(
    today: date, days_in: Callable[[int], tuple[date, date, bool]], *, weekday_told: bool
) -> int:
    """Give the one year that is possible; Unreadable where there are several, or none.

    `days_in` gives the first and the last day in a year, and whether the weekdays fit.
    """
    past, ahead = (_PAST_FITTING, _AHEAD_FITTING) if weekday_told else (_PAST, _AHEAD)
    possible: dict[tuple[date, date], int] = {}  # one that was told before leaves no choice
    for year in (today.year - 1, today.year, today.year + 1):
        try:
            first, last, fits = days_in(year)
        except Unreadable:  # 29 February
            continue
        if fits and last >= today - past and first <= today + ahead:
            possible[first, last] = year
    if len(possible) != 1:
        raise Unreadable("the year is not told")
    return next(iter(possible.values()))
