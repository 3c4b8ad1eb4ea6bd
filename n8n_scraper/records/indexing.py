"""Let what is stored be found: by its words, and by what is like it.

Storing an item leaves that for a moment later, because of many items at once it takes a fraction
of the time. The index itself says what is still to be done, so that a kill loses nothing of it.
Whoever changes a stored item in another way does it at once, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain
from typing import Any

from sqlalchemy import ColumnElement, exists, func, select
from sqlalchemy.orm import Session

from n8n_scraper.core.dossier import FoundBy
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.tables import table_of
from n8n_scraper.records import likeness, pictures
from n8n_scraper.records.written import STORED_AS, found_by
from n8n_scraper.search import index
from n8n_scraper.search.entry import rules_of
from n8n_scraper.search.tables import SearchItemRow

ITEMS_A_BLOCK = 50
"""So many are indexed in one transaction, for which others may have to wait."""

_A_MOMENT = timedelta(minutes=1)
_ENTRIES = table_of(SearchItemRow)


def index_stored(session: Session, source: Source, stored: Mapping[str, FoundBy]) -> None:
    """Index items that were stored a moment ago, so far as nobody else has done it since.

    One that is not as it was stored then, or in whose pictures something was read, is indexed as
    its row is now.
    """
    table = source.kind().table()
    key = table.c[source.key]
    asked = select(key, *(table.c[name] for name in STORED_AS)).where(key.in_(list(stored)))
    if source.kind().searched is not None:
        asked = asked.where(_is_missing(source))
    # A take-down under way is waited for: of what it takes out, nothing is to be found again.
    rows = session.execute(asked.order_by(key).with_for_update())
    missing = {item_id: tuple(stored_as) for item_id, *stored_as in rows}
    shown = chain.from_iterable(stored[item_id].pictures for item_id in missing)
    with_words = pictures.with_words(session, shown)
    ready = {
        item_id: stored[item_id]
        for item_id, stored_as in missing.items()
        if stored[item_id].stored_as == stored_as
        and with_words.isdisjoint(stored[item_id].pictures)
    }
    _put(session, source, ready)
    index_again(session, source, missing.keys() - ready.keys())


def index_again(session: Session, source: Source, item_ids: Collection[str]) -> None:
    """Index stored items as their rows are now, because they are new or have changed."""
    kind = source.kind()
    if not item_ids or (kind.searched is None and kind.likeness is None):
        return
    table, searched = kind.table(), kind.searched
    key = table.c[source.key]
    rows = session.execute(select(table).where(key.in_(list(item_ids))).order_by(key)).mappings()
    found: dict[str, FoundBy] = {}
    for row in map(dict[str, Any], rows):
        words = pictures.texts(session, searched.pictures(row)) if searched else ()
        found[row[source.key]] = found_by(source, row, words)
    _put(session, source, found)


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
    while ids := database.do(partial(index_some, source=source, after=after)):
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
    """Say how many stored items a search would not find, but for those of a moment ago.

    These the crawl that has stored them is about to index.
    """
    if source.kind().searched is None:
        return 0
    table = source.kind().table()
    earlier = (datetime.now(UTC) - _A_MOMENT).isoformat()
    asked = select(func.count()).select_from(table)
    missing = asked.where(_is_missing(source), table.c.scraped_at < earlier)
    return session.scalar(missing) or 0


def index_some(session: Session, source: Source, after: str) -> Sequence[str]:
    """Index the next items that are not, or were by other rules, behind an id; give theirs."""
    ids = _not_indexed(session, source, after)
    index_again(session, source, ids)
    return ids


def _not_indexed(session: Session, source: Source, after: str) -> Sequence[str]:
    if source.kind().searched is None:
        return []
    key = source.kind().table().c[source.key]
    asked = select(key).where(key > after, _is_missing(source)).order_by(key).limit(ITEMS_A_BLOCK)
    return session.scalars(asked.with_for_update()).all()


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


def _put(session: Session, source: Source, found: Mapping[str, FoundBy]) -> None:
    index.put(session, source, [one.entry for one in found.values() if one.entry is not None])
    compared = {item_id: one.features for item_id, one in found.items()}
    likeness.note(session, source, compared)
