"""What is true of the invented events, as far as the page of their site tells it."""

from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any

from n8n_scraper.sources.events.invented import Invented
from n8n_scraper.sources.events.shapes import PATHS

SOCIETY = "The Lamplight Society"
NOT_TOLD: dict[str, Any] = {
    **dict.fromkeys(("source_event_id", "end", "location", "description", "organiser", "url")),
    **dict.fromkeys(("price_min", "price_max", "currency", "is_free")),
    "categories": [],
    "images": [],
    "all_day": False,
}
"""What stands in the fields of which a site says nothing."""


def truth_of(event: Invented, site_url: str) -> dict[str, Any]:
    """Give every value that a reader must find of an event."""
    said = {
        "site": event.site,
        "title": event.title,
        "start": text(event.start),
        "timezone": "Asia/Hong_Kong" if event.site in ("asiaworld_expo", "hk_coliseum") else MACAU,
        "status": "cancelled" if event.is_cancelled else "active",
    }
    return NOT_TOLD | said | _TOLD[event.site](event, site_url)


MACAU = "Asia/Macau"


def text(moment: datetime) -> str:
    """Write a moment as it stands in every table."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def _titled(event: Invented) -> str:
    return f"{event.title} (Cancelled)" if event.is_cancelled else event.title


def _of_data(event: Invented, site_url: str) -> dict[str, Any]:
    """What the JSON-LD of an event says."""
    return {
        "end": text(event.end),
        "location": f"{event.venue}, Macau",
        "description": event.description,
        "organiser": SOCIETY,
        "images": [f"{site_url}/pictures/{event.key}.jpg"],
        "price_min": event.lowest,
        "price_max": event.highest,
        "currency": "MOP",
        "is_free": not event.highest,
    }


def _mgto(event: Invented, site_url: str) -> dict[str, Any]:
    behind = event.days[-1] + timedelta(days=1)
    return {
        "title": _titled(event),
        "start": text(event.at(event.days[0], time())),
        "end": text(event.at(behind, time())),
        "all_day": True,
        "url": f"{site_url}/mgto/{event.key}",
    }


def _broadway(event: Invented, site_url: str) -> dict[str, Any]:
    return _of_data(event, site_url) | {"url": f"{site_url}/broadway/event/{event.key}"}


def _galaxy(event: Invented, site_url: str) -> dict[str, Any]:
    return _of_data(event, site_url) | {"url": f"{site_url}{PATHS['galaxy']}{event.key}"}


def _card(event: Invented, _site_url: str) -> dict[str, Any]:
    """What a text card says: no end, and the lowest price alone."""
    paid = {"price_min": event.lowest, "price_max": event.lowest, "currency": "MOP"}
    return {
        "title": _titled(event),
        "location": event.venue,
        "is_free": not event.highest,
        **(paid if event.highest else {}),
    }


def _timable(event: Invented, site_url: str) -> dict[str, Any]:
    return _of_data(event, site_url) | {"url": f"{site_url}/timable/en/event/{event.key}"}


def _studio_city(event: Invented, site_url: str) -> dict[str, Any]:
    return {
        "source_event_id": event.key,
        "end": text(event.end),
        "location": event.venue,
        "description": event.description,
        "url": f"{site_url}/studio_city/{event.key}",
    }


def _mgm(event: Invented, _site_url: str) -> dict[str, Any]:
    return {
        "source_event_id": str(1000 + event.number),
        "title": _titled(event),
        "end": text(event.end),
        "location": event.venue,
    }


def _asiaworld_expo(event: Invented, site_url: str) -> dict[str, Any]:
    kinds = {"Concert": "MusicEvent", "Exhibition": "ExhibitionEvent"}
    return {
        "title": _titled(event),
        "end": text(event.end),
        "location": event.venue,
        "categories": [kinds.get(event.kind, "BusinessEvent")],
        "url": f"{site_url}/asiaworld_expo/{event.key}",
    }


def _hk_coliseum(event: Invented, _site_url: str) -> dict[str, Any]:
    paid = {"price_min": event.lowest, "price_max": event.highest, "currency": "HKD"}
    return {
        "title": _titled(event),
        "is_free": not event.highest,
        **(paid if event.highest else {}),
    }


_TOLD: dict[str, Callable[[Invented, str], dict[str, Any]]] = {
    "mgto": _mgto,
    "broadway": _broadway,
    "galaxy": _galaxy,
    "venetian": _card,
    "londoner": _card,
    "timable": _timable,
    "studio_city": _studio_city,
    "mgm": _mgm,
    "asiaworld_expo": _asiaworld_expo,
    "hk_coliseum": _hk_coliseum,
}
