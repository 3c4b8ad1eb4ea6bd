"""Write what was found of an event as the fields of the item; what is not there is None."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from n8n_scraper.reading.values import Price
from n8n_scraper.sources.events.found import Found, Place
from n8n_scraper.sources.events.item import Occurrence, Venue

READ_OF: Mapping[str, str] = {
    **{name: name for name in ("source_event_id", "url", "title", "description", "organiser")},
    **{name: name for name in ("images", "categories", "status", "timezone")},
    **{name: name for name in ("start", "end", "all_day", "occurrences")},
    "schedule": "when",
    "schedule_doubts": "doubts",
    **dict.fromkeys(("location", "venue"), "venue"),
    **dict.fromkeys(("price", "price_min", "price_max", "currency", "is_free"), "price"),
}
"""What was found, by the field of the item that says it."""


def said(found: Found) -> dict[str, Any]:
    """Give the fields that the pages speak of."""
    return {
        "source_event_id": found.source_event_id,
        "url": found.url or found.detail_url,
        "title": found.title,
        "start": _text(found.start),
        "end": _text(found.end),
        "timezone": found.timezone,
        "all_day": found.all_day,
        "occurrences": [
            Occurrence(start=_moment(one.start), end=_text(one.end), all_day=one.all_day)
            for one in found.occurrences
        ],
        "schedule": found.when,
        "schedule_doubts": list(found.doubts),
        "location": _location(found.venue),
        "venue": _venue(found.venue),
        **_price(found.price),
        "description": found.description,
        "images": list(found.images),
        "categories": list(found.categories),
        "organiser": found.organiser,
        "status": found.status,
    }


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else _moment(moment)


def _location(place: Place | None) -> str | None:
    """Say in one line where it is, each word once."""
    if place is None:
        return None
    line = ""
    for one in (place.name, place.address, place.city):
        if one and one not in line:
            line = f"{line}, {one}" if line else one
    return line or None


def _venue(place: Place | None) -> Venue | None:
    if place is None:
        return None
    return Venue(
        name=place.name,
        address=place.address,
        city=place.city,
        latitude=place.latitude,
        longitude=place.longitude,
    )


def _price(price: Price | None) -> dict[str, Any]:
    if price is None:
        return dict.fromkeys(("price", "price_min", "price_max", "currency", "is_free"))
    return {
        "price": price.text or None,
        "price_min": min(price.amounts) if price.amounts else None,
        "price_max": max(price.amounts) if price.amounts else None,
        "currency": price.currency,
        "is_free": price.is_free,
    }
