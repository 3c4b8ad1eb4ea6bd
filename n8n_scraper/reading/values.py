"""What reading gives: moments, prices, states."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Status(StrEnum):
    """What is said to have become of an event."""

    ACTIVE = "active"
    CANCELLED = "cancelled"
    POSTPONED = "postponed"
    MOVED_ONLINE = "moved_online"
    RESCHEDULED = "rescheduled"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One time that something takes place, in UTC.

    An end is exclusive, as in calendars, and None where none is told. `all_day` is true where days
    are told and no times of day: it begins at the local midnight of the first day, and ends at the
    one after the last.
    """

    start: datetime
    end: datetime | None = None
    all_day: bool = False


@dataclass(frozen=True, slots=True)
class Price:
    """What admission costs: the words, and what they say; None is what they do not say."""

    text: str
    amounts: tuple[float, ...] | None = None
    currency: str | None = None
    is_free: bool | None = None
