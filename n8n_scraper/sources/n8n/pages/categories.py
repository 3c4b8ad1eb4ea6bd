"""Read the list of categories: `GET {api}/api/templates/categories`."""

from __future__ import annotations

from n8n_scraper.core.errors import BadContent
from n8n_scraper.sources.n8n.pages import reading


def read_categories(body: bytes) -> list[str]:
    """Give the names by which a search finds templates."""
    listed = reading.load_object(body).get("categories")
    if not isinstance(listed, list):
        raise BadContent("an answer without categories")
    names = (reading.filled(reading.mapping(one).get("name")) for one in listed)
    return [name for name in names if name]
