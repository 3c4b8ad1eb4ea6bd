"""Put the tokens of a schedule together: days, their weekdays, their times, the exceptions.

A day's month and year often stand with a later day ("6, 13, 20/12/2025"), or, where the month is
written first, with an earlier one ("Sep 6, 13, 20, Oct 1").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from n8n_scraper.reading.schedule_days import Days, Group, Span, complete
from n8n_scraper.reading.schedule_tokens import ClockTime, Kind, PartialDate, Token, Unreadable

_MIDNIGHT = re.compile(r"12.*mn|midnight|午夜|晚上\s*12", re.IGNORECASE)
_DATES = (Kind.DAY, Kind.MONTH, Kind.YEAR)


class Reader:
    """Walks over the tokens once and fills the groups."""

    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._at = 0
        self._ahead: PartialDate | None = None  # the month that was written before its days
        self._named: tuple[frozenset[int], bool] | None = None  # weekdays of the day that follows
        self._time: ClockTime | None = None
        self.groups = [Group()]
        self.written: list[Days] = []  # in their order, for what a later one says of earlier ones

    def read(self) -> None:
        """Read to the end."""
        while (token := self._next()).kind is not Kind.END:
            self._read(token)
        if self._named or any(group.spans and not group.days for group in self.groups):
            raise Unreadable("times or weekdays of no day")

    def _read(self, token: Token) -> None:
        match token.kind:
            case Kind.DAY | Kind.MONTH:
                self._add_days(token)
            case Kind.YEAR if self._peek() in (Kind.MONTH, Kind.DAY):
                self._add_days(token)
            case Kind.REST_OF_DATE:
                self.written.append(Days(_partial(token)))
            case Kind.EVERY | Kind.WEEKDAY:
                self._weekdays(token)
            case Kind.TIME:
                self._add_span(token)
            case Kind.EXCEPT:
                self._exceptions()
            case Kind.TO if self._peek() is Kind.TIME and self._is_after_a_day():
                pass  # "18 Sep 2025 - 7:30pm"
            case Kind.TO | Kind.YEAR:
                raise Unreadable(token.text)

    def _is_after_a_day(self) -> bool:
        group = self.groups[-1]
        return bool(group.days and not group.spans and not group.times_first)

    def _next(self) -> Token:
        token = self._tokens[self._at]
        self._at += token.kind is not Kind.END
        return token

    def _peek(self, further: int = 0) -> Kind:
        at = self._at + further
        return self._tokens[at].kind if at < len(self._tokens) else Kind.END

    def _take(self, kind: Kind) -> Token | None:
        return self._next() if self._peek() is kind else None

    def _group_for_days(self) -> Group:
        if self.groups[-1].is_over:
            self.groups.append(Group())
        return self.groups[-1]

    def _add_days(self, token: Token) -> None:
        named, self._named = self._named, None
        self._time = None
        group = self._group_for_days()
        days = self._days(token)
        if named:
            weekdays, every = named
            if every or len(weekdays) > 1:
                days.weekdays, days.every = weekdays, every
            else:
                days.named = (min(weekdays), days.named[1])
        group.days.append(days)

    def _days(self, token: Token) -> Days:
        days = Days(self._date(token))
        self.written.append(days)
        single = self._at
        named = self._skip_weekday_in_brackets()
        if self._take(Kind.TO):
            weekday = self._weekday_of_the_end()
            if self._peek() in _DATES:
                days.last = self._date(self._next())
                days.named = (None, weekday)
                if named:  # "23/12/2025 (Tue) - 25/12/2025 (Thu)": each end has its own
                    self._skip_weekday_in_brackets()
                return days
        self._at = single
        return days

    def _weekday_of_the_end(self) -> int | None:
        """Take the weekday of "Fri 5 Sep - Sun 7 Sep"; None where the end has none in front."""
        after = 1 + (self._peek(1) is Kind.SEPARATOR)
        if self._peek() is Kind.WEEKDAY and self._peek(after) in _DATES:
            found = _number(self._next())
            self._at += after - 1
            return found
        return None

    def _date(self, token: Token) -> PartialDate:
        year = None
        if token.kind is Kind.YEAR:
            year, token = _number(token), self._next()
        if token.kind is Kind.MONTH:
            return self._month_first(_number(token), year)
        found = _partial(token)
        if found.month is None and (month := self._take(Kind.MONTH)):
            found = replace(found, month=_number(month))
        if found.month:
            self._ahead = None
            return self._with_year(replace(found, year=found.year or year))
        if self._ahead is None or self._peek() is Kind.REST_OF_DATE:
            return found
        return self._with_year(replace(found, month=self._ahead.month, year=self._ahead.year))

    def _month_first(self, month: int, year: int | None) -> PartialDate:
        day = None
        if self._peek() is Kind.DAY and (one := _partial(self._tokens[self._at])).month is None:
            day = one.day
            self._at += 1
        before = self._ahead
        if year is None and before and before.year and before.month:
            year = before.year + (month < before.month)  # "2025年12月30日至1月2日"
        found = self._with_year(PartialDate(day, month, year))
        self._ahead = found if day else None
        return found

    def _with_year(self, one: PartialDate) -> PartialDate:
        if one.year:
            return one
        comma = self._peek() is Kind.SEPARATOR
        if self._peek(comma) is Kind.YEAR and self._peek(comma + 1) is not Kind.MONTH:
            self._at += comma
            return replace(one, year=_number(self._next()))
        return one

    def _skip_weekday_in_brackets(self) -> bool:
        kinds = [self._peek(step) for step in range(3)]
        found = kinds == [Kind.OPEN, Kind.WEEKDAY, Kind.CLOSE]
        self._at += 3 * found
        return found

    def _weekdays(self, token: Token) -> None:
        # In brackets they say which days these are, else which of them are meant.
        before, opened_at = self._kind_before(2), self._at - 2
        meant = token.kind is Kind.EVERY or before is not Kind.OPEN
        every = token.kind is Kind.EVERY
        named = frozenset(self._weekday_list(self._next() if every else token))
        if before not in (Kind.OPEN, Kind.DAY, Kind.MONTH, Kind.YEAR) and self._days_follow():
            self._named = named, every
            return
        if not self.groups[-1].days:
            raise Unreadable(token.text)
        if before is Kind.OPEN and self._tokens[opened_at - 1].kind is Kind.REST_OF_DATE:
            self._name_all(named)  # "7 [2pm]; 14 [3pm] /12/2024 (Sat)"
            return
        if self.groups[-1].is_over:  # the same days again: "Wed to Fri 16:30, Sat to Sun 15:00"
            again = [replace(one, weekdays=None) for one in self.groups[-1].days]
            self.groups.append(Group(again))
        for one in self.groups[-1].days:
            if one.weekdays is None:
                one.weekdays, one.every = named, meant

    def _kind_before(self, back: int) -> Kind:
        return self._tokens[self._at - back].kind if self._at >= back else Kind.SEPARATOR

    def _name_all(self, weekdays: frozenset[int]) -> None:
        for group in self.groups:
            for one in group.days:
                if one.weekdays is None:
                    one.weekdays = weekdays

    def _days_follow(self) -> bool:
        return self._peek(self._peek() is Kind.SEPARATOR) in _DATES

    def _weekday_list(self, token: Token) -> Iterator[int]:
        while True:
            if token.kind is not Kind.WEEKDAY:
                raise Unreadable(token.text)
            first = last = _number(token)
            if self._peek() is Kind.TO and self._peek(1) is Kind.WEEKDAY:
                self._at += 1
                last = _number(self._next())
            yield from ((first + step) % 7 for step in range((last - first) % 7 + 1))
            at = self._at
            if not (self._take(Kind.SEPARATOR) and self._peek() is Kind.WEEKDAY):
                self._at = at
                return
            token = self._next()

    def _add_span(self, token: Token) -> None:
        group = self.groups[-1]
        if not group.days:
            group.times_first = True
        elif group.times_first:
            self.groups.append(group := Group(times_first=True))
        if _MIDNIGHT.search(token.text):
            group.doubts.append(f"{token.text.strip()}: of the night before, or the one after?")
        group.spans.append(self._span(token))

    def _span(self, token: Token) -> Span:
        try:
            start, end = _clock_time(token).after(self._time), None
            if self._take(Kind.TO):
                if self._peek() is not Kind.TIME:
                    raise Unreadable(token.text)
                end = _clock_time(self._next()).after(start)
                start = start.in_the_half_of(end)
            self._time = end or start
            return Span(start.as_time(), end.as_time() if end else None)
        except ValueError:
            raise Unreadable(token.text) from None

    def _exceptions(self) -> None:
        ahead, found = self._ahead, list[Days]()
        while True:
            token = self._next()
            if token.kind in (Kind.DAY, Kind.MONTH):
                found.append(Days(self._date(token)))
            elif token.kind is Kind.TIME:
                self._at -= 1
                break
            elif token.kind in (Kind.CLOSE, Kind.END):
                break
            elif token.kind not in (Kind.SEPARATOR, Kind.YEAR):
                raise Unreadable(token.text)
        self._ahead = ahead
        if not found:
            raise Unreadable("except what?")
        complete(found)
        self.groups[-1].exceptions += found


def _partial(token: Token) -> PartialDate:
    assert isinstance(token.value, PartialDate)
    return token.value


def _clock_time(token: Token) -> ClockTime:
    assert isinstance(token.value, ClockTime)
    return token.value


def _number(token: Token) -> int:
    assert isinstance(token.value, int)
    return token.value
