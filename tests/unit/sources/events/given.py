"""Events as pages have them, and dossiers of them."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from n8n_scraper.core.computing import compute
from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.source import Provenance
from n8n_scraper.sources.events.event import assemble, read
from n8n_scraper.sources.events.found import Found, Hints, Place
from n8n_scraper.sources.events.item import SiteEvent
from n8n_scraper.sources.events.pieces import Piece
from n8n_scraper.sources.events.rules.computed import COMPUTED

HINTS = Hints("Asia/Macau", "MOP", {}, date(2026, 11, 19))
LIST_URL = "https://city.example/events"
START = datetime(2026, 12, 5, 12, tzinfo=UTC)
SEEN = "2026-11-19T02:00:00.000Z"


def a_found(place: str = "json-ld", **fields: Any) -> Found:
    """An event as a place of a page has it."""
    said = {"title": "Lanterns", "start": START, "venue": Place("Harbour Hall")} | fields
    sources = {name: place for name, value in said.items() if value not in (None, ())}
    return Found(timezone="Asia/Macau", **said, sources=sources)


def linked_data(**said: Any) -> dict[str, Any]:
    """An event as a page tells it to programs."""
    return {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": "Lanterns",
        "url": "/event/lanterns",
        "startDate": "2026-12-05T20:00:00+08:00",
        "endDate": "2026-12-05T22:00:00+08:00",
        "location": {"@type": "Place", "name": "Harbour Hall"},
        "description": "By the water.",
    } | said


def a_page(*events: dict[str, Any], body: str = "") -> bytes:
    """A page with such events."""
    scripts = "".join(
        f'<script type="application/ld+json">{json.dumps(one)}</script>' for one in events
    )
    return f"<!DOCTYPE html><html><head>{scripts}</head><body>{body}</body></html>".encode()


def a_piece(body: bytes, url: str = LIST_URL, **more: Any) -> Piece:
    """A page, or a part of one, as it is kept."""
    return replace(Piece(url, "text/html; charset=utf-8", HINTS, body), **more)


def made(item_id: str, at: str = SEEN, **pieces: Piece) -> SiteEvent:
    """The event that is made of these pieces, by their parts."""
    dossier = Dossier(Planned(item_id), started=0.0)
    for part, piece in pieces.items():
        read(dossier, Answer(part, piece.url, 200, piece.written(), at))
    item = assemble(dossier, Provenance(LIST_URL, "run", at, 0.5))
    compute(COMPUTED, item)
    return item
