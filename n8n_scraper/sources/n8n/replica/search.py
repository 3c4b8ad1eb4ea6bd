"""Answers the search: filters, order, pages of at most 100, facets."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from n8n_scraper.sources.n8n.replica.catalogue import Catalogue
from n8n_scraper.sources.n8n.replica.categories import CATEGORIES
from n8n_scraper.sources.n8n.replica.node_kinds import KINDS
from n8n_scraper.testing.replica.draws import stable_number

DEFAULT_ROWS = 20
MOST_ROWS = 100
_FACETS_SHOWN = 10
_COUNTED_FOR_FACETS = 2_000
_SEARCHES_IN_MEMORY = 8
_FILTERS = ("category", "search", "price", "sort")


class QueryError(ValueError):
    """The search cannot be answered as asked; the server answers 400."""


@dataclass(frozen=True, slots=True)
class Found:
    """One page of results; ``ids`` may name templates that are gone."""

    total: int
    ids: list[int]


class Search:
    """Finds templates; gone ones are still listed, as on the site."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._results = lru_cache(_SEARCHES_IN_MEMORY)(self._find_all)

    @cached_property
    def _listed(self) -> list[int]:
        return sorted({*self._catalogue.ids, *self._catalogue.stale_ids})

    def find(self, query: Mapping[str, str]) -> Found:
        """Return the page of results a query asks for."""
        page = _number(query, "page", 1)
        rows = _number(query, "rows", _number(query, "limit", DEFAULT_ROWS))
        if rows > MOST_ROWS:
            raise QueryError(f"rows must not be greater than {MOST_ROWS}")
        ids = self._results(*(query.get(name, "") for name in _FILTERS))
        start = (page - 1) * rows
        return Found(len(ids), list(ids[start : start + rows]))

    def facets(self) -> list[dict[str, Any]]:
        """Return the ten commonest values of each facet, as a search page carries them."""
        names = self._category_counts()
        apps = {kind.label: stable_number(kind.type) % 900 for kind in KINDS}
        types = {kind.type: apps[kind.label] for kind in KINDS}
        return [
            _facet("categories", names, len(CATEGORIES)),
            _facet("apps", apps, 423),
            _facet("nodes", types, 488),
        ]

    def filters_answer(self) -> dict[str, Any]:
        """Build the answer of ``GET /api/templates/search/filters``."""
        counts = self._category_counts()
        return {
            "categories": [
                {"id": category.id, "name": category.name, "hitCount": counts[category.name]}
                for category in CATEGORIES.values()
            ],
            "nodes": [
                {"id": k.id, "name": k.type, "displayName": k.label, "hitCount": k.id % 90}
                for k in KINDS
            ],
        }

    def _find_all(self, category: str, search: str, price: str, sort: str) -> Sequence[int]:
        ids: Sequence[int] = self._listed
        profile = self._catalogue.profile
        if category:
            ids = self._catalogue.in_categories(category, ids)
        if words := search.lower().split():
            titles = ((number, profile(number).title.lower()) for number in ids)
            ids = [number for number, title in titles if all(word in title for word in words)]
        if price == "0":
            ids = [number for number in ids if not profile(number).is_paid]
        return self._ordered(ids, sort)

    def _ordered(self, ids: Sequence[int], sort: str) -> Sequence[int]:
        field, _, direction = sort.partition(",")[0].partition(":")
        if field == "createdAt":
            return ids[::-1] if direction == "desc" else ids
        if field == "views":
            return sorted(ids, key=self._views, reverse=direction != "asc")
        return sorted(ids, key=_relevance)

    def _views(self, template_id: int) -> int:
        return self._catalogue.profile(template_id).views

    def _category_counts(self) -> Counter[str]:
        profile = self._catalogue.profile
        return Counter(
            name
            for number in self._listed[:_COUNTED_FOR_FACETS]
            for name in profile(number).categories
        )


def _relevance(template_id: int) -> int:
    # The site's own order is opaque; this one only looks so.
    return template_id * 2_654_435_761 % (1 << 32)


def _number(query: Mapping[str, str], name: str, default: int) -> int:
    text = query.get(name, "")
    if not text:
        return default
    if not text.isdecimal() or int(text) < 1:
        raise QueryError(f"{name} must be a whole number from 1")
    return int(text)


def _facet(name: str, counts: Mapping[str, int], total: int) -> dict[str, Any]:
    commonest = Counter(counts).most_common(_FACETS_SHOWN)
    return {
        "counts": [{"count": n, "highlighted": value, "value": value} for value, n in commonest],
        "field_name": name,
        "sampled": False,
        "stats": {"total_values": total},
    }
