"""Read what n8n's template browser asks for, as leniently as n8n.io does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

PAGE = 20
"""So many templates n8n counts a page as."""
FIRST_PAGE = 5 * PAGE
"""So many the first page has: in no version since 1.68 does the list go on when it is scrolled.

A multiple of a page, so that should it go on one day, the next page asked for is the next one.
"""
_LONGEST_PAGE = 100
_LAST = 2**31


@dataclass(frozen=True, slots=True)
class Asked:
    """A page of a list."""

    words: str
    categories: tuple[str, ...]
    nodes: tuple[str, ...]
    first: int
    """How many are skipped."""
    number: int
    """How many are wanted."""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Asked:
        """Read a search; `limit` is what n8n sends, `rows` what its documentation says."""
        size = _number(query.get("limit") or query.get("rows"), usual=PAGE)
        page = _number(query.get("page"), usual=1)
        size = min(size, _LONGEST_PAGE)
        is_first_of_n8n = page == 1 and size == PAGE
        return cls(
            words=query.get("search", "").strip(),
            categories=_names(query.get("category", "")),
            nodes=_names(query.get("nodes", "")),
            first=(page - 1) * size,
            number=FIRST_PAGE if is_first_of_n8n else size,
        )


def _number(text: str | None, usual: int) -> int:
    """Read a number of at least one; n8n sends fractions where a page was not full."""
    try:
        number = float(text or usual)
    except ValueError:
        return usual
    return max(1, min(int(number), _LAST)) if isfinite(number) else usual


def _names(text: str) -> tuple[str, ...]:
    """Read names that are joined by commas."""
    return tuple(filter(None, (name.strip() for name in text.split(","))))
