"""The sites that a sources file names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.spelling import misspelt
from n8n_scraper.sources_file.entry import Entry


@dataclass(frozen=True, slots=True)
class Sources:
    """All entries of a file, in its order."""

    file: str
    """Where they stand, to people."""
    entries: tuple[Entry, ...]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def named(self, name: str) -> Entry:
        """Give the site of a name; raise BadInput where there is none."""
        known = {one.name: one for one in self.entries}
        if found := known.get(name):
            return found
        meant = misspelt(name, known)
        told = f"is it {meant}?" if meant else f"there are: {', '.join(known)}."
        raise BadInput(f"{name!r} is no site of {self.file}; {told}")

    def of_priority(self, priority: int | None) -> tuple[Entry, ...]:
        """Give those of a priority; without one all, the most urgent first."""
        chosen = (one for one in self.entries if priority in (None, one.priority))
        return tuple(sorted(chosen, key=lambda one: one.priority))

    def priorities(self) -> dict[str, int]:
        """Give how much each site is to be believed, 1 before 2.

        A site goes by its name, and one that is a source of its own by that as well.
        """
        by_kind = {one.kind: one.priority for one in self.entries}
        return by_kind | {one.name: one.priority for one in self.entries}

    def scheduled(self) -> tuple[Entry, ...]:
        """Give those that are crawled by the clock."""
        return tuple(one for one in self.entries if one.schedule is not None)

    def only(self, names: Iterable[str]) -> tuple[Entry, ...]:
        """Give the sites that are named, each once."""
        return tuple(self.named(name) for name in dict.fromkeys(names))
