"""The facets of all sources, and which values they have."""

from __future__ import annotations

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.searched import REMOVED, Facet
from n8n_scraper.core.source import Source
from n8n_scraper.sources import all_sources


def all_facets() -> tuple[Facet, ...]:
    """Give the facets of all sources, those of one name once."""
    every = [one for source in all_sources() for one in facets_of(source)]
    return tuple({one.name: one for one in (*every, REMOVED)}.values())


def facets_of(source: Source) -> tuple[Facet, ...]:
    """Give the facets by which a search for a source's items can be narrowed."""
    searched = source.kind().searched
    return () if searched is None else (*searched.facets, REMOVED)


def facet_of(source: Source, name: str) -> Facet:
    """Give a facet by its name; raise BadInput where there is none."""
    for facet in facets_of(source):
        if facet.name == name:
            return facet
    names = ", ".join(facet.name for facet in facets_of(source))
    raise BadInput(f"{name!r} is nothing that {source.noun.many} have; there are: {names}.")
