"""Compute the fields of an item that follow from others, by the one table of its kind."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from n8n_scraper.core.item import Item
from n8n_scraper.core.source import Computed

Table = Iterable[Computed[Any]]


def switched_off(table: Table, settings: Mapping[str, Any]) -> frozenset[str]:
    """Name the fields that these settings do not want."""
    return frozenset(one.field for one in table if not one.is_wanted(settings))


def compute(table: Table, item: Item, *, off: Collection[str] = ()) -> None:
    """Compute what nobody has computed of the item yet; say of the rest that it is not wanted."""
    for one in table:
        if one.is_due(item):
            if one.field in off:
                item.leave_out(one.field, one.switched_off)
            else:
                one.compute(item)


def compute_again(table: Table, item: Item, as_it_came: Item) -> None:
    """Let what follows from the content follow from what it has become since the item came.

    What nobody has computed stays so, and what was not wanted of the item as it came is not.
    """
    for one in table:
        if not one.is_due(item) and not one.is_off(as_it_came):
            one.compute(item)
