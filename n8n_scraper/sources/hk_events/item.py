"""The contract: what an event is.

A field that was not observed is None, and `unobserved` gives the reason under the field's name;
only `removed_at` and `date_disagreement` say something by being None: that the source has the
event, and that its files agree. `sources` tells, for each observed field, which of the files it was
read from. Times are ISO 8601 text in UTC.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import Field

from n8n_scraper.core.item import Item, Outcome, PartState, PartStatus, Value
from n8n_scraper.sources.hk_events.source import PART

TIMEZONE: Final = "Asia/Hong_Kong"

Moment = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
"""A moment as it stands in every table."""


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
    start: Moment | None
    end: Moment | None
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


class Quality(Value):
    """How much of what is wanted of an event is there."""

    coverage: Annotated[float, Field(ge=0, le=1)]
    missing: list[str]


class Event(Item):
    """An event; every time is in UTC, and `timezone` is the one it is announced in."""

    event_id: Annotated[str, Field(pattern=r"^[0-9]+$")]
    url: str | None
    title: str | None
    title_zh: str | None
    languages: list[str]
    start: Moment | None
    end: Moment | None
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
    submitted_at: Moment | None
    status: Annotated[EventStatus, Field(strict=False)]

    quality: Quality | None = None

    outcome: Annotated[Outcome, Field(strict=False)]
    parts: dict[Literal["event"], PartState]
    in_inventory: bool
    removed_at: str | None = None  # as long as the source has it
    unobserved: dict[str, str]
    sources: dict[str, str]

    content_hash: str | None = None
    run_id: str
    scraped_at: str
    processing_time: Annotated[float, Field(ge=0)]

    def __repr__(self) -> str:
        return f"Event({self.event_id}, {self.title!r}, {self.outcome})"

    __str__ = __repr__  # a log line names an event, it does not recite it


_SAID_BY_NULL = frozenset(("removed_at", "date_disagreement"))


def broken_promises(event: Event) -> list[str]:
    """Say in words each promise of the contract that this event breaks; none is good."""
    broken = []
    for field in Event.model_fields:
        is_null = getattr(event, field) is None and field not in _SAID_BY_NULL
        if is_null and field not in event.unobserved:
            broken.append(f"{field} is null without a reason")
        if not is_null and field in event.unobserved:
            broken.append(f"{field} has a value and a reason for having none")
    if (state := event.parts.get(PART)) is None or state.status is not PartStatus.OK:
        broken.append("an event without its answer")
    return broken
