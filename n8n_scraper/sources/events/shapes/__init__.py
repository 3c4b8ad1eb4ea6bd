"""Write the pages of the ten sites, each in the shape that its site is known to have."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from urllib.parse import parse_qs, urlsplit

from n8n_scraper.sources.events.invented import Invented
from n8n_scraper.sources.events.shapes.drawn import DATA, DRAWN
from n8n_scraper.sources.events.shapes.page import linked_data, page_of, script
from n8n_scraper.sources.events.shapes.plain import PLAIN

PATHS: Mapping[str, str] = {
    "mgto": "/mgto/en/events/calendar",
    "broadway": "/broadway/upcoming-events-and-concerts/",
    "galaxy": "/galaxy/ticketing/event-list/",
    "venetian": "/venetian/entertainment.html",
    "londoner": "/londoner/macau-events-shows",
    "timable": "/timable/en/search/event",
    "studio_city": "/studio_city/en/entertainment/events",
    "mgm": "/mgm/en/entertainment/events",
    "asiaworld_expo": "/asiaworld_expo/en/event-calendar",
    "hk_coliseum": "/hk_coliseum/en/hkcoliseum/",
}
"""Where the list of each site stands."""

_LISTS = {**PLAIN, **DRAWN}


def listed(site: str, events: Sequence[Invented], target: str) -> bytes | None:
    """What a path of a site's list answers; None where it has no such path."""
    parts = urlsplit(target)
    asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
    if parts.path.rstrip("/") == PATHS[site].rstrip("/"):
        return _LISTS[site](events, asked)
    data = DATA.get(site)
    return data(events, asked) if data and parts.path == f"/{site}/data" else None


def detail(event: Invented) -> bytes:
    """The page of an event."""
    told = f"<main><h1>{escape(event.title)}</h1></main>"
    if not event.is_drawn:
        return page_of(event.title, told, script(linked_data(event)))
    said = json.dumps(script(linked_data(event))).replace("</", "<\\/")
    drawing = f"<script>document.body.insertAdjacentHTML('beforeend', {said});</script>"
    return page_of(event.title, told + drawing)
