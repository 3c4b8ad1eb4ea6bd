"""The pictures that were fetched: one row an address, whatever came of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from n8n_scraper.ledger.statements import insert_for
from n8n_scraper.ledger.tables import Base
from n8n_scraper.records.tables import StoredImageRow


def known(session: Session, urls: Iterable[str]) -> set[str]:
    """Which of these pictures are stored already."""
    query = select(StoredImageRow.url).where(
        StoredImageRow.url.in_(list(urls)), StoredImageRow.sha256.is_not(None)
    )
    return set(session.scalars(query))


def texts(session: Session, urls: Iterable[str]) -> list[str]:
    """Give what was read in these pictures."""
    wanted = list(urls)
    if not wanted:
        return []
    row = StoredImageRow
    query = select(row.text).where(row.url.in_(wanted), row.text.is_not(None)).order_by(row.url)
    return [text for text in session.scalars(query) if text]


def save(session: Session, rows: Iterable[dict[str, Any]]) -> None:
    """Store what came of each picture; one that was stored before is replaced."""
    table = Base.metadata.tables[StoredImageRow.__tablename__]
    for row in rows:
        statement = insert_for(session, table).values(**row)
        changed = {name: statement.excluded[name] for name in row if name != "url"}
        session.execute(statement.on_conflict_do_update(index_elements=["url"], set_=changed))
