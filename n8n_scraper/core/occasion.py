"""An occasion: what takes place, when, where, and under which address it is announced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

Record = Mapping[str, Any]

WANTED: Final = ("title", "start", "end", "venue", "price", "description", "url")
"""What is wanted to be known of what takes place; a source calls these fields the same."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """What is compared of an item to find others that announce the same."""

    site: str
    """Whoever announces it: what one site lists twice it means to be two."""
    titles: tuple[str, ...]
    """Its title in each language that it has one in."""
    day: str | None
    """On which local day it begins, as YYYY-MM-DD; None where nobody knows."""
    moment: str | None = None
    """When it begins, as ISO 8601 in UTC; None where no time of day is known."""
    venues: tuple[str, ...] = ()
    """The name of its venue in each language that it has one in."""
    city: str | None = None
    position: tuple[float, float] | None = None
    """The degrees of latitude and longitude of its venue."""
    addresses: tuple[str, ...] = ()
    """The pages that are about it."""
    completeness: float = 0.0
    """How much is known of it, from 0 to 1."""


def known_share(record: Record) -> float:
    """Say how much of what whoever would like to go wants to know is there, from 0 to 1.

    It is asked of every source alike, so that what two sources know of one thing can be compared.
    """
    there = sum(record.get(name) is not None for name in WANTED)
    return round(there / len(WANTED), 4)


@dataclass(frozen=True, slots=True)
class Occasions:
    """Where the items of a source say what takes place."""

    fields: tuple[str, ...]
    """What has to be looked at to tell; an item has these as its row does."""
    of: Callable[[Record], Occasion]
    """Gives the occasion of an item; it is total."""
