"""What a source adds to the exports of its items: whose they are, filters, formats of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from n8n_scraper.core.source import Source
from n8n_scraper.sources import all_sources

if TYPE_CHECKING:
    from n8n_scraper.exports.content import ContentFilter
    from n8n_scraper.exports.flat import FlatColumn
    from n8n_scraper.exports.formats import Format


@dataclass(frozen=True, slots=True)
class SourceExports:
    """How the items of a source leave the archive."""

    note: str
    """To whom they belong."""
    attribution: Callable[[Any], dict[str, Any]]
    """Says whose an item is, and where it is published."""
    schema_version: int = 1
    """Rises when a field changes its meaning or its type; a new field does not raise it."""
    filters: tuple[ContentFilter, ...] = ()
    score: str | None = None
    """The column of the table with a score from 0 to 100; None where there is none."""
    has_secrets: Callable[[Any], bool] | None = None
    """Whether secrets were found in an item; None where they are not looked for."""
    flat: tuple[FlatColumn, ...] = ()
    """The plain columns that are made of its composed fields."""
    lists: Mapping[str, Callable[[Any], Iterable[tuple[str, int]]]] = field(default_factory=dict)
    """Tables of names, each with a number, that an item has many of."""
    questions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Questions in SQL to the flat table, by name: the title and the query."""
    formats: Mapping[str, Format] = field(default_factory=dict)
    """Those that only it has, by name."""


def exports_of(source: Source) -> SourceExports:
    """Give what a source says of its exports; one that says nothing has what all have."""
    if source.exports:
        found: SourceExports = import_module(source.exports).EXPORTS
        return found
    return SourceExports(
        note=f"These {source.noun.many} belong to those who published them: ask them before "
        "doing more with one than the terms of the site allow.",
        attribution=lambda item: {
            source.key: source.id_of(item),
            "title": item.title,
            "removed_at": item.removed_at,
        },
    )


def all_filters() -> tuple[ContentFilter, ...]:
    """Give the filters of all sources, those of one name once."""
    every = [one for source in all_sources() for one in exports_of(source).filters]
    return tuple({one.name: one for one in every}.values())
