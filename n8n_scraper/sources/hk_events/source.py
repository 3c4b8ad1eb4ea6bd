"""What every command knows about the open data of Hong Kong's leisure department."""

from __future__ import annotations

from typing import Final

from n8n_scraper.core.source import Ids, Noun, Source

FILES = ("venues.xml", "eventDates.xml", "events.xml")
"""In the order in which they are asked for: what an event refers to comes before the events."""

PART: Final = "event"
"""The one answer that an event is made of: its own pieces of the three files."""

SOURCE = Source(
    name="hk_events",
    spider="hk_events",
    noun=Noun("event", "events"),
    key="event_id",
    ids=Ids(r"[0-9]{1,18}", "numbers", "180001,180002"),
    parts=(PART,),
    bases=("HK_EVENTS_URL",),
    inventory_requests=len(FILES),
    settings={"HK_EVENTS_URL": "https://www.lcsd.gov.hk/datagovhk/event"},
    home="n8n_scraper.sources.hk_events.kind",
    stand_in="n8n_scraper.sources.hk_events.stand_in",
    exports="n8n_scraper.sources.hk_events.exports",
)
