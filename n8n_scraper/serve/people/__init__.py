"""The pages of whoever looks for an item: search, the item itself, what is new, and feeds."""

from __future__ import annotations

from aiohttp import web

from n8n_scraper.serve.pages.navigation import add_link
from n8n_scraper.serve.people import changes, facets, items, search, versions
from n8n_scraper.serve.people.places import PLACES, places


def add_to(app: web.Application) -> None:
    """Add those of every source whose items are searched."""
    app[PLACES] = {place.source.name: place for place in places()}
    for place in app[PLACES].values():
        for part in (search, facets, changes, versions, items):
            part.add_to(app, place)
        add_link(app, place.path, place.words)
