"""Write what the pages of all sites have."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from n8n_scraper.sources.events.invented import Invented

Asked = Mapping[str, str]
"""What stands behind the question mark."""

Shape = Callable[[Sequence[Invented], Asked], bytes]
"""Writes an answer of a site."""

AT_ONCE = 3
"""How many events a page shows at first, where more come with scrolling or on a further page."""

_MENU = (
    '<nav><h3>Hotels</h3><h3>Dining</h3><a href="/about"><img src="/logo.png">About us</a></nav>'
)


def page_of(title: str, body: str, head: str = "") -> bytes:
    """Put a page together, with a menu such as all sites have."""
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"{head}</head><body>{_MENU}{body}</body></html>"
    ).encode()


def linked_data(event: Invented, *, in_utc: bool = False) -> dict[str, Any]:
    """An event as pages tell it to programs."""
    told = (lambda moment: f"{moment:%Y-%m-%dT%H:%M:%SZ}") if in_utc else event.local
    offers = {"@type": "AggregateOffer", "priceCurrency": "MOP"}
    return {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": event.title,
        "startDate": told(event.start),
        "endDate": told(event.end),
        "eventStatus": f"https://schema.org/Event{_status(event)}",
        "location": {
            "@type": "Place",
            "name": event.venue,
            "address": {"@type": "PostalAddress", "addressLocality": "Macau"},
        },
        "description": event.description,
        "image": [f"/pictures/{event.key}.jpg"],
        "offers": {**offers, "lowPrice": event.lowest, "highPrice": event.highest},
        "organizer": {"@type": "Organization", "name": "The Lamplight Society"},
    }


def _status(event: Invented) -> str:
    return "Cancelled" if event.is_cancelled else "Scheduled"


def script(said: object) -> str:
    """Write what is told to programs as a page has it."""
    text = json.dumps(said).replace("</", "<\\/")
    return f'<script type="application/ld+json">{text}</script>'


def title_of(event: Invented) -> str:
    """The title, with what has become of the event behind it."""
    return escape(f"{event.title} (Cancelled)" if event.is_cancelled else event.title)
