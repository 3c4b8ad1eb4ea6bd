"""Say what is known of an event by an answer that is not kept yet."""

from __future__ import annotations

from typing import Any

from n8n_scraper.core.errors import UnreadableAnswer
from n8n_scraper.sources.events.event import of_list, of_page
from n8n_scraper.sources.events.merging import Said, merged
from n8n_scraper.sources.events.pieces import Piece
from n8n_scraper.sources.events.said import said
from n8n_scraper.sources.events.source import DETAIL, LIST


def fields_known(item_id: str, listed: bytes, page: bytes) -> dict[str, Any]:
    """Give the fields of an event that the list and its page say; what cannot be read says none."""
    pages = []
    for part, body, read in ((DETAIL, page, of_page), (LIST, listed, of_list)):
        try:
            pages.append(Said(part, read(Piece.read(body), item_id)))
        except UnreadableAnswer:
            continue
    return said(merged(pages)[0]) if pages else {}
