"""What is asked of a search, and what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from n8n_scraper.search.snippets import without_marks


class Order(StrEnum):
    """In which order items are wanted."""

    RELEVANCE = "relevance"
    NEWEST = "newest"
    VIEWS = "views"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for, and how much of it is wanted at a time."""

    words: str = ""
    """As typed; nothing asks for all items."""
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By facet: of several values of one of them, any will do."""
    order: Order = Order.RELEVANCE
    limit: int = 10
    offset: int = 0
    with_facets: bool = False
    """Whether the facets are to be counted, which takes the longer the more is found."""


@dataclass(frozen=True, slots=True)
class Hit:
    """An item that was found."""

    item_id: str
    title: str
    """Marked, as the snippet is."""
    snippet: str
    created_at: str | None
    popularity: int | None
    score: float | None
    labels: Mapping[str, tuple[str, ...]]
    """Its values of each facet."""

    @property
    def removed(self) -> bool:
        """Whether the source does not have it any more."""
        return "yes" in self.labels.get("removed", ())

    def as_json(self) -> dict[str, Any]:
        """The same for machines, without marks."""
        return {
            "id": self.item_id,
            "title": without_marks(self.title),
            "snippet": without_marks(self.snippet),
            "created_at": self.created_at,
            "views": self.popularity,
            "score": self.score,
            **{name: list(values) for name, values in self.labels.items() if name != "removed"},
            "removed": self.removed,
        }


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found."""

    total: int
    hits: tuple[Hit, ...]
    facets: Mapping[str, tuple[tuple[str, int], ...]]
    """The values of each facet with the number of items found that have it, the most first."""
    corrected: Mapping[str, str]
    """The words that no item has, and what was looked for in their place."""
    missing: int
    """How many of the words an item found may lack, because none has them all."""

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        return {
            "total": self.total,
            "hits": [hit.as_json() for hit in self.hits],
            "facets": {name: dict(values) for name, values in self.facets.items()},
            "corrected": dict(self.corrected),
            "missing": self.missing,
        }
