"""Tell an item line by line, in the words of its source or else field by field."""

from __future__ import annotations

from collections.abc import Iterator

from n8n_scraper.core.item import Item
from n8n_scraper.core.source import Source
from n8n_scraper.core.wording import value

_OF_THE_ITEM_ITSELF = ("unobserved", "sources", "title")
"""Why a field is what it is, which `scrapy explain` tells; the title goes before all."""


def item_lines(source: Source, item: Item) -> Iterator[str]:
    """Tell it in its source's words; else every field that is known."""
    shown = source.kind().shown
    if shown is not None:
        yield from shown(item)
        return
    yield item.title or f"{source.noun} {source.id_of(item)}"
    yield from field_lines(item)


def field_lines(item: Item) -> Iterator[str]:
    """Tell every field that is known, but for the title."""
    record = item.model_dump(mode="json")
    for name in type(item).model_fields:
        if record[name] is not None and name not in _OF_THE_ITEM_ITSELF:
            text = record[name]
            yield f"{name}: {text if isinstance(text, str) else value(text)}"
