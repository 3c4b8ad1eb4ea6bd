"""The pieces that the words of a schedule are cut into, with what each of them means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import time
from enum import Enum, auto


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
    """A day as it is written: month and year may stand with another one."""

    day: int | None
    month: int | None = None
    year: int | None = None


@dataclass(frozen=True, slots=True)
class ClockTime:
    """A time of day as it is written; without `half` it may be in either half of the day."""

    hour: int
    minute: int
    half: str = ""
    holds_on: bool = False
    """Whether the half was said in front, and so holds for the times that follow."""

    def in_the_half_of(self, other: ClockTime) -> ClockTime:
        """Read "7:30-9:30pm" as it is meant: what stands behind holds for both."""
        earlier = not self.half and other.half == "pm" and self.hour < 12
        return replace(self, half="pm") if earlier and self.hour <= other.hour else self

    def after(self, other: ClockTime | None) -> ClockTime:
        """Read "下午3:00及7:30" as it is meant; ValueError where that is not clear."""
        if not other or not other.holds_on or self.half or self.hour > 12:
            return self
        found = replace(self, half=other.half, holds_on=True)
        if found.as_time() <= other.as_time():
            raise ValueError("the times do not follow each other")
        return found

    def as_time(self) -> time:
        """Turn it into a time of day; ValueError if there is none such."""
        hour = self.hour
        if self.half:
            if not 1 <= hour <= 12:
                raise ValueError(f"no hour: {hour}{self.half}")
            hour = hour % 12 + (12 if self.half == "pm" else 0)
        return time(hour, self.minute)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a schedule's words, with what it means."""

    kind: Kind
    text: str
    value: PartialDate | ClockTime | int | None = None


class Unreadable(ValueError):
    """The schedule says something that is not understood; the text is what."""
