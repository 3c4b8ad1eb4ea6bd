"""Filters by the names that stand in an item: its categories, its author, whatever it has."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from n8n_scraper.core.source import Record


def plain(text: str) -> tuple[str, ...]:
    """The one form of a name in which case and spaces around it do not count."""
    return (text.strip().casefold(),)


def meet(
    wanted: Iterable[str], found: Iterable[str], spellings: Callable[[str], tuple[str, ...]]
) -> bool:
    """Whether one of the names wanted is among those that are there."""
    known = {form for name in found for form in spellings(name)}
    return any(one.strip().casefold() in known for one in wanted)


@dataclass(frozen=True, slots=True)
class ContentFilter:
    """A filter by the names that stand in the items of a source."""

    name: str
    """Of the option."""
    columns: tuple[str, ...]
    """What has to be looked at."""
    names: Callable[[Record], Iterable[str]]
    """Gives what an item has of it; what was not observed is nothing."""
    spellings: Callable[[str], tuple[str, ...]] = plain
    """Gives the forms in which a person may write a name, the shortest last."""

    def meets(self, wanted: Iterable[str], record: Record) -> bool:
        """Whether an item has one of the names."""
        return meet(wanted, self.names(record), self.spellings)
