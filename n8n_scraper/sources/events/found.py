"""An event exactly as a page has it, and what has to be known to read it.

What a page does not say is None, or empty where there may be several. Nothing is made up: an event
whose day could not be read has no start, and `doubts` say why; the words are in `when`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from n8n_scraper.core.errors import BadInput
from n8n_scraper.reading.moments import zone_of
from n8n_scraper.reading.values import Occurrence, Price, Status
from n8n_scraper.sources.events.selectors import KEYS, compiled

MOST_IMAGES = 3


@dataclass(frozen=True, slots=True)
class Hints:
    """What is known of a source before its page is read."""

    timezone: str
    """The IANA name of the zone that times without one are in, such as "Asia/Macau"."""
    currency: str | None
    """The ISO code of an amount whose currency is not told."""
    selectors: Mapping[str, str]
    """CSS: `item` is the card of an event, the others are looked for in each card.

    They are `id`, `title`, `link`, `start`, `end`, `date`, `time`, `venue` (or `location`),
    `price`, `image`, `description`, `status`; "selector@attribute" takes an attribute.
    """
    today: date
    """The day on which the page was asked for; what a day without a year is measured by."""
    encoding: str | None = None
    """That of the answer's header; None where it told none."""

    def __post_init__(self) -> None:
        if zone_of(self.timezone) is None:
            raise BadInput(f"{self.timezone!r} is no time zone: write one as Asia/Macau.")
        for key, selector in self.selectors.items():
            if key not in KEYS:
                known = ", ".join(sorted(KEYS))
                raise BadInput(f"{key!r} is nothing that can be selected; there are: {known}.")
            compiled(selector)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an event takes place."""

    name: str | None = None
    address: str | None = None
    city: str | None = None
    latitude: float | None = None
    longitude: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """An event as a page has it; every moment is in UTC."""

    timezone: str
    """The zone that the event is announced in: the page's own word, else the hint."""
    source_event_id: str | None = None
    title: str | None = None
    url: str | None = None
    """The address of the event, absolute, as the page gives it."""
    detail_url: str | None = None
    """The page with more about it, where that is another than the one that was read."""
    start: datetime | None = None
    end: datetime | None = None
    """The end of the last occurrence: exclusive, None where it is not told."""
    all_day: bool | None = None
    """True where days are told and no times; None without a day, or where some have times."""
    occurrences: tuple[Occurrence, ...] = ()
    when: str | None = None
    """The words that days and times were read from."""
    doubts: tuple[str, ...] = ()
    """What in the words could not be understood or does not fit together."""
    venue: Place | None = None
    price: Price | None = None
    description: str | None = None
    images: tuple[str, ...] = ()
    """At most three, absolute; pictures of the event, never one that stands for none."""
    categories: tuple[str, ...] = ()
    organiser: str | None = None
    status: Status | None = None
    """None where the page does not say."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """For each field that has a value, the place it was read from, such as "json-ld"."""
