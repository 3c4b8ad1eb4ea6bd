"""By which part of an address the items of each source go."""

from __future__ import annotations

from collections.abc import Iterator

from n8n_scraper.core.source import Source
from n8n_scraper.sources import all_sources


def segments() -> dict[str, str]:
    """Give it by the names of the sources: what its items are called, as in `templates`.

    Where the items of an earlier one are called the same, a source goes by its own name, and where
    that is taken as well, by that of its table.
    """
    found: dict[str, str] = {}
    for source in all_sources():
        found[source.name] = next(one for one in _names(source) if one not in found.values())
    return found


def _names(source: Source) -> Iterator[str]:
    yield source.noun.many
    yield source.name
    yield source.kind().table().name
