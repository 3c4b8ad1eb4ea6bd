"""What a source says of how one of its items is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from n8n_scraper.core.item import Item
from n8n_scraper.core.source import Source
from n8n_scraper.reports.told_item import field_lines
from n8n_scraper.serve.pages.words import cut

_LONGEST_LINE = 1_000

Picture = Callable[[str], str | None]
"""Gives the address at which we have a picture; None of one that we have not."""


@dataclass(frozen=True, slots=True)
class ItemPage:
    """A page of its own: the module that a source names as its pages has one as `ITEM_PAGE`."""

    template: str
    """It extends `people/item.html`."""
    values: Callable[[Any, Picture], Mapping[str, Any]]
    """Gives what the template shows of an item, besides what all have."""
    pictures: Callable[[Any], list[str]] = lambda _item: []
    """Names the pictures that the page would show."""
    followed: str | None = None
    """The column of the samples that is drawn."""


def _fields(item: Item, _picture: Picture) -> Mapping[str, Any]:
    """Give its fields, line by line."""
    return {"told": [cut(line, _LONGEST_LINE) for line in field_lines(item)]}


_USUAL = ItemPage("people/item.html", _fields)


def item_page_of(source: Source) -> ItemPage:
    """Give the page of a source's items."""
    if source.pages is None:
        return _USUAL
    page: ItemPage = getattr(import_module(source.pages), "ITEM_PAGE", _USUAL)
    return page
