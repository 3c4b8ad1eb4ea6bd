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
    settings={"HK_EVENTS_URL": "https://www.lcsd.gov.hk/datagovhk/event"},
    home="n8n_scraper.sources.hk_events.kind",
    stand_in="n8n_scraper.sources.hk_events.stand_in",
)
