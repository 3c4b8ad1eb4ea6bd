"""Turn an answer as Scrapy has it into what its readers need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from n8n_scraper.sources.events.listing import Answered

if TYPE_CHECKING:
    from scrapy.http import Response


def answered(response: Response) -> Answered:
    """Give the page."""
    told = (response.headers.get("Content-Type") or b"").decode("latin-1")
    return Answered(response.url, told or None, _encoding_in(told), response.body)


def data_of(response: Response) -> list[Answered]:
    """Give the answers that the page has asked for by itself, in a browser."""
    return [
        Answered(one["url"], one["content_type"] or None, None, one["body"])
        for one in response.meta.get("xhr", ())
        if one["body"]
    ]


def _encoding_in(content_type: str) -> str | None:
    """Give the encoding that a header tells."""
    _, found, name = content_type.lower().partition("charset=")
    return name.partition(";")[0].strip(" \"'") or None if found else None
