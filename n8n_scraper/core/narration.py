"""Put changes into words, for a terminal and for a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from n8n_scraper.core.wording import Change, from_to, printable


def summary(kind: str, details: Mapping[str, Any], in_short: Callable[[str, Change], str]) -> str:
    """Say in a few words what an event was, and each changed field as its source says it."""
    if kind == "changed":
        fields: Mapping[str, Any] = details.get("fields", {})
        return ", ".join(in_short(name, change) for name, change in fields.items())
    if kind == "renamed":
        return ", ".join(f"{name} {from_to(change)}" for name, change in details.items())
    return printable(str(details.get("reason", "")))


def report(
    changes: Mapping[str, Any], in_full: Callable[[str, Change], Iterator[str]]
) -> Iterator[str]:
    """Tell everything that changed, field by field as its source says it."""
    for name, change in changes.items():
        yield from in_full(name, change)
