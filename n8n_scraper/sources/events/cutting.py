"""Cut a page into what speaks of each of its events, so that none is kept with all the others.

A cut is tried and not trusted: it counts where the event that is read of it is the very same as the
one that was read of the page. Where none does, the whole page is kept of that event.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from lxml import etree, html

from n8n_scraper.sources.events.found import Found
from n8n_scraper.sources.events.pieces import Piece

_MOST_TRIED = 2_000
"""So many cuts of a page are tried at the most."""

_LINKED_DATA = "application/ld+json"
_XPATH_LINKED_DATA = f"//script[@type='{_LINKED_DATA}']"
_XPATH_ITEMS = "//*[@itemscope][contains(@itemtype, 'Event')]"

Css = Callable[[str], str]


def cut(piece: Piece, founds: Sequence[Found]) -> list[Piece]:
    """Give what to keep for each of the events of a page."""
    if len(founds) < 2:
        return [piece for _ in founds]
    left = dict(enumerate(founds))
    pieces = dict.fromkeys(left, piece)
    for number, body in enumerate(_cuts(piece)):
        if not left or number >= _MOST_TRIED:
            break
        smaller = replace(piece, body=body)
        for one in _alone(smaller):
            index = next((index for index, whole in left.items() if whole == one), None)
            if index is not None:
                pieces[index] = smaller
                del left[index]
    return [pieces[index] for index in range(len(founds))]


def _alone(piece: Piece) -> list[Found]:
    """Give the event of a piece, where it has just one."""
    founds = piece.founds()
    return founds if len(founds) == 1 else []


def _cuts(piece: Piece) -> Iterator[bytes]:
    if (document := _json_of(piece.body)) is not None:
        yield from (_as_json([one]) for one in _records(document))
        return
    page = _page_of(piece)
    if page is None:
        return
    for script in page.xpath(_XPATH_LINKED_DATA):
        yield from map(_in_script, _records(_json_of((script.text or "").encode())))
    for selector in filter(None, (piece.hints.selectors.get("item"),)):
        yield from map(_as_html, _selected(page, selector))
    yield from map(_as_html, page.xpath(_XPATH_ITEMS))


def _json_of(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _page_of(piece: Piece) -> Any:
    try:
        parser = html.HTMLParser(encoding=piece.hints.encoding or "utf-8")
        return html.document_fromstring(piece.body, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, LookupError, RecursionError):
        return None


def _selected(page: Any, selector: str) -> list[Any]:
    try:
        return list(page.cssselect(selector))
    except (SyntaxError, etree.XPathError):  # the adapters find nothing by it either
        return []


def _records(document: Any) -> Iterator[dict[str, Any]]:
    """Give each object of a document, outer ones before those that stand in them."""
    waiting = [document]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, dict):
            yield one
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)


def _as_json(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def _in_script(record: dict[str, Any]) -> bytes:
    record = {"@context": "https://schema.org", **record}
    said = json.dumps(record, ensure_ascii=False).replace("</", "<\\/")
    page = f'<script type="{_LINKED_DATA}">{said}</script>'
    return f"<!DOCTYPE html><html><head>{page}</head><body></body></html>".encode()


def _as_html(element: Any) -> bytes:
    text = html.tostring(element, encoding="unicode", with_tail=False)
    return f"<!DOCTYPE html><html><body>{text}</body></html>".encode()
