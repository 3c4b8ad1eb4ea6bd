"""What the exports of the sites' events have besides what all have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from n8n_scraper.core.source import Record
from n8n_scraper.exports.content import ContentFilter
from n8n_scraper.exports.of_source import SourceExports
from n8n_scraper.sources.events.item import SiteEvent

NOTE = (
    "Every event is announced by its organiser on the site that is named with it: its words and "
    "pictures are theirs, and the terms of that site hold."
)


def attribution(event: SiteEvent) -> dict[str, Any]:
    """Say whose an event is, and where it is announced."""
    return {
        "event_id": event.event_id,
        "title": event.title,
        "site": event.site,
        "organiser": event.organiser,
        "url": event.url,
        "removed_at": event.removed_at,
    }


def _categories(record: Record) -> Iterable[str]:
    return record["categories"] or ()


def _site(record: Record) -> Iterable[str]:
    return (record["site"],)


EXPORTS = SourceExports(
    note=NOTE,
    attribution=attribution,
    filters=(
        ContentFilter("category", ("categories",), _categories),
        ContentFilter("site", ("site",), _site),
    ),
)
