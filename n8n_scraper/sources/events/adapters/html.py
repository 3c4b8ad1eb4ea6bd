"""Read the events of a page, or of a piece of one, from all places that it has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lxml import etree

from n8n_scraper.reading.structured.open_graph import open_graph
from n8n_scraper.reading.structured.state import states
from n8n_scraper.sources.events.adapters.by_selectors import by_selectors
from n8n_scraper.sources.events.adapters.draft import Draft
from n8n_scraper.sources.events.adapters.marked import in_microformats
from n8n_scraper.sources.events.adapters.page import Page
from n8n_scraper.sources.events.adapters.records import in_records
from n8n_scraper.sources.events.adapters.schema_org import in_json_ld, in_microdata, in_rdfa
from n8n_scraper.sources.events.found import Found


def in_html(root: etree._Element, page: Page) -> Iterator[Found]:
    """Give the events of every place, the best place first; one event may come several times."""
    yield from in_json_ld(root, page)
    yield from in_microdata(root, page)
    yield from in_rdfa(root, page)
    for name, data in states(root):
        yield from in_records(data, name, page)
    yield from in_microformats(root, page)
    yield from by_selectors(root, page)


def with_its_head(events: list[Found], root: etree._Element, page: Page) -> list[Found]:
    """Fill what a page about one event lacks with what its head says of the page."""
    if len(events) != 1:
        return events
    [event] = events
    draft = Draft(page, "open-graph")
    for graph in open_graph(root):
        said = dict(reversed(graph["properties"]))
        draft.title(said.get("og:title"))
        draft.description(said.get("og:description"))
        draft.images(value for name, value in graph["properties"] if name == "og:image")
    head = draft.done()
    if head is None or not _is_of(event, head.title, page):
        return events
    changes: dict[str, Any] = {
        name: getattr(head, name)
        for name in ("description", "images")
        if not getattr(event, name) and getattr(head, name)
    }
    sources = {**event.sources, **dict.fromkeys(changes, "open-graph")}
    return [replace(event, **changes, sources=sources)]


def _is_of(event: Found, title: str | None, page: Page) -> bool:
    """Whether a page is about this event: its own address, or a title that begins alike."""
    own = page.url.partition("#")[0].rstrip("/")
    if event.url and event.url.partition("#")[0].partition("?")[0].rstrip("/") == own:
        return True
    return bool(event.title and title and title.lower().startswith(event.title.lower()))
