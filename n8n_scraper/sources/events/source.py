"""What every command knows about the events of the sites of the sources file."""

from __future__ import annotations

from typing import Final

from n8n_scraper.core.source import Ids, Noun, Source

LIST: Final = "list"
"""What the site's list of events says of one: its own piece of it."""

DETAIL: Final = "detail"
"""The page of the event itself, where it has one."""

SITE: Final = "site"
"""The argument of the spider, and the field of an event, that names its site."""

ADDRESS: Final = "EVENTS_URL"
"""The setting that says where the site is that a crawl is about; its entry fills it."""

SOURCE = Source(
    name="events",
    place=2,
    spider="events",
    noun=Noun("event", "events"),
    key="event_id",
    ids=Ids(
        r"[a-z][a-z0-9_-]*-[0-9a-f]{16}",
        "a site's name and 16 signs",
        "galaxy-0123456789abcdef,galaxy-fedcba9876543210",
    ),
    parts=(LIST, DETAIL),
    bases=(ADDRESS,),
    inventory_requests=1,
    settings={ADDRESS: ""},
    home="n8n_scraper.sources.events.kind",
    stand_in="n8n_scraper.sources.events.stand_in",
    exports="n8n_scraper.sources.events.exports",
    divided_by=SITE,
)
