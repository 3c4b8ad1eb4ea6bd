"""The contract: what an event of a site is.

A field that was not observed is None, and `unobserved` gives the reason under the field's name;
only `removed_at` says something by being None: that the site lists the event. `sources` tells, for
each observed field, on which page it was read and in which place of it, such as "detail json-ld".
Every moment is ISO 8601 text in UTC, and `timezone` is the zone that it is announced in.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from n8n_scraper.core.classified import Announced
from n8n_scraper.core.item import Item, Outcome, PartState, PartStatus, Value
from n8n_scraper.reading.values import Status
from n8n_scraper.sources.events.source import DETAIL, LIST

Moment = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
"""A moment as it stands in every table."""

Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Issue(StrEnum):
    """What is odd about an event, so that a person should look."""

    LONG_OVER = "long_over"
    FAR_AHEAD = "far_ahead"
    DOUBTFUL_TIME = "doubtful_time"
    ENDS_BEFORE_IT_BEGINS = "ends_before_it_begins"


ISSUES = {
    Issue.LONG_OVER: "it was over more than 60 days before it was seen",
    Issue.FAR_AHEAD: "it begins more than two years after it was seen",
    Issue.DOUBTFUL_TIME: "its days and times could not all be understood",
    Issue.ENDS_BEFORE_IT_BEGINS: "it ends before it begins",
}
"""What each means, in words."""


class Occurrence(Value):
    """One time that an event takes place; an end is exclusive, as in calendars.

    What lasts all day begins at the local midnight before the first day, and ends at the one after
    the last.
    """

    start: Moment
    end: Moment | None
    all_day: bool


class Venue(Value):
    """Where an event takes place."""

    name: str | None
    address: str | None
    city: str | None
    latitude: Annotated[float, Field(ge=-90, le=90)] | None
    longitude: Annotated[float, Field(ge=-180, le=180)] | None


class Quality(Value):
    """How much of what an event must have is there."""

    coverage: Annotated[float, Field(ge=0, le=1)]
    missing: list[str]


class Taken(Value):
    """What it was taken for: an event, an attraction, or nothing at all."""

    kind: Annotated[Announced, Field(strict=False)]
    confidence: Annotated[float, Field(ge=0, le=1)]
    reasons: list[str]


class SiteEvent(Item):
    """An event that a site announces."""

    event_id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*-[0-9a-f]{16}$")]
    site: str
    source_event_id: str | None
    url: str | None
    title: str | None
    start: Moment | None
    end: Moment | None
    timezone: str
    all_day: bool | None
    occurrences: list[Occurrence]
    schedule: str | None
    schedule_doubts: list[str]
    location: str | None
    venue: Venue | None
    price: str | None
    price_min: Amount | None
    price_max: Amount | None
    currency: str | None
    is_free: bool | None
    description: str | None
    images: Annotated[list[str], Field(max_length=3)]
    categories: list[str]
    organiser: str | None
    status: Annotated[Status, Field(strict=False)]
    issues: list[Annotated[Issue, Field(strict=False)]]

    classification: Taken | None = None
    quality: Quality | None = None

    outcome: Annotated[Outcome, Field(strict=False)]
    parts: dict[str, PartState]
    in_inventory: bool
    removed_at: str | None = None  # as long as the site lists it
    unobserved: dict[str, str]
    sources: dict[str, str]

    content_hash: str | None = None
    run_id: str
    scraped_at: str
    processing_time: Annotated[float, Field(ge=0)]

    def __repr__(self) -> str:
        return f"SiteEvent({self.event_id}, {self.title!r}, {self.outcome})"

    __str__ = __repr__  # a log line names an event, it does not recite it


REQUIRED = ("title", "start", "location", "description")
"""What an event must have, where the entry of its site names nothing else."""

_SAID_BY_NULL = frozenset(("removed_at",))


def broken_promises(event: SiteEvent) -> list[str]:
    """Say in words each promise of the contract that this event breaks; none is good."""
    broken = []
    for field in SiteEvent.model_fields:
        is_null = getattr(event, field) is None and field not in _SAID_BY_NULL
        if is_null and field not in event.unobserved:
            broken.append(f"{field} is null without a reason")
        if not is_null and field in event.unobserved:
            broken.append(f"{field} has a value and a reason for having none")
    if not event.event_id.startswith(f"{event.site}-"):
        broken.append("an event with the id of another site")
    states = [event.parts.get(part) for part in (LIST, DETAIL)]
    if not any(state is not None and state.status is PartStatus.OK for state in states):
        broken.append("an event without an answer")
    return broken
