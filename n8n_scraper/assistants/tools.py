"""The tools that every source has: search, an item and its fields, its history, what is like it."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from n8n_scraper.assistants.pieces import LONGEST, piece
from n8n_scraper.assistants.tool import Arguments, Json, Tool
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.records.indexing import refuse_what_is_not_indexed
from n8n_scraper.reports.history import compare_versions, item_history
from n8n_scraper.reports.likeness import look_alikes
from n8n_scraper.reports.stored import stored_item
from n8n_scraper.search.found import Order, Question
from n8n_scraper.search.searching import find
from n8n_scraper.sources import all_sources, source_of

_SHORT = 600
"""A field that is longer as JSON is named with its length, to be asked for by itself."""
_MOST_EVENTS = 50

Words = Annotated[str, Meta(max_length=1_000)]
Id = Annotated[str, Meta(max_length=200, description="The id of the item, as a search gives it.")]
Start = Annotated[
    int, Meta(ge=0, le=2**31, description="Where to begin: `next_start` of the piece before.")
]
Where = Annotated[
    str,
    Meta(
        max_length=100,
        description=f"One of: {', '.join(source.name for source in all_sources())}; "
        f"{all_sources()[0].name} where it is left out.",
    ),
]
_USUAL = all_sources()[0].name


class Search(Arguments, kw_only=True):
    """What is looked for."""

    query: Annotated[
        Words, Meta(description='Words, "phrases", -without and begin*; empty finds all items.')
    ] = ""
    filters: Annotated[
        dict[str, list[str]],
        Meta(description="Values by facet, such as category, node or author; see `statistics`."),
    ] = field(default_factory=dict)
    order: Literal["relevance", "newest", "views", "score"] = "relevance"
    limit: Annotated[int, Meta(ge=1, le=50)] = 10
    offset: Annotated[int, Meta(ge=0, le=10_000)] = 0
    source: Where = _USUAL


class Statistics(Arguments, kw_only=True):
    """What is counted."""

    facet: Annotated[str, Meta(max_length=100, description="Such as node, category or author.")]
    query: Annotated[Words, Meta(description="Counts only what a search with it finds.")] = ""
    limit: Annotated[int, Meta(ge=1, le=200)] = 30
    source: Where = _USUAL


class OfItem(Arguments, kw_only=True):
    """An item."""

    id: Id
    source: Where = _USUAL


class OfField(OfItem, kw_only=True):
    """A field of an item."""

    field: Annotated[
        str,
        Meta(max_length=200, description="Its name; with dots for what is in it: explainer.text."),
    ]
    start: Start = 0


class Versions(OfItem, kw_only=True):
    """Two versions of an item."""

    older: Annotated[int, Meta(ge=1, le=2**31)]
    newer: Annotated[int, Meta(ge=1, le=2**31)]
    start: Start = 0


def search(database: Database, asked: Search) -> Json:
    """Find items."""
    source = source_of(asked.source)
    question = Question(
        words=asked.query,
        filters={name: tuple(values) for name, values in asked.filters.items()},
        order=Order(asked.order),
        limit=asked.limit,
        offset=asked.offset,
    )
    found = find(database, source, question)
    if not found.total:
        refuse_what_is_not_indexed(database, source)
    end = asked.offset + len(found.hits)
    return {
        **found.as_json(),
        "next_offset": end if found.hits and end < found.total else None,
    }


def statistics(database: Database, asked: Statistics) -> Json:
    """Count the values of a facet."""
    source = source_of(asked.source)
    found = find(database, source, Question(words=asked.query, limit=1, with_facets=True))
    searched = source.kind().searched
    names = [facet.name for facet in searched.facets] if searched else []
    if asked.facet not in names:
        raise BadInput(f"{asked.facet!r} is no facet of {source.name}; there are: {names}.")
    values = found.facets.get(asked.facet, ())
    return {
        "items": found.total,
        "values": [{"value": name, "items": number} for name, number in values[: asked.limit]],
        "more_values": max(len(values) - asked.limit, 0),
    }


def item(database: Database, asked: OfItem) -> Json:
    """Give an item: its short fields, and how long the others are."""
    record = stored_item(database, source_of(asked.source), asked.id)
    written = {name: json.dumps(value, ensure_ascii=False) for name, value in record.items()}
    short = {name: record[name] for name, text in written.items() if len(text) <= _SHORT}
    long = {name: len(text) for name, text in written.items() if name not in short}
    return {"fields": short, "lengths_of_further_fields": long}


def one_field(database: Database, asked: OfField) -> Json:
    """Give a field of an item, whole or the part of it that has room."""
    value: Any = stored_item(database, source_of(asked.source), asked.id)
    for name in asked.field.split("."):
        if not isinstance(value, dict) or name not in value:
            raise BadInput(f"there is no field {asked.field!r} in {asked.id}.")
        value = value[name]
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    return piece(text, asked.start)


def history(database: Database, asked: OfItem) -> Json:
    """Give the versions of an item, and what happened to it."""
    found = item_history(database, source_of(asked.source), asked.id)
    return {
        "removed_at": found.removed_at,
        "versions": [{"number": one.number, "seen_at": one.seen_at} for one in found.versions],
        "events": [
            {"at": one.at, "kind": one.kind} for one in reversed(found.events[-_MOST_EVENTS:])
        ],
    }


def compare(database: Database, asked: Versions) -> Json:
    """Say what an author changed between two versions."""
    source = source_of(asked.source)
    found = compare_versions(database, source, asked.id, asked.older, asked.newer)
    in_full = source.kind().authored.in_full
    lines = [line for name, change in found.changes.items() for line in in_full(name, change)]
    return piece("\n".join(lines), asked.start)


def alike(database: Database, asked: OfItem) -> Json:
    """Name what is nearly the same as an item."""
    source = source_of(asked.source)
    return look_alikes(database, source, asked.id).as_json(source.key)


_OF_ALL: tuple[Tool[Any], ...] = (
    Tool(
        "search",
        "Find items of the archive by what they say: titles, explanations, notes, nodes, authors, "
        "categories, transcripts. Mistyped words are forgiven. Gives ids, titles and snippets.",
        Search,
        search,
    ),
    Tool(
        "statistics",
        "Count how many items have each value of a facet, the most frequent first: which nodes, "
        "categories or authors there are.",
        Statistics,
        statistics,
    ),
    Tool(
        "get_item",
        "Give what is known of one item. Long fields are named with their length in signs; ask "
        "for them by `get_field`.",
        OfItem,
        item,
    ),
    Tool(
        "get_field",
        f"Give one field of an item, {LONGEST:,} signs at a time.",
        OfField,
        one_field,
    ),
    Tool(
        "history",
        "Give the versions of an item and what happened to it: new, changed, removed.",
        OfItem,
        history,
    ),
    Tool(
        "compare_versions",
        "Say what its author changed between two versions of an item, line by line.",
        Versions,
        compare,
    ),
    Tool(
        "look_alikes",
        "Name the items that are nearly the same as one, with how similar they are.",
        OfItem,
        alike,
    ),
)


def tools() -> dict[str, Tool[Any]]:
    """Give all tools by their names, those that only one source has included."""
    known: list[Tool[Any]] = [*_OF_ALL]
    for source in all_sources():
        known += _of(source)
    return {tool.name: tool for tool in known}


def _of(source: Source) -> tuple[Tool[Any], ...]:
    if source.tools is None:
        return ()
    own: tuple[Tool[Any], ...] = import_module(source.tools).TOOLS
    return own
