"""Decide what of an event is its authors' work, and what of that has changed."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from n8n_scraper.core.source import Authored, Content, Record
from n8n_scraper.sources.events.rules.lost import was_lost

AUTHORED_FIELDS = (
    *("title", "start", "end", "all_day", "occurrences", "location", "venue", "price"),
    *("description", "images", "categories", "organiser", "status", "url"),
)


def content_of(record: Record) -> Content:
    """Everything that the authors of an event can edit; null where there is nothing."""
    return {name: record[name] for name in AUTHORED_FIELDS}


def observed(record: Record) -> Content:
    """The part of it of which the pages spoke that could be had."""
    states = record["parts"].values()
    had = content_of(record)
    if any(was_lost(state["status"], state["category"]) for state in states):
        return {name: value for name, value in had.items() if value not in (None, [])}
    return had


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


AUTHORED = Authored(("title",), content_of, observed, changes, renaming)
"""What history is kept of."""
