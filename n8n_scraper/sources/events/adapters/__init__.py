"""Gives the events of a page, from the best place that has them.

Structured data come first: what a page says to programs it says once and without decoration. What
several places say of one event is joined, field by field, and each field tells where it is from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lxml import etree

from n8n_scraper.reading.structured.document import decoded, elements, tree_of
from n8n_scraper.reading.structured.json_text import read_json
from n8n_scraper.sources.events.adapters.feeds import in_calendar, in_feed
from n8n_scraper.sources.events.adapters.html import in_html, with_its_head
from n8n_scraper.sources.events.adapters.images import without_shared
from n8n_scraper.sources.events.adapters.merging import merged
from n8n_scraper.sources.events.adapters.page import Page, base_of, page_of
from n8n_scraper.sources.events.adapters.records import in_records
from n8n_scraper.sources.events.adapters.schema_org import in_linked_data
from n8n_scraper.sources.events.found import Found, Hints

_PIECE = re.compile(
    r"<(?:div|article|li|ul|section|script|a|h[1-6]|table|tr)\b[^>]*>", re.IGNORECASE
)
_MOST_PIECES, _MOST_OF_PIECES = 300, 4_000_000


def found_in(body: bytes, url: str, content_type: str | None, hints: Hints) -> list[Found]:
    """Give the events that an answer holds, in its order; none is an empty list.

    Whatever the bytes are, nothing is raised.
    """
    text = decoded(body, hints.encoding, content_type)
    page = page_of(text, url, hints)
    return without_shared(_read(text, page, (content_type or "").lower()))


def _read(text: str, page: Page, content_type: str) -> list[Found]:
    begins = text[:1000].lstrip("\ufeff \t\r\n")
    if begins[:15].upper() == "BEGIN:VCALENDAR":
        return merged(in_calendar(text, page))
    if begins[:1] in ("{", "["):
        try:
            data = read_json(text)
        except ValueError:
            return []
        return merged(_in_json(data, page))
    if (
        "xml" in content_type or begins.startswith("<?xml") or re.match(r"<(?:rss|feed)\b", begins)
    ) and ((found := in_feed(text, page)) is not None):
        return merged(found)
    root = tree_of(text)
    if root is None:
        return []
    if told := _json_in_a_browser(root):
        return _read(told, page, "")
    page = replace(page, base=base_of(root, page.url))
    return with_its_head(merged(in_html(root, page)), root, page)


def _json_in_a_browser(root: etree._Element) -> str | None:
    """Give the JSON of a page that a browser has made of an answer that is nothing else."""
    within = elements(root, "//body/*")
    text = (within[0].text or "").lstrip() if within and within[0].tag == "pre" else ""
    return text if text[:1] in ("{", "[") and len(within[0]) == 0 else None


def _in_json(data: Any, page: Page) -> Iterator[Found]:
    """Give the events of JSON; first those of the pieces of pages that it holds."""
    for piece in _pieces(data):
        root = tree_of(piece)
        if root is not None:
            yield from in_html(root, page)
    yield from in_linked_data(data, page)
    yield from in_records(data, "json", page)


def _pieces(data: Any) -> Iterator[str]:
    """Give the texts that are HTML, of what is more than a word in bold."""
    waiting, pieces, length = [data], 0, 0
    while waiting and pieces < _MOST_PIECES and length < _MOST_OF_PIECES:
        one = waiting.pop()
        if isinstance(one, str):
            if len(one) > 40 and _PIECE.search(one, 0, 2_000):
                pieces, length = pieces + 1, length + len(one)
                yield one
        elif isinstance(one, (dict, list)):
            within = list(one.values()) if isinstance(one, dict) else one
            waiting += reversed(within)
