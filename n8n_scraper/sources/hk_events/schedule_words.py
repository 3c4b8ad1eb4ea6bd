"""Cut the words of a schedule into tokens: days, months, weekdays, times and signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import time
from enum import Enum, auto

_Reader = Callable[[str, list[int]], "Token"]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

_TOKEN = re.compile(
    rf"""
      (?P<time>\d{{1,2}}(?::(?P<minute>\d{{2}})\s*(?P<half>am|pm|nn|noon)?|\s*(?:am|pm|nn|noon)\b))
    | (?P<military>(?<!\d)[0-2]\d[0-5]\d(?=\s*-\s*\d{{4}}(?!\d))|(?<=-)[0-2]\d[0-5]\d(?!\d))
    | (?P<date>\d{{1,2}}(?P<sign>[/.])\d{{1,2}}(?P=sign)20\d{{2}}(?!\d))
    | (?P<rest>[/.]\s*\d{{1,2}}[/.]20\d{{2}}(?!\d))
    | (?P<short>\d{{1,2}}/\d{{1,2}}(?![\d/]))
    | (?P<year>(?<!\d)20\d{{2}}(?!\d))
    | (?P<day>(?<!\d)\d{{1,2}}(?!\d))
    | (?P<month>\b(?:{"|".join(_MONTHS)})[a-z]*)
    | (?P<weekday>\b(?:{"|".join(_WEEKDAYS)})[a-z]*)
    | (?P<every>\bevery\b)
    | (?P<except>\bex(?:cep|pec)t)
    | (?P<to>-(?!-)|[–—]|\bto\b)
    | (?P<open>[(\[])
    | (?P<close>[)\]])
    | (?P<separator>[,;&\n]|---|\band\b)
    | (?P<footnote>[\s*^])
    """,
    re.IGNORECASE | re.VERBOSE,
)


class Kind(Enum):
    """What a token is."""

    TIME = auto()
    DAY = auto()
    REST_OF_DATE = auto()  # "/12/2025", behind days that were told apart before
    MONTH = auto()
    YEAR = auto()
    WEEKDAY = auto()
    EVERY = auto()
    EXCEPT = auto()
    TO = auto()
    OPEN = auto()
    CLOSE = auto()
    SEPARATOR = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A day as it is written: month and year may stand with a later one."""

    day: int | None
    month: int | None = None
    year: int | None = None


@dataclass(frozen=True, slots=True)
class ClockTime:
    """A time of day as it is written; without `half` it may be in either half of the day."""

    hour: int
    minute: int
    half: str = ""

    def in_the_half_of(self, other: ClockTime) -> ClockTime:
        """Read "7:30-9:30pm" as it is meant: what stands behind holds for both."""
        earlier = not self.half and other.half == "pm" and self.hour < 12
        return replace(self, half="pm") if earlier and self.hour <= other.hour else self

    def as_time(self) -> time:
        """Turn it into a time of day; ValueError if there is none such."""
        hour = self.hour
        if self.half:
            if not 1 <= hour <= 12:
                raise ValueError(f"no hour: {hour}{self.half}")
            hour = hour % 12 + (0 if self.half == "am" else 12)
        return time(hour, self.minute)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a schedule's words, with what it means."""

    kind: Kind
    text: str
    value: PartialDate | ClockTime | int | None = None


class Unreadable(ValueError):
    """The schedule says something that is not understood; the text is what."""


def tokens(words: str) -> Iterator[Token]:
    """Give the tokens, and END at the end; Unreadable at the first word that is none."""
    position = 0
    while position < len(words):
        match = _TOKEN.match(words, position)
        if match is None:
            raise Unreadable(words[position : position + 40].strip())
        position = match.end()
        if match.lastgroup != "footnote":
            yield _token(match)
    yield Token(Kind.END, "")


def _token(match: re.Match[str]) -> Token:
    text = match[0]
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    for group, read in _READERS.items():
        if match[group]:
            return read(text, numbers)
    raise AssertionError("every group has a reader")


def _time(text: str, numbers: list[int]) -> Token:
    half = text.lstrip("0123456789:").strip().lower()
    half = "pm" if half in ("nn", "noon") else half
    minute = numbers[1] if len(numbers) > 1 else 0
    return Token(Kind.TIME, text, ClockTime(numbers[0], minute, half))


def _military(text: str, numbers: list[int]) -> Token:
    return Token(Kind.TIME, text, ClockTime(*divmod(numbers[0], 100)))


def _rest(text: str, numbers: list[int]) -> Token:
    return Token(Kind.REST_OF_DATE, text, PartialDate(None, *numbers))


def _day(text: str, numbers: list[int]) -> Token:
    return Token(Kind.DAY, text, PartialDate(*numbers))


def _year(text: str, numbers: list[int]) -> Token:
    return Token(Kind.YEAR, text, numbers[0])


def _month(text: str, numbers: list[int]) -> Token:
    return Token(Kind.MONTH, text, _MONTHS.index(text[:3].lower()) + 1)


def _weekday(text: str, numbers: list[int]) -> Token:
    return Token(Kind.WEEKDAY, text, _WEEKDAYS.index(text[:3].lower()))


def _sign(kind: Kind) -> _Reader:
    return lambda text, _: Token(kind, text)


_READERS: dict[str, _Reader] = {
    "time": _time,
    "military": _military,
    "date": _day,
    "rest": _rest,
    "short": _day,
    "year": _year,
    "day": _day,
    "month": _month,
    "weekday": _weekday,
    "every": _sign(Kind.EVERY),
    "except": _sign(Kind.EXCEPT),
    "to": _sign(Kind.TO),
    "open": _sign(Kind.OPEN),
    "close": _sign(Kind.CLOSE),
    "separator": _sign(Kind.SEPARATOR),
}
