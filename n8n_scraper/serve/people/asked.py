"""Read what a search page is asked for, and write it again with one thing changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from multidict import MultiMapping

from n8n_scraper.search.found import Order, Question
from n8n_scraper.serve.numbers import whole_number

PAGE = 20
_LAST_PAGE = 500
_LONGEST = 1_000


@dataclass(frozen=True, slots=True)
class Asked:
    """A page of a search."""

    words: str = ""
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    order: Order | None = None
    """None: the best first where words were typed, the newest where none were."""
    page: int = 1

    @classmethod
    def of(cls, query: MultiMapping[str], facets: Iterable[str]) -> Asked:
        """Read an address; what makes no sense in it is passed over."""
        page = query.get("page", "")
        order = query.get("order")
        return cls(
            words=query.get("q", "")[:_LONGEST].strip(),
            filters={name: values for name in facets if (values := _values(query, name))},
            order=Order(order) if order in set(Order) else None,
            page=min(whole_number(page) or 1, _LAST_PAGE),
        )

    @property
    def in_order(self) -> Order:
        """The order in which items come."""
        return self.order or (Order.RELEVANCE if self.words else Order.NEWEST)

    def question(self) -> Question:
        """Ask the search."""
        return Question(
            words=self.words,
            filters=self.filters,
            order=self.in_order,
            limit=PAGE,
            offset=(max(self.page, 1) - 1) * PAGE,
            with_facets=True,
        )

    def query(self) -> str:
        """Write it as the end of an address; nothing where nothing is asked."""
        given = [("q", self.words)] if self.words else []
        given += [(name, value) for name, values in self.filters.items() for value in values]
        given += [("order", self.order)] if self.order else []
        given += [("page", str(self.page))] if self.page > 1 else []
        return f"?{urlencode(given)}" if given else ""

    def has(self, facet: str, value: str) -> bool:
        """Whether it is narrowed to a value."""
        return value in self.filters.get(facet, ())

    def toggled(self, facet: str, value: str) -> Asked:
        """Narrow it to a value too, or do not any more."""
        values = self.filters.get(facet, ())
        left = tuple(one for one in values if one != value)
        now = left if value in values else (*values, value)
        others = {name: those for name, those in self.filters.items() if name != facet}
        return replace(self, filters=others | ({facet: now} if now else {}), page=1)

    def at(self, page: int) -> Asked:
        """Turn to a page."""
        return replace(self, page=page)


def _values(query: MultiMapping[str], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in query.getall(name, []) if value.strip()))
