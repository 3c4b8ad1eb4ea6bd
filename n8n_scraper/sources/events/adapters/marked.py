"""Read events that a page marks with classes: microformats."""

from __future__ import annotations

from typing import Any

from lxml import etree

from n8n_scraper.reading.structured.microformats import microformats
from n8n_scraper.reading.whens import read_from_to
from n8n_scraper.sources.events.adapters.draft import Draft
from n8n_scraper.sources.events.adapters.page import Page
from n8n_scraper.sources.events.found import Found, Place

_MOST = 2_000


def in_microformats(root: etree._Element, page: Page) -> list[Found]:
    """Give the events that are marked so."""
    found = (_event(one["properties"], page) for one in microformats(root)[:_MOST])
    return [event for event in found if event]


def _event(said: dict[str, list[Any]], page: Page) -> Found | None:
    draft = Draft(page, "microformats")
    draft.title(_one(said, "name"))
    draft.link(_one(said, "url"))
    if start := _one(said, "start"):
        draft.when(read_from_to(start, _one(said, "end"), page.calendar))
    if name := _one(said, "location"):
        draft.venue(Place(name=name))
    draft.description(_one(said, "description") or _one(said, "summary"))
    draft.images(said.get("photo", said.get("featured", [])))
    draft.categories(said.get("category", []))
    return draft.done()


def _one(said: dict[str, list[Any]], name: str) -> str | None:
    return next((value for value in said.get(name, []) if value), None)
