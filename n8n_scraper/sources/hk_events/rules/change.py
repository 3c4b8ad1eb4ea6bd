"""Decide what of an event is its authors' work, and what of that has changed.

It is taken as it was written: the days and the words about times, not the moments that are read out
of both, so that a better reader changes no event.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from n8n_scraper.core.source import Authored, Content, Record

_AS_THEY_ARE = (
    *("title", "title_zh", "url", "schedule", "venue", "description", "description_zh"),
    *("categories", "organiser", "age_limit", "duration", "remark", "ticket_url", "on_sale_since"),
)
AUTHORED_FIELDS = (*_AS_THEY_ARE, "occurrences", "price")


def content_of(record: Record) -> Content:
    """Everything that the authors of an event can edit; null where there is nothing."""
    price = record["price"] or {}
    days = list(dict.fromkeys(one["date"] for one in record["occurrences"] or ()))
    return {name: record[name] for name in _AS_THEY_ARE} | {
        "days": days,
        "price": price.get("text"),
    }


def changes(old: Content, new: Content, _read_elsewhere: Collection[str] = ()) -> dict[str, Any]:
    """Name each field that differs, with its old and its new value."""
    return {
        name: {"old": old[name], "new": new[name]}
        for name in new
        if name in old and old[name] != new[name]
    }


def renaming(old: Record, new: Record) -> dict[str, Any]:
    """The old and the new title, if both are known and differ."""
    before, now = ({"title": one["title"]} if one["title"] else {} for one in (old, new))
    return changes(before, now)


# An event is all there or not at all: every record speaks of everything.
AUTHORED = Authored(("title",), content_of, content_of, changes, renaming)
"""What history is kept of."""
