"""Where the items of each source are shown."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, unquote

from aiohttp import web

from n8n_scraper.core.source import Source
from n8n_scraper.serve.segments import segments
from n8n_scraper.sources import all_sources

LONGEST_VALUE = 200
"""The most signs of a value of a facet that a page is about."""


@dataclass(frozen=True, slots=True)
class Place:
    """The pages of one source."""

    source: Source
    path: str

    def item(self, item_id: str) -> str:
        """Give the address of an item's page."""
        return f"{self.path}/{quote(item_id, safe='')}"

    def facet(self, name: str, value: str | None = None) -> str:
        """Give the address of the page of all values of a facet, or of one of them."""
        page = f"{self.path}/by/{quote(name, safe='')}"
        # What no person has written as a name has no page of its own.
        is_one = value is not None and len(value) <= LONGEST_VALUE
        return f"{page}/{quote(value, safe='')}" if value and is_one else page

    @property
    def words(self) -> str:
        """What it is called in a list of all places."""
        return unquote(self.path[1:]).replace("_", " ").capitalize()

    @property
    def changes(self) -> str:
        """The address of what is new and changed."""
        return f"{self.path}/changes"


PLACES: web.AppKey[dict[str, Place]] = web.AppKey("PLACES", dict[str, Place])


def places() -> list[Place]:
    """Give the place of each source that is searched."""
    names = segments()
    return [
        Place(source, f"/{quote(names[source.name])}")
        for source in all_sources()
        if source.kind().searched is not None
    ]
