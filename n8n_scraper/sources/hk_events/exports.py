"""What the exports of events have besides what all have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from n8n_scraper.core.source import Record
from n8n_scraper.exports.content import ContentFilter
from n8n_scraper.exports.of_source import SourceExports
from n8n_scraper.sources.hk_events.item import Event

NOTE = (
    "Every event is announced by its organiser, and published as open data by the Leisure and "
    "Cultural Services Department of Hong Kong; the terms of use of DATA.GOV.HK hold."
)


def attribution(event: Event) -> dict[str, Any]:
    """Say whose an event is, and where it is announced."""
    return {
        "event_id": event.event_id,
        "title": event.title,
        "organiser": event.organiser,
        "url": event.url,
        "removed_at": event.removed_at,
    }


def _categories(record: Record) -> Iterable[str]:
    return record["categories"] or ()


EXPORTS = SourceExports(
    note=NOTE,
    attribution=attribution,
    filters=(ContentFilter("category", ("categories",), _categories),),
)
