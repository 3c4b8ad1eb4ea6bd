"""Say what an event announces, so that others that announce the same are found."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from n8n_scraper.core.occasion import WANTED, Occasion, Occasions, known_share
from n8n_scraper.core.source import Record


def occasion_of(record: Record) -> Occasion:
    """Give what takes place; it begins on the day that its first moment is where it is held."""
    venue: dict[str, Any] = record["venue"] or {}
    start = record["start"]
    return Occasion(
        site=record["site"],
        titles=_known(record["title"]),
        day=_day(start, record["timezone"]) if start else None,
        moment=start if record["all_day"] is False else None,
        venues=_known(venue.get("name")),
        city=venue.get("city"),
        position=_position(venue.get("latitude"), venue.get("longitude")),
        addresses=_known(record["url"]),
        completeness=known_share(record),
    )


def _day(moment: str, zone: str) -> str:
    return datetime.fromisoformat(moment).astimezone(ZoneInfo(zone)).date().isoformat()


def _known(*texts: str | None) -> tuple[str, ...]:
    return tuple(filter(None, texts))


def _position(latitude: float | None, longitude: float | None) -> tuple[float, float] | None:
    return None if latitude is None or longitude is None else (latitude, longitude)


OCCASIONS = Occasions(
    fields=(*WANTED, "site", "all_day", "timezone"),
    of=occasion_of,
)
"""By what events are matched."""
