"""Days as they are written, with what is said of them, before it is known which days these are."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import time

from n8n_scraper.reading.schedule_tokens import PartialDate


@dataclass(frozen=True, slots=True)
class Span:
    """A time of day at which an event begins, and when it ends where that is told."""

    start: time
    end: time | None


@dataclass(slots=True)
class Days:
    """A day or a range of days, with the weekdays that are said of it."""

    first: PartialDate
    last: PartialDate | None = None
    weekdays: frozenset[int] | None = None
    every: bool = False
    named: tuple[int | None, int | None] = (None, None)
    """The weekdays that stand in front of the first and of the last day."""


@dataclass(slots=True)
class Group:
    """Days with the times of all of them."""

    days: list[Days] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    exceptions: list[Days] = field(default_factory=list)
    times_first: bool = False
    doubts: list[str] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Whether the next day begins another group."""
        return bool(self.days and not self.times_first and (self.spans or self.exceptions))


def complete(written: list[Days]) -> None:
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
