"""Items of which it is doubtful what they are, and what a person has said of them.

What a person has said stays, however often the item is stored again; a doubt that is over before
anybody has looked is gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, bindparam, delete, select
from sqlalchemy.orm import Session

from n8n_scraper.core.classified import Announced, Classified
from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.source import Record, Source
from n8n_scraper.ledger.statements import put, run
from n8n_scraper.ledger.tables import table_of
from n8n_scraper.policies.announced.review import Verdict, is_doubtful
from n8n_scraper.records.tables import ReviewRow

_REVIEWS = table_of(ReviewRow)
_IS_IT = (_REVIEWS.c.source == bindparam("of_source")) & (_REVIEWS.c.item_id == bindparam("of_id"))
_KEPT = select(_REVIEWS).where(_IS_IT)
_FORGET = delete(_REVIEWS).where(_IS_IT)


@dataclass(frozen=True, slots=True)
class Review:
    """An item that somebody is to look at, or has looked at."""

    source: str
    item_id: str
    classified: Classified
    asked_at: str
    verdict: Verdict | None
    decided_at: str | None


def note(session: Session, source: Source, item_id: str, record: Record, now: str) -> None:
    """Ask about an item of which it is doubtful what it is, if nobody has said so yet."""
    classification = source.kind().classification
    if classification is None:
        return
    found = classification.of(record)
    kept = review_of(session, source, item_id)
    if kept is not None and kept.verdict is not None:
        return
    if is_doubtful(found):
        asked_at = kept.asked_at if kept else now
        _put(session, Review(source.name, item_id, found, asked_at, None, None))
    elif kept is not None:
        run(session, _FORGET, {"of_source": source.name, "of_id": item_id})


def note_stored(session: Session, source: Source, item_id: str) -> None:
    """Look at an item as its row has it, where something else than a crawl has changed that."""
    if source.kind().classification is not None:
        record = _record(session, source, item_id)
        assert record is not None, "only what is stored is changed"
        note(session, source, item_id, record, utc_now())


def decide(session: Session, source: Source, item_id: str, verdict: Verdict, now: str) -> bool:
    """Keep what a person says of an item; False where the archive has no such item."""
    classification = source.kind().classification
    record = _record(session, source, item_id) if classification else None
    if classification is None or record is None:
        return False
    kept = review_of(session, source, item_id)
    asked_at = kept.asked_at if kept else now
    found = classification.of(record)
    _put(session, Review(source.name, item_id, found, asked_at, verdict, now))
    return True


def review_of(session: Session, source: Source, item_id: str) -> Review | None:
    """Give what is kept of an item; None where nobody was asked and nobody has said."""
    row = run(session, _KEPT, {"of_source": source.name, "of_id": item_id}).first()
    return _review(row) if row else None


def all_reviews(session: Session) -> list[Review]:
    """Give all that there are, those first that have waited longest."""
    order = (_REVIEWS.c.asked_at, _REVIEWS.c.source, _REVIEWS.c.item_id)
    return [_review(row) for row in session.execute(select(_REVIEWS).order_by(*order))]


def _record(session: Session, source: Source, item_id: str) -> Record | None:
    classification, table = source.kind().classification, source.kind().table()
    assert classification is not None, "only the items of a source that classifies are looked at"
    columns = (table.c[name] for name in classification.fields)
    row = session.execute(select(*columns).where(table.c[source.key] == item_id)).first()
    return row._asdict() if row else None


def _put(session: Session, review: Review) -> None:
    found = review.classified
    row: dict[str, Any] = {
        "source": review.source,
        "item_id": review.item_id,
        "kind": str(found.kind),
        "confidence": found.confidence,
        "reasons": list(found.reasons),
        "asked_at": review.asked_at,
        "verdict": review.verdict and str(review.verdict),
        "decided_at": review.decided_at,
    }
    put(session, _REVIEWS, [row])


def _review(row: Row[Any]) -> Review:
    found = Classified(Announced(row.kind), row.confidence, tuple(row.reasons))
    verdict = None if row.verdict is None else Verdict(row.verdict)
    return Review(row.source, row.item_id, found, row.asked_at, verdict, row.decided_at)
