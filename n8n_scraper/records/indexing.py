"""Keep the search's index in step with what is stored, and make it of what was stored before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, exists, func, select
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.item import Item
from n8n_scraper.core.source import Record, Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.tables import table_of
from n8n_scraper.records import pictures
from n8n_scraper.search import index
from n8n_scraper.search.entry import Entry, entry_of, rules_of
from n8n_scraper.search.tables import SearchItemRow

ITEMS_A_BLOCK = 50
"""So many are indexed in one transaction, for which others may have to wait."""

_ENTRIES = table_of(SearchItemRow)


def index_stored(session: Session, source: Source, item: Item, entry: Entry | None) -> None:
    """Index an item that was just stored; its entry was made without its pictures."""
    if entry is None:
        return
    kind = source.kind()
    shown = kind.pictures(item) if kind.pictures else []
    if shown and (read := pictures.texts(session, shown)):
        entry = entry_of(source, kind.row(item), read)
        assert entry is not None  # its source is searched
    index.put(session, source, [entry])


def index_again(session: Session, source: Source, item_ids: Collection[str]) -> None:
    """Index stored items anew, because something beside them has come or changed."""
    table = source.kind().table()
    key = table.c[source.key]
    if source.kind().searched is not None and item_ids:
        rows = session.execute(select(table).where(key.in_(item_ids)).order_by(key)).mappings()
        index.put(session, source, [_entry(session, source, dict(row)) for row in rows])


def save_pictures(
    session: Session, source: Source, item_id: str, rows: Sequence[dict[str, Any]]
) -> list[str]:
    """Store what came of an item's pictures, and let the item be found by what was read in them.

    Of one that was taken down since nothing is stored; the files to be deleted are given.
    """
    unwanted = pictures.save_of_item(session, source, item_id, rows)
    if any(row["text"] for row in rows):
        index_again(session, source, [item_id])
    return unwanted


def catch_up(database: Database, source: Source, tell: Callable[[int], None] | None = None) -> int:
    """Index the items that are not, or were by other rules; give how many.

    Block by block, so that nobody waits long and a kill costs little.
    """
    done, after = 0, ""
    while ids := database.do(partial(_index_some, source=source, after=after)):
        done, after = done + len(ids), ids[-1]
        if tell:
            tell(done)
    return done


def rebuild(database: Database, source: Source, tell: Callable[[int], None] | None = None) -> int:
    """Forget the index of a source, and make it anew."""
    database.do(lambda session: index.empty(session, source))
    return catch_up(database, source, tell)


def refuse_what_is_not_indexed(database: Database, source: Source) -> None:
    """Raise BadInput where nothing was found because the items of a source are not indexed yet."""
    missing = database.look(lambda session: number_not_indexed(session, source))
    if missing:
        raise BadInput(
            f"{source.noun.so_many(missing)} of the archive cannot be found before they are "
            "indexed: run `scrapy search --rebuild` once."
        )


def number_not_indexed(session: Session, source: Source) -> int:
    """Say how many stored items a search would not find."""
    if source.kind().searched is None:
        return 0
    table = source.kind().table()
    asked = select(func.count()).select_from(table).where(_is_missing(source))
    return session.scalar(asked) or 0


def _index_some(session: Session, source: Source, after: str) -> Sequence[str]:
    ids = _not_indexed(session, source, after)
    index_again(session, source, ids)
    return ids


def _not_indexed(session: Session, source: Source, after: str) -> Sequence[str]:
    if source.kind().searched is None:
        return []
    key = source.kind().table().c[source.key]
    asked = select(key).where(key > after, _is_missing(source)).order_by(key).limit(ITEMS_A_BLOCK)
    return session.scalars(asked).all()


def _is_missing(source: Source) -> ColumnElement[bool]:
    searched = source.kind().searched
    assert searched is not None  # asked before
    key = source.kind().table().c[source.key]
    indexed = exists().where(
        _ENTRIES.c.source == source.name,
        _ENTRIES.c.item_id == key,
        _ENTRIES.c.rules == rules_of(searched),
    )
    return ~indexed


def _entry(session: Session, source: Source, record: Record) -> dict[str, Any]:
    searched = source.kind().searched
    assert searched is not None  # asked before
    entry = entry_of(source, record, pictures.texts(session, searched.pictures(record)))
    assert entry is not None
    return entry
