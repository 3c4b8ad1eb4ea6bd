"""What of an item can be searched, and by what a search can be narrowed: a source says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Record = Mapping[str, Any]


def plain_name(text: str) -> str:
    """Give the one form of a name in which case, spaces and signs do not count."""
    return "".join(filter(str.isalnum, text.casefold()))


@dataclass(frozen=True, slots=True)
class Facet:
    """Something that items have one or several of, by which a search can be narrowed."""

    name: str
    """Of the option, and of the key in what is found."""
    words: str
    """What it is, to people."""
    spelling: Callable[[str], str] = plain_name
    """Gives the one form of all spellings of a value."""


REMOVED = Facet("removed", "yes or no: whether the site does not have it any more")
"""The facet that the items of every source have."""


@dataclass(frozen=True, slots=True)
class Document:
    """An item as the search sees it."""

    title: str
    names: Sequence[str] = ()
    """What it is known by besides its title: it counts for less than that, and for more than the
    body."""
    body: Sequence[str] = ()
    """What is said in it, piece by piece; a phrase is never found across two of them."""
    facets: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Its values of each facet, as people are shown them."""
    popularity: int | None = None
    """How often it was looked at."""
    created_at: str | None = None
    score: float | None = None
    """How good it is, where the source says so."""


@dataclass(frozen=True, slots=True)
class Searched:
    """How the items of a source are searched."""

    document: Callable[[Record, Sequence[str]], Document]
    """Makes the document of a record and of the texts that were read in its pictures."""
    facets: tuple[Facet, ...] = ()
    pictures: Callable[[Record], Sequence[str]] = lambda _record: ()
    """Gives the addresses of the pictures in which a text may have been read."""
    version: int = 1
    """Rises with every change of the document: what an older one has indexed is indexed anew."""

    def facet(self, name: str) -> Facet | None:
        """Give the facet of this name."""
        return next((one for one in (*self.facets, REMOVED) if one.name == name), None)
