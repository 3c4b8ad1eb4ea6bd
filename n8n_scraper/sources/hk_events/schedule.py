"""Read on which days and at which times an event takes place, as people write it.

A schedule is one group after the other: days, the weekdays that they are (or of which "every" one
is meant), the times, and the exceptions. A day's month and year often stand with a later day: "6,
13, 20/12/2025". What this grammar does not cover is not guessed at: `Unreadable`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, time, timedelta

from n8n_scraper.sources.hk_events.schedule_words import (
    ClockTime,
    Kind,
    PartialDate,
    Token,
    Unreadable,
    tokens,
)

_LONGEST_RANGE = timedelta(days=3 * 366)
_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Span:
    """A time of day at which an event begins, and when it ends where that is told."""

    start: time
    end: time | None


@dataclass(frozen=True, slots=True)
class Schedule:
    """The times of each day, and what in the words does not fit together."""

    days: dict[date, tuple[Span, ...]]
    doubts: tuple[str, ...] = ()

    @property
    def tells_times(self) -> bool:
        """Whether a time of day is told at all."""
        return any(self.days.values())


@dataclass(slots=True)
class _Days:
    """A day or a range of days, with the weekdays that are said of it."""

    first: PartialDate
    last: PartialDate | None = None
    weekdays: frozenset[int] | None = None
    every: bool = False


@dataclass(slots=True)
class _Group:
    days: list[_Days] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    exceptions: list[_Days] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Whether the next day begins another group."""
        return bool(self.spans or self.exceptions)


def read_schedule(words: str) -> Schedule:
    """Turn the words into days with their times; Unreadable if they say more than that."""
    reader = _Reader(list(tokens(words)))
    reader.read()
    _complete(reader.written)
    days: dict[date, list[Span]] = {}
    doubts: list[str] = []
    for group in reader.groups:
        dropped = {(one.first.day, one.first.month) for one in group.exceptions}
        for one in group.days:
            for day in _expand(one, doubts):
                if (day.day, day.month) not in dropped:
                    days.setdefault(day, []).extend(group.spans)
    if not days:
        raise Unreadable(words[:40])
    return Schedule({day: _in_order(spans) for day, spans in sorted(days.items())}, tuple(doubts))


class _Reader:
    """Walks over the tokens once and fills the groups."""

    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._at = 0
        self.groups = [_Group()]
        self.written: list[_Days] = []  # in their order, for what a later one says of earlier ones

    def read(self) -> None:
        """Read to the end."""
        while (token := self._next()).kind is not Kind.END:
            self._read(token)

    def _read(self, token: Token) -> None:
        match token.kind:
            case Kind.DAY | Kind.MONTH:
                self._group_for_days().days.append(self._days(token))
            case Kind.REST_OF_DATE:
                self.written.append(_Days(_partial(token)))
            case Kind.EVERY | Kind.WEEKDAY:
                self._weekdays(token)
            case Kind.TIME:
                self.groups[-1].spans.append(self._span(token))
            case Kind.EXCEPT:
                self._exceptions()
            case Kind.TO | Kind.YEAR:
                raise Unreadable(token.text)

    def _next(self) -> Token:
        token = self._tokens[self._at]
        self._at += token.kind is not Kind.END
        return token

    def _take(self, kind: Kind) -> Token | None:
        return self._next() if self._tokens[self._at].kind is kind else None

    def _group_for_days(self) -> _Group:
        if self.groups[-1].is_over:
            self.groups.append(_Group())
        return self.groups[-1]

    def _days(self, token: Token) -> _Days:
        days = _Days(self._date(token))
        self.written.append(days)
        single = self._at
        named = self._skip_weekday_in_brackets()
        if self._take(Kind.TO) and self._tokens[self._at].kind in (Kind.DAY, Kind.MONTH):
            days.last = self._date(self._next())
            if named:  # "23/12/2025 (Tue) - 25/12/2025 (Thu)": each end has its own
                self._skip_weekday_in_brackets()
        else:
            self._at = single
        return days

    def _date(self, token: Token) -> PartialDate:
        if token.kind is Kind.MONTH:
            found = PartialDate(None, _number(token))
        else:
            found = _partial(token)
            if found.month is None and (month := self._take(Kind.MONTH)):
                found = replace(found, month=_number(month))
        if found.month and found.year is None and (year := self._take(Kind.YEAR)):
            found = replace(found, year=_number(year))
        return found

    def _skip_weekday_in_brackets(self) -> bool:
        kinds = [token.kind for token in self._tokens[self._at : self._at + 3]]
        found = kinds == [Kind.OPEN, Kind.WEEKDAY, Kind.CLOSE]
        self._at += 3 * found
        return found

    def _weekdays(self, token: Token) -> None:
        # In brackets they say which days these are, else which of them are meant.
        meant = token.kind is Kind.EVERY or self._tokens[self._at - 2].kind is not Kind.OPEN
        named = frozenset(self._weekday_list(self._next() if token.kind is Kind.EVERY else token))
        if self.groups[-1].is_over:  # the same days again: "Wed to Fri 16:30, Sat to Sun 15:00"
            again = [replace(one, weekdays=None) for one in self.groups[-1].days]
            self.groups.append(_Group(again))
        for one in self.groups[-1].days:
            if one.weekdays is None:
                one.weekdays, one.every = named, meant

    def _weekday_list(self, token: Token) -> Iterator[int]:
        while True:
            if token.kind is not Kind.WEEKDAY:
                raise Unreadable(token.text)
            first = last = _number(token)
            if self._take(Kind.TO):
                last = _number(self._expect(Kind.WEEKDAY))
            yield from ((first + step) % 7 for step in range((last - first) % 7 + 1))
            at = self._at
            if not (self._take(Kind.SEPARATOR) and self._tokens[self._at].kind is Kind.WEEKDAY):
                self._at = at
                return
            token = self._next()

    def _expect(self, kind: Kind) -> Token:
        token = self._next()
        if token.kind is not kind:
            raise Unreadable(token.text)
        return token

    def _span(self, token: Token) -> Span:
        start, end = _clock_time(token), None
        at = self._at
        if self._take(Kind.TO):
            if self._tokens[self._at].kind is Kind.TIME:
                end = _clock_time(self._next())
                start = start.in_the_half_of(end)
            else:
                self._at = at
                raise Unreadable(token.text)
        try:
            return Span(start.as_time(), end.as_time() if end else None)
        except ValueError:
            raise Unreadable(token.text) from None

    def _exceptions(self) -> None:
        group = self.groups[-1]
        while True:
            token = self._next()
            if token.kind in (Kind.DAY, Kind.MONTH):
                group.exceptions.append(_Days(self._date(token)))
            elif token.kind in (Kind.CLOSE, Kind.END):
                break
            elif token.kind not in (Kind.SEPARATOR, Kind.YEAR):
                raise Unreadable(token.text)
        if not group.exceptions:
            raise Unreadable("except what?")


