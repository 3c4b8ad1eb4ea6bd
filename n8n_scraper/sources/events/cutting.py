"""Cut a page into what speaks of each of its events, so that none is kept with all the others.

A cut is tried and not trusted: it counts where the event that is read of it is the very same as the
one that was read of the page. Where none does, the whole page is kept of that event.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from lxml import etree, html
from parsel.csstranslator import HTMLTranslator

from n8n_scraper.reading.structured.document import decoded, elements, tree_of
from n8n_scraper.sources.events.found import Found
from n8n_scraper.sources.events.pieces import Piece

_MOST_TRIED = 2_000
"""So many cuts of a page are tried at the most."""

_FEED = re.compile(rb"\s*(?:BEGIN:VCALENDAR|<\?xml|<rss|<feed)", re.IGNORECASE)
_BLOCKS = re.compile(
    rb"BEGIN:VEVENT.*?END:VEVENT\r?\n|<item[\s>].*?</item>|<entry[\s>].*?</entry>",
    re.IGNORECASE | re.DOTALL,
)
_LINKED_DATA = "application/ld+json"
_SCRIPTS = f"//script[@type='{_LINKED_DATA}']"
_MICRODATA = "//*[@itemscope][contains(@itemtype, 'Event')]"
_SHORTEST_PAGE = 40
_AROUND = {"tr": ("<table>", "</table>"), "li": ("<ul>", "</ul>")}
"""What must stand around an element so that it is read as one."""


def cut(piece: Piece, founds: Sequence[Found]) -> list[Piece]:
    """Give what to keep for each of the events of a page."""
    left = dict(enumerate(founds))
    pieces = dict.fromkeys(left, piece)
    if len(founds) > 1:  # a page of one event is its own piece
        for smaller in islice(_cuts(piece), _MOST_TRIED):
            index = _which(smaller.founds(), left)
            if index is not None:
                pieces[index] = smaller
                del left[index]
            if not left:
                break
    return [pieces[index] for index in range(len(founds))]


def _which(founds: Sequence[Found], left: dict[int, Found]) -> int | None:
    """Say which of the events a cut holds; None where it is none of them, or not alone."""
    if len(founds) != 1:
        return None
    return next((index for index, whole in left.items() if whole == founds[0]), None)


def _cuts(piece: Piece) -> Iterator[Piece]:
    if _FEED.match(piece.body):
        for body in _of_feed(piece.body):
            yield replace(piece, body=body)
        return
    text = decoded(piece.body, piece.hints.encoding, piece.content_type)
    document = _json_of(text)
    found = _of_page(text, piece) if document is None else _of_json(document, piece)
    hints = replace(piece.hints, encoding="utf-8")
    for inside in found:
        yield replace(piece, body=inside.encode("utf-8", "replace"), hints=hints)


def _of_feed(body: bytes) -> Iterator[bytes]:
    """Give each entry between what stands before the first and behind the last."""
    blocks = list(_BLOCKS.finditer(body))
    for one in blocks:
        yield body[: blocks[0].start()] + one[0] + body[blocks[-1].end() :]


def _of_json(document: Any, piece: Piece) -> Iterator[str]:
    for one in _values(document):
        if isinstance(one, dict):
            yield json.dumps([one], ensure_ascii=False)
    for one in _values(document):
        if isinstance(one, str) and len(one) > _SHORTEST_PAGE and "<" in one:
            yield from _of_page(one, piece)


def _of_page(text: str, piece: Piece) -> Iterator[str]:
    page = tree_of(text)
    if page is None:
        return
    for script in elements(page, _SCRIPTS):
        for one in _values(_json_of(script.text or "")):
            if isinstance(one, dict):
                yield _in_script(one)
    for element in (*_cards(page, piece), *elements(page, _MICRODATA)):
        yield _as_html(element)


def _json_of(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _values(document: Any) -> Iterator[Any]:
    """Give each value of a document, outer ones before those that stand in them."""
    waiting = [document]
    for one in waiting:
        yield one
        if isinstance(one, dict | list):
            waiting.extend(one.values() if isinstance(one, dict) else one)


def _cards(page: Any, piece: Piece) -> list[Any]:
    """Give the cards that selectors find: by themselves, or the largest around one title."""
    selectors = piece.hints.selectors
    if "item" in selectors:
        return _selected(page, selectors["item"])
    titles = _selected(page, selectors["title"]) if "title" in selectors else []
    held = Counter(above for one in titles for above in one.iterancestors())
    return [_around(one, held) for one in titles]


def _selected(page: Any, selector: str) -> list[Any]:
    try:
        return elements(page, HTMLTranslator().css_to_xpath(selector.partition("@")[0]))
    except (SyntaxError, etree.XPathError):  # the adapters find nothing by it either
        return []


def _around(title: Any, held: Mapping[Any, int]) -> Any:
    """Give the largest element that holds this title and no other."""
    top = title
    for above in title.iterancestors():
        if held[above] > 1 or above.tag in ("body", "html"):
            break
        top = above
    return top


def _in_script(record: dict[str, Any]) -> str:
    record = {"@context": "https://schema.org", **record}
    said = json.dumps(record, ensure_ascii=False).replace("</", "<\\/")
    return _page(f'<script type="{_LINKED_DATA}">{said}</script>')


def _as_html(element: Any) -> str:
    before, behind = _AROUND.get(element.tag, ("", ""))
    return _page(before + html.tostring(element, encoding="unicode", with_tail=False) + behind)


def _page(inside: str) -> str:
    return f'<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>{inside}</body></html>'
