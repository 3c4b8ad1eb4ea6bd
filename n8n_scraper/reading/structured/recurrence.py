"""Tell the days on which a calendar's rule lets an event come again: the plain rules alone."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from n8n_scraper.reading.moments import read_point

_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_PARTS = frozenset(("FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "WKST", "BYMONTH"))
MOST_DAYS = 400
_MOST_PERIODS = 5_000
_DAY = timedelta(days=1)
_FURTHER = timedelta(days=5 * 366)  # by then every rule has come again that ever does


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the kinds that are understood; `nth` is "the second Tuesday" of a month."""

    first: date
    frequency: str
    interval: int = 1
    count: int | None = None
    until: date | None = None
    weekdays: tuple[int, ...] = ()
    nth: tuple[tuple[int, int], ...] = ()
    month_days: tuple[int, ...] = ()

    def days(self, since: date, until: date, most: int = MOST_DAYS) -> Iterator[date]:
        """Give the days between two in their order, and not more than `most`."""
        last = min(until, self.until or until)
        every = (day for day in self._all(last) if self.first <= day <= last)
        counted = islice(every, self.count)
        return islice((day for day in counted if day >= since), most)

    def goes_on_after(self, day: date) -> bool:
        """Whether there is another day after this one."""
        further = self.days(day + _DAY, self.until or day + _FURTHER, 1)
        return next(further, None) is not None

    def _all(self, last: date) -> Iterator[date]:
        for step in range(_MOST_PERIODS):
            try:
                period = list(self._period(step * self.interval))
            except (OverflowError, ValueError):  # after the last year that there is
                return
            if period and period[0] > last:
                return
            yield from period

    def _period(self, step: int) -> Iterator[date]:
        match self.frequency:
            case "DAILY":
                day = self.first + step * _DAY
                if not self.weekdays or day.weekday() in self.weekdays:
                    yield day
            case "WEEKLY":
                monday = self.first + (step * 7 - self.first.weekday()) * _DAY
                for weekday in self.weekdays or (self.first.weekday(),):
                    yield monday + weekday * _DAY
            case "MONTHLY":
                yield from self._month(self.first.year * 12 + self.first.month - 1 + step)
            case _:
                year = self.first.year + step
                if self.first.day <= monthrange(year, self.first.month)[1]:
                    yield self.first.replace(year=year)

    def _month(self, month: int) -> Iterator[date]:
        year, month = month // 12, month % 12 + 1
        begins, length = monthrange(year, month)
        numbers = set()
        for number in self.month_days or (() if self.nth else (self.first.day,)):
            numbers.add(number if number > 0 else length + 1 + number)
        for nth, weekday in self.nth:
            of_weekday = range(1 + (weekday - begins) % 7, length + 1, 7)
            if -len(of_weekday) <= nth - (nth > 0) < len(of_weekday):
                numbers.add(of_weekday[nth - (nth > 0)])
        for number in sorted(numbers):
            if 1 <= number <= length:
                yield date(year, month, number)


def read_rule(text: str, first: date, zone: ZoneInfo) -> Rule | str:
    """Read a rule; the part that is not understood where there is one."""
    parts = dict(part.partition("=")[::2] for part in text.strip().upper().split(";") if part)
    frequency = parts.get("FREQ", "")
    if frequency not in ("DAILY", "WEEKLY", "MONTHLY", "YEARLY") or parts.keys() - _PARTS:
        return text[:80]
    if "BYMONTH" in parts and (frequency, parts["BYMONTH"]) != ("YEARLY", str(first.month)):
        return text[:80]
    try:
        return _rule(parts, frequency, first, zone)
    except ValueError:
        return text[:80]


def _rule(parts: dict[str, str], frequency: str, first: date, zone: ZoneInfo) -> Rule:
    weekdays, nth = _by_day(parts.get("BYDAY"))
    month_days = tuple(int(number) for number in parts.get("BYMONTHDAY", "").split(",") if number)
    fits = {
        "DAILY": not nth and not month_days,
        "WEEKLY": not nth and not month_days,
        "MONTHLY": not weekdays and not (nth and month_days),
        "YEARLY": not weekdays and not nth and month_days in ((), (first.day,)),
    }
    interval, count = int(parts.get("INTERVAL", "1")), int(parts.get("COUNT", "0"))
    if not fits[frequency] or not 1 <= interval <= 1000 or count < 0:
        raise ValueError("not a plain rule")
    until = None
    if given := parts.get("UNTIL"):
        point = read_point(given, zone)
        if point is None:
            raise ValueError("no day")
        until = point.day
    return Rule(first, frequency, interval, count or None, until, weekdays, nth, month_days)


def _by_day(text: str | None) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
    weekdays, nth = [], []
    for one in (text or "").split(","):
        if one:
            number, weekday = one[:-2], _WEEKDAYS.index(one[-2:])
            if number:
                nth.append((int(number), weekday))
            else:
                weekdays.append(weekday)
    return tuple(sorted(weekdays)), tuple(nth)