def _complete(written: list[_Days]) -> None:
    """Give each day the month and year that a later one says."""
    later = PartialDate(None)
    for days in reversed(written):
        if days.last:
            days.last = later = _inherit(days.last, later)
        days.first = later = _inherit(days.first, later)


def _inherit(one: PartialDate, later: PartialDate) -> PartialDate:
    month = one.month or later.month
    year = one.year or later.year
    if one.year is None and year and month and later.month and month > later.month:
        year -= 1  # "30/12 - 2/1/2026"
    return PartialDate(one.day, month, year)


def _expand(days: _Days, doubts: list[str]) -> Iterator[date]:
    first = _date(days.first)
    last = _date(days.last or days.first, at_the_end=True)
    if not timedelta(0) <= last - first <= _LONGEST_RANGE:
        raise Unreadable(f"{first} to {last}")
    weekdays, is_range = days.weekdays, last > first
    if weekdays is None:
        weekdays = frozenset(range(7))
    elif not (is_range and (days.every or (len(weekdays) == 1 and last - first >= _WEEK))):
        wrong = [day for day in {first, last} if day.weekday() not in weekdays]
        doubts.extend(f"{day} is a {day:%A}" for day in sorted(wrong))
        weekdays = frozenset(range(7))
    for step in range((last - first).days + 1):
        day = first + timedelta(days=step)
        if day.weekday() in weekdays:
            yield day


def _date(one: PartialDate, *, at_the_end: bool = False) -> date:
    if not one.month or not one.year:
        raise Unreadable(f"day {one.day} of no month and year")
    try:
        if one.day is None and at_the_end:
            following = date(one.year + one.month // 12, one.month % 12 + 1, 1)
            return following - timedelta(days=1)
        return date(one.year, one.month, one.day or 1)
    except ValueError:
        raise Unreadable(f"{one.day}/{one.month}/{one.year}") from None


def _in_order(spans: list[Span]) -> tuple[Span, ...]:
    return tuple(sorted(set(spans), key=lambda span: (span.start, span.end or time.max)))


def _partial(token: Token) -> PartialDate:
    assert isinstance(token.value, PartialDate)
    return token.value


def _clock_time(token: Token) -> ClockTime:
    assert isinstance(token.value, ClockTime)
    return token.value


def _number(token: Token) -> int:
    assert isinstance(token.value, int)
    return token.value
