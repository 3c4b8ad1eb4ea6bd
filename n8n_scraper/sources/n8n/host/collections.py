"""The collections of our own: what n8n.io does not put together, but an archive can."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.likeness import clusters
from n8n_scraper.search.found import Order, Question
from n8n_scraper.search.searching import find
from n8n_scraper.sources.n8n.host.answers import LARGEST_ID, Collection

_MOST = 60
_MOST_CLUSTERS = 12


def collections_of(database: Database, source: Source) -> list[Collection]:
    """Give all that have a template in them, in the order in which they are shown."""
    return [one for one in _all_of(database, source) if one.templates]


def _all_of(database: Database, source: Source) -> Iterator[Collection]:
    newest = Question(filters={"removed": ("no",)}, order=Order.NEWEST, limit=_MOST)
    yield _collection(
        "What is new", "The newest templates of n8n.io.", _ids(database, source, newest)
    )
    for cluster in clusters(database, source)[:_MOST_CLUSTERS]:
        yield Collection(
            id=_number(f"alike {cluster.id}"),
            name=f"Like: {cluster.name}",
            description="Templates that are nearly the same.",
            created_at=None,
            templates=tuple(one.item_id for one in cluster.members[:_MOST]),
        )
    gone = Question(filters={"removed": ("yes",)}, order=Order.VIEWS, limit=_MOST)
    yield _collection(
        "No longer on n8n.io",
        "Templates that n8n.io has taken away, as they were last seen.",
        _ids(database, source, gone),
    )


def _ids(database: Database, source: Source, question: Question) -> tuple[str, ...]:
    return tuple(hit.item_id for hit in find(database, source, question).hits)


def _collection(name: str, description: str, templates: tuple[str, ...]) -> Collection:
    """Make one whose number follows from its name, so that its address stays true."""
    return Collection(_number(name), name, description, None, templates)


def _number(name: str) -> int:
    return zlib.crc32(name.encode()) & LARGEST_ID
