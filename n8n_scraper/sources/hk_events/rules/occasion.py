"""Say what an event announces, so that others that announce the same are found."""

from __future__ import annotations

from typing import Any

from n8n_scraper.core.occasion import WANTED, Occasion, Occasions, known_share
from n8n_scraper.core.source import Record
from n8n_scraper.sources.hk_events.source import SOURCE

_CITY = "Hong Kong"


def occasion_of(record: Record) -> Occasion:
    """Give what takes place, in both languages; it begins with its first day."""
    first = (record["occurrences"] or [None])[0]
    venue: dict[str, Any] = record["venue"] or {}
    return Occasion(
        site=SOURCE.name,
        titles=_known(record["title"], record["title_zh"]),
        day=first["date"] if first else None,
        moment=first["start"] if first and not first["all_day"] else None,
        venues=_known(venue.get("name"), venue.get("name_zh")),
        city=_CITY,
        position=_position(venue.get("latitude"), venue.get("longitude")),
        addresses=_known(record["url"], record["ticket_url"]),
        completeness=known_share(record),
    )


def _known(*texts: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, texts)))


def _position(latitude: float | None, longitude: float | None) -> tuple[float, float] | None:
    return None if latitude is None or longitude is None else (latitude, longitude)


OCCASIONS = Occasions(
    fields=(*WANTED, "title_zh", "occurrences", "ticket_url"),
    of=occasion_of,
)
"""By what events are matched."""
