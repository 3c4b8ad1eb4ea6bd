"""Items of which it is doubtful what they are, and what has become of each doubt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.batches import batched
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.announced.review import Standing, is_event, standing
from n8n_scraper.records import reviews
from n8n_scraper.records.reviews import Review
from n8n_scraper.sources import all_sources, known

_ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Reviewed:
    """An item that somebody is to look at, or has looked at."""

    source: str
    item_id: str
    title: str | None
    url: str | None
    kind: str
    """What it was taken for."""
    confidence: float
    reasons: tuple[str, ...]
    asked_at: str
    standing: Standing
    decided_at: str | None
    is_event: bool
    """Whether it counts as one, as things stand."""

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        return asdict(self) | {"standing": str(self.standing), "reasons": list(self.reasons)}


def reviewed(
    database: Database, now: str, source: Source | None = None, *, waiting: bool = True
) -> tuple[Reviewed, ...]:
    """Give the items that wait, the longest first, or all that are or were doubtful."""

    def all_of_them(session: Session) -> tuple[Reviewed, ...]:
        kept = [
            one
            for one in reviews.all_reviews(session)
            if source is None or one.source == source.name
        ]
        shown = _shown(session, kept)
        found = (
            _reviewed(one, *shown.get((one.source, one.item_id), (None, None)), now) for one in kept
        )
        return tuple(one for one in found if not waiting or one.standing is Standing.WAITING)

    return database.look(all_of_them)


def sources_reviewed() -> tuple[Source, ...]:
    """Give the sources that say what their items are."""
    return tuple(one for one in all_sources() if one.kind().classification is not None)


def _reviewed(one: Review, title: str | None, url: str | None, now: str) -> Reviewed:
    return Reviewed(
        source=one.source,
        item_id=one.item_id,
        title=title,
        url=url,
        kind=str(one.classified.kind),
        confidence=one.classified.confidence,
        reasons=one.classified.reasons,
        asked_at=one.asked_at,
        standing=standing(one.verdict, one.asked_at, now),
        decided_at=one.decided_at,
        is_event=is_event(one.classified, one.verdict),
    )


def _shown(
    session: Session, kept: Iterable[Review]
) -> dict[tuple[str, str], tuple[str | None, str | None]]:
    """Give the title and the address of each, where its source is here."""
    by_source: dict[str, list[str]] = {}
    for one in kept:
        by_source.setdefault(one.source, []).append(one.item_id)
    found: dict[tuple[str, str], tuple[str | None, str | None]] = {}
    for name, ids in by_source.items():
        if (source := known(name)) is None:
            continue
        table = source.kind().table()
        key = table.c[source.key]
        url = table.c.get("url", key)
        for some in batched(ids, _ROWS_AT_ONCE):
            for item_id, title, address in session.execute(
                select(key, table.c.title, url).where(key.in_(some))
            ):
                found[name, item_id] = (title, address)
    return found
