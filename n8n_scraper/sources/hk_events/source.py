"""What every command knows about the open data of Hong Kong's leisure department."""

from __future__ import annotations

from n8n_scraper.core.source import Noun, Source

SOURCE = Source(
    name="hk_events",
    spider="hk_events",
    noun=Noun("event", "events"),
    key="event_id",
    parts=("event",),
    bases=("HK_EVENTS_URL",),
    home="n8n_scraper.sources.hk_events.kind",
)
