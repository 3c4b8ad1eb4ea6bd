"""Read events in the JSON of an answer or of a page's own program: objects under usual keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from n8n_scraper.reading.moments import zone_of
from n8n_scraper.reading.prices import read_price
from n8n_scraper.reading.states import state_of
from n8n_scraper.reading.structured.json_ld import nodes
from n8n_scraper.reading.values import Price
from n8n_scraper.sources.events.adapters import keys
from n8n_scraper.sources.events.adapters.draft import Draft
from n8n_scraper.sources.events.adapters.page import Page
from n8n_scraper.sources.events.adapters.record import (
    Record,
    first,
    is_dated,
    simple,
    when_of,
    zone_within,
)
from n8n_scraper.sources.events.adapters.values import (
    addresses,
    all_words,
    degrees,
    words,
    yes_or_no,
)
from n8n_scraper.sources.events.found import Found, Place

_MOST_RECORDS = 2_000


def in_records(data: Any, place: str, page: Page) -> list[Found]:
    """Give the events among the objects of the data; `place` is where these stand."""
    events = (_event(record, place, page) for record in islice(_records(data), _MOST_RECORDS))
    return [event for event in events if event]


def _records(data: Any) -> Iterator[Record]:
    """Give each object that is an event: of a list that holds such, or by its own word."""
    if isinstance(data, list):
        yield from _of_list(data, {}, of_events=False)
    for node in nodes(data):
        if words(node.get("__typename")) == "Event":
            yield simple(node)
        for key, value in node.items():
            name = keys.simple(str(key))
            of_events = bool(keys.OF_EVENTS.search(name))
            if isinstance(value, list) and (of_events or name in keys.LISTS):
                beside = _beside(node) if len(value) == 1 else {}
                yield from _of_list(value, beside, of_events=of_events)


def _of_list(found: list[Any], beside: Record, *, of_events: bool) -> Iterator[Record]:
    records = [
        {**beside, **simple(_unwrapped(one))}
        for one in found
        if isinstance(one, dict) and "@type" not in one
    ]
    titled = [one for one in records if first(one, keys.TITLE) and not _is_typed(one)]
    if of_events or any(is_dated(one) for one in titled):
        yield from titled


def _beside(node: dict[str, Any]) -> Record:
    """Give what stands beside a single object, in other lists of things without a name.

    A page about one event has its name in one list and its place and times in the next.
    """
    found: Record = {}
    for value in node.values():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            one = simple(value[0])
            found = found if first(one, keys.TITLE) else {**one, **found}
    return found


def _is_typed(record: Record) -> bool:
    """Whether an object is one of schema.org's, is taken anyway, or is news and no event."""
    kind = words(first(record, keys.KIND)) or ""
    taken_anyway = record.get("typename") == "Event"
    return taken_anyway or "context" in record or kind.lower() in keys.NO_EVENTS


def _unwrapped(one: Record) -> Record:
    """Take an object out of another that only holds it."""
    for name in ("node", "properties", "event", "_source", "fields"):
        inner = one.get(name)
        if isinstance(inner, dict) and len(inner) > 1:
            outside = {key: value for key, value in one.items() if not isinstance(value, dict)}
            return {**outside, **inner}
    return one


def _event(record: Record, place: str, page: Page) -> Found | None:
    draft = Draft(page, place)
    draft.title(words(first(record, keys.TITLE)))
    draft.text("source_event_id", words(first(record, keys.ID)))
    for address in addresses(first(record, keys.URL))[:1]:
        draft.link(address)
    zone = words(first(record, keys.ZONE)) or zone_within(first(record, keys.START))
    calendar = page.calendar
    if known := zone_of(zone):
        draft.set("timezone", known.key)
        calendar = replace(calendar, zone=known)
    draft.when(when_of(record, calendar))
    draft.venue(_place(record))
    draft.price(_price(record, page))
    draft.description(words(first(record, keys.DESCRIPTION)))
    draft.images(address for name in keys.IMAGES for address in addresses(record.get(name)))
    draft.categories(one for one in all_words(first(record, keys.CATEGORY)) if len(one) > 2)
    draft.text("organiser", words(first(record, keys.ORGANISER)))
    draft.status(state_of(words(first(record, keys.STATUS))))
    if yes_or_no(first(record, keys.CANCELLED)):
        draft.status(state_of("cancelled"))
    return draft.done()


def _place(record: Record) -> Place | None:
    several = first(record, keys.TIMES)
    if first(record, keys.VENUE) is None and isinstance(several, list) and several:
        record = {**(simple(several[0]) if isinstance(several[0], dict) else {}), **record}
    venue = first(record, keys.VENUE)
    within = simple(venue) if isinstance(venue, dict) else {}
    geo = next(
        (
            simple(one)
            for name in ("geo", "coordinates", "position", "location")
            if isinstance(one := within.get(name, record.get(name)), dict)
        ),
        {},
    )
    around = {**record, **geo, **within}
    latitude = degrees(first(around, keys.LATITUDE), 90)
    longitude = degrees(first(around, keys.LONGITUDE), 180)
    both = latitude is not None and longitude is not None and (latitude, longitude) != (0, 0)
    place = Place(
        name=_one_line(venue),
        address=_one_line(first(within, keys.ADDRESS) or first(record, keys.ADDRESS)),
        city=_one_line(first(within, keys.CITY) or first(record, keys.CITY)),
        latitude=latitude if both else None,
        longitude=longitude if both else None,
    )
    return place if place != Place() else None


def _one_line(value: Any) -> str | None:
    found = words(value)
    return " ".join(found.split())[:500] if found else None


def _price(record: Record, page: Page) -> Price | None:
    free = yes_or_no(first(record, keys.FREE))
    currency = (words(first(record, keys.CURRENCY)) or "").upper()
    currency_known = currency if re.fullmatch(r"[A-Z]{3}", currency) else page.hints.currency
    told = list(dict.fromkeys(all_words(first(record, keys.PRICE))))
    if not told:
        bounds = (words(first(record, keys.LEAST)), words(first(record, keys.MOST)))
        told = list(dict.fromkeys(text for text in bounds if text))
    if not told:
        return Price(text="is free", amounts=(), is_free=True) if free else None
    found = read_price(", ".join(told), currency_known)
    if found and found.is_free is None and free is not None:
        return Price(found.text, found.amounts, found.currency, is_free=free)
    return found
