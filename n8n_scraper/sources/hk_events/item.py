"""The contract: what an event is.

A field that was not observed is None, and `unobserved` gives the reason under the field's name.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import AwareDatetime, Field

from n8n_scraper.core.item import Value

TIMEZONE: Final = "Asia/Hong_Kong"


class EventStatus(StrEnum):
    """What the source says has become of an event."""

    ACTIVE = "active"
    CANCELLED = "cancelled"
    POSTPONED = "postponed"


class Occurrence(Value):
    """One time that an event takes place, on the local day `date`.

    What lasts all day begins at the local midnight before and ends at the one after: an end is
    exclusive, as in calendars. Where a day is known and its time is not, all but the day is None.
    """

    date: str
    start: AwareDatetime | None
    end: AwareDatetime | None
    all_day: bool | None


class DateDisagreement(Value):
    """Days that only one of the source's two files knows of, as local dates (YYYY-MM-DD)."""

    only_in_text: list[str]
    only_in_dates: list[str]


class Venue(Value):
    """Where an event takes place."""

    venue_id: str
    name: str | None
    name_zh: str | None
    latitude: Annotated[float, Field(ge=-90, le=90)] | None
    longitude: Annotated[float, Field(ge=-180, le=180)] | None


class Price(Value):
    """What admission costs: the source's words, and its numbers where they can be read."""

    text: str
    amounts: list[float] | None
    currency: Literal["HKD"] | None
    is_free: bool | None


class Event(Value):
    """An event; every time is in UTC, and `timezone` is the one it is announced in."""

    event_id: str
    url: str | None
    title: str | None
    title_zh: str | None
    languages: list[str]
    start: AwareDatetime | None
    end: AwareDatetime | None
    timezone: Literal["Asia/Hong_Kong"] = TIMEZONE
    all_day: bool | None
    occurrences: list[Occurrence]
    schedule: str | None
    schedule_doubts: list[str]
    date_disagreement: DateDisagreement | None
    venue: Venue | None
    price: Price | None
    description: str | None
    description_zh: str | None
    categories: list[str]
    organiser: str | None
    age_limit: str | None
    duration: str | None
    remark: str | None
    ticket_url: str | None
    on_sale_since: str | None
    submitted_at: AwareDatetime | None
    status: Annotated[EventStatus, Field(strict=False)]
    unobserved: dict[str, str]
