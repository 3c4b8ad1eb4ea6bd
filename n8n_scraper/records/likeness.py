"""Which items are nearly the same: kept up to date as they are stored, or found all at once.

What an item is compared by is kept beside it, so that another one is compared with no more than a
few that may be like it. Of items stored before there was any of this, nothing is kept until they
are stored again or all are looked through.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from sqlalchemy import (
    BindParameter,
    Function,
    Select,
    Table,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    text,
)
from sqlalchemy.orm import Session

from n8n_scraper.core.source import Likeness, Record, Source
from n8n_scraper.ledger.batches import batched
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.statements import put, run
from n8n_scraper.ledger.tables import table_of
from n8n_scraper.policies.likeness.bounds import (
    ALIKE,
    FIRST_SHARED,
    LEAST_PARTS,
    likeness_from,
    number_of_first,
    sizes_alike,
)
from n8n_scraper.policies.likeness.features import Features
from n8n_scraper.policies.likeness.groups import clusters
from n8n_scraper.policies.likeness.joining import alike
from n8n_scraper.records.tables import FirstFeatureRow, ItemFeaturesRow, LookAlikesRow

_FEATURES, _FIRST, _PAIRS = map(table_of, (ItemFeaturesRow, FirstFeatureRow, LookAlikesRow))
_ROWS_AT_ONCE = 500
_WRITTEN_AT_ONCE = 5_000
_STORED_AS = ("scraped_at", "content_hash")
"""What no two states of an item have in common."""

_OF = "of_source"
_OF_ITEM: BindParameter[str] = bindparam("of_id")
_KEPT = select(_FEATURES.c.features).where(
    _FEATURES.c.source == bindparam(_OF), _FEATURES.c.item_id == _OF_ITEM
)
_FORGET_FIRST = delete(_FIRST).where(
    _FIRST.c.source == bindparam(_OF), _FIRST.c.item_id == _OF_ITEM
)
_IN_PAIR = or_(_PAIRS.c.item_id == _OF_ITEM, _PAIRS.c.other_id == _OF_ITEM)
_FORGET_PAIRS = delete(_PAIRS).where(_PAIRS.c.source == bindparam(_OF), _IN_PAIR)
# Grouped by the column itself, SQLite would walk through all items in the order of their ids.
_HAVING: Function[str] = func.coalesce(_FIRST.c.item_id, literal_column("''"))
_SHARING = (
    select(_HAVING)
    .where(
        _FIRST.c.source == bindparam(_OF),
        _FIRST.c.feature.in_(bindparam("first", expanding=True)),
        _FIRST.c.item_id != _OF_ITEM,
    )
    .group_by(_HAVING)
    .having(func.count() >= FIRST_SHARED)
)
_MAY_BE_ALIKE = select(_FEATURES.c.item_id, _FEATURES.c.features).where(
    _FEATURES.c.source == bindparam(_OF),
    _FEATURES.c.item_id.in_(_SHARING),
    _FEATURES.c.size.between(bindparam("fewest"), bindparam("most")),
)


def note(session: Session, source: Source, item_id: str, record: Record) -> None:
    """Compare an item that is being stored with the others, if it is otherwise than it was."""
    likeness = source.kind().likeness
    if likeness is None:
        return
    found = likeness.features(record)
    which = {_OF: source.name, "of_id": item_id}
    kept = run(session, _KEPT, which).scalar()
    if kept == _packed(found):
        return
    _wait_for_others(session, source)
    if kept is not None:
        run(session, _FORGET_FIRST, which)
        run(session, _FORGET_PAIRS, which)
    put(session, _FEATURES, [_features_row(source, item_id, found)])
    if not (first := _first(found)):
        return
    run(session, insert(_FIRST), [_first_row(source, item_id, one) for one in first])
    fewest, most = sizes_alike(len(found), ALIKE)
    near = run(session, _MAY_BE_ALIKE, which | {"first": first, "fewest": fewest, "most": most})
    measures = ((row.item_id, likeness_from(found, _unpacked(row.features), ALIKE)) for row in near)
    pairs = [_pair_row(source, item_id, other, one) for other, one in measures if one is not None]
    if pairs:
        run(session, insert(_PAIRS), pairs)


def note_stored(session: Session, source: Source, item_id: str) -> None:
    """Compare an item as its row has it, where something else than a crawl has changed that."""
    likeness, table = source.kind().likeness, source.kind().table()
    if likeness is not None:
        columns = (table.c[name] for name in likeness.fields)
        row = session.execute(select(*columns).where(table.c[source.key] == item_id)).one()
        note(session, source, item_id, row._asdict())


def not_looked_at(session: Session, source: Source) -> int:
    """Count the items of which nothing is kept to compare them by."""
    table = source.kind().table()
    kept = select(_FEATURES.c.item_id).where(
        _FEATURES.c.source == source.name, _FEATURES.c.item_id == table.c[source.key]
    )
    question = select(func.count()).select_from(table).where(~kept.exists())
    return session.scalar(question) or 0


def look_through(database: Database, source: Source) -> int:
    """Find the look-alikes of all items anew; return how many items were looked at.

    The items are read while others may write; what was stored meanwhile is read once more in the
    transaction that takes the place of all that was kept.
    """
    likeness = source.kind().likeness
    assert likeness is not None, "only a source that compares its items is looked through"
    read = database.look(lambda session: dict(_all(session, source, likeness)))

    def replace(session: Session) -> int:
        _wait_for_others(session, source)
        found = _as_they_are(session, source, likeness, read)
        for table in (_FEATURES, _FIRST, _PAIRS):
            session.execute(delete(table).where(table.c.source == source.name))
        _write(session, source, found)
        return len(found)

    return database.do(replace)


def pairs_of(session: Session, source: Source) -> Iterator[tuple[str, str, float]]:
    """Give every pair of look-alikes with its similarity."""
    question = select(_PAIRS.c.item_id, _PAIRS.c.other_id, _PAIRS.c.similarity)
    rows = session.execute(question.where(_PAIRS.c.source == source.name).order_by(*_PAIRS.c))
    return ((one, other, similarity) for one, other, similarity in rows)


def clusters_of(session: Session, source: Source) -> list[list[str]]:
    """Give the clusters of look-alikes, in each the one first that is to be kept."""
    found = clusters((one, other) for one, other, _ in pairs_of(session, source))
    likeness = source.kind().likeness
    if likeness is None or not found:
        return []
    standing = standings(session, source, [one for cluster in found for one in cluster])
    return [sorted(cluster, key=standing.__getitem__) for cluster in found]


def standings(session: Session, source: Source, ids: Iterable[str]) -> Mapping[str, Any]:
    """Say of these items what decides which of several is kept."""
    likeness, table = source.kind().likeness, source.kind().table()
    if likeness is None:
        return {}
    key = table.c[source.key]
    question = select(
        key, *(table.c[name] for name in likeness.standing_fields if name != key.name)
    )
    found: dict[str, Any] = {}
    for some in batched(ids, _ROWS_AT_ONCE):
        for row in session.execute(question.where(key.in_(some))):
            found[row[0]] = likeness.standing(row._asdict())
    return found


def _wait_for_others(session: Session, source: Source) -> None:
    """Let no two transactions compare at once: neither would see what the other one stores.

    SQLite lets one write at a time anyhow.
    """
    if session.get_bind().dialect.name == "postgresql":
        number = zlib.crc32(f"look-alikes of {source.name}".encode())
        session.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})


_Read = tuple[tuple[Any, ...], "Features[int]"]
"""As what an item is stored, and its features."""


def _all(session: Session, source: Source, likeness: Likeness) -> Iterator[tuple[str, _Read]]:
    table = source.kind().table()
    key = table.c[source.key]
    page = _question(table, source, likeness).order_by(key).limit(_ROWS_AT_ONCE)
    rows = session.execute(page).mappings().all()
    while rows:
        yield from map(partial(_read, source, likeness), rows)
        rows = session.execute(page.where(rows[-1][key.name] < key)).mappings().all()


def _question(table: Table, source: Source, likeness: Likeness) -> Select[Any]:
    names = dict.fromkeys((source.key, *_STORED_AS, *likeness.fields))
    return select(*(table.c[name] for name in names))


def _read(source: Source, likeness: Likeness, row: Any) -> tuple[str, _Read]:
    stored_as = tuple(row[name] for name in _STORED_AS)
    return row[source.key], (stored_as, likeness.features(row))


def _as_they_are(
    session: Session, source: Source, likeness: Likeness, read: Mapping[str, _Read]
) -> dict[str, Features[int]]:
    """Give the features of all items as they are stored now."""
    table = source.kind().table()
    now = session.execute(select(table.c[source.key], *(table.c[name] for name in _STORED_AS)))
    stored = {item_id: tuple(stored_as) for item_id, *stored_as in now}
    newer = [one for one, as_now in stored.items() if one not in read or read[one][0] != as_now]
    again: dict[str, _Read] = {}
    for some in batched(newer, _ROWS_AT_ONCE):
        question = _question(table, source, likeness).where(table.c[source.key].in_(some))
        rows = session.execute(question).mappings()
        again.update(map(partial(_read, source, likeness), rows))
    return {one: (again.get(one) or read[one])[1] for one in stored}


def _write(session: Session, source: Source, found: Mapping[str, Features[int]]) -> None:
    ids = list(found)
    compared = [found[one] if _first(found[one]) else array("I") for one in ids]
    features = (_features_row(source, one, those) for one, those in found.items())
    first = (_first_row(source, one, each) for one in ids for each in _first(found[one]))
    pairs = (
        _pair_row(source, ids[one], ids[other], measure)
        for one, other, measure in alike(compared, ALIKE)
    )
    for table, rows in ((_FEATURES, features), (_FIRST, first), (_PAIRS, pairs)):
        for some in batched(rows, _WRITTEN_AT_ONCE):
            run(session, insert(table), some)


def _first(found: Features[int]) -> list[int]:
    """Give the features by which others are found; none of an item that has too few to tell."""
    if len(found) < LEAST_PARTS:
        return []
    return list(found[: number_of_first(len(found), ALIKE)])


def _features_row(source: Source, item_id: str, found: Features[int]) -> dict[str, Any]:
    packed = {"size": len(found), "features": _packed(found)}
    return {"source": source.name, "item_id": item_id, **packed}


def _first_row(source: Source, item_id: str, feature: int) -> dict[str, Any]:
    return {"source": source.name, "feature": feature, "item_id": item_id}


def _pair_row(source: Source, one: str, other: str, similarity: float) -> dict[str, Any]:
    low, high = sorted((one, other))
    pair = {"item_id": low, "other_id": high, "similarity": similarity}
    return {"source": source.name, **pair}


def _packed(found: Features[int]) -> bytes:
    if sys.byteorder == "big":
        found = found[:]
        found.byteswap()
    return found.tobytes()


def _unpacked(packed: bytes) -> Features[int]:
    found = array("I", packed)
    if sys.byteorder == "big":
        found.byteswap()
    return found
