"""The pictures that were fetched: one row an address, whatever came of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.statements import insert_for
from n8n_scraper.ledger.tables import Base
from n8n_scraper.ledger.takedowns import is_taken_down
from n8n_scraper.records.tables import StoredImageRow

LONGEST_ADDRESS = 2_000  # it is a key, and no index of PostgreSQL takes a longer one


def key_of(url: str) -> str:
    """Give the key of a picture: its address, or the beginning and the fingerprint of a long one.

    One that is too long is not asked for.
    """
    if len(url) <= LONGEST_ADDRESS:
        return url
    return f"{url[: LONGEST_ADDRESS - 100]}… sha256:{hashlib.sha256(url.encode()).hexdigest()}"


def known(session: Session, urls: Iterable[str]) -> set[str]:
    """Which of these pictures are stored already."""
    query = select(StoredImageRow.url).where(
        StoredImageRow.url.in_(list(urls)), StoredImageRow.sha256.is_not(None)
    )
    return set(session.scalars(query))


def with_words(session: Session, urls: Iterable[str]) -> set[str]:
    """Which of these pictures something was read in."""
    wanted = list(urls)
    if not wanted:
        return set()
    row = StoredImageRow
    return set(session.scalars(select(row.url).where(row.url.in_(wanted), row.text.is_not(None))))


def texts(session: Session, urls: Iterable[str]) -> list[str]:
    """Give what was read in these pictures."""
    wanted = list(urls)
    if not wanted:
        return []
    row = StoredImageRow
    query = select(row.text).where(row.url.in_(wanted), row.text.is_not(None)).order_by(row.url)
    return [text for text in session.scalars(query) if text]


def save_of_item(
    session: Session, source: Source, item_id: str, rows: Sequence[dict[str, Any]]
) -> list[str]:
    """Store what came of the pictures of an item, unless it was taken down since.

    Then nothing is stored, and the files are given that nothing else has.
    """
    key = source.kind().table().c[source.key]
    # A take-down under way is waited for: it locks the row, and has noted the item before.
    session.execute(select(key).where(key == item_id).with_for_update())
    if not is_taken_down(session, source.name, item_id):
        save(session, rows)
        return []
    paths = {row["path"] for row in rows if row["path"]}
    others = select(StoredImageRow.path).where(StoredImageRow.path.in_(paths))
    return sorted(paths.difference(session.scalars(others)))


def save(session: Session, rows: Iterable[dict[str, Any]]) -> None:
    """Store what came of each picture; one that was stored before is replaced."""
    table = Base.metadata.tables[StoredImageRow.__tablename__]
    for row in rows:
        statement = insert_for(session, table).values(**row)
        changed = {name: statement.excluded[name] for name in row if name != "url"}
        session.execute(statement.on_conflict_do_update(index_elements=["url"], set_=changed))
