"""Which items are nearly the same: kept up to date as they are indexed, or found all at once.

What an item is compared by is kept beside it, so that another one is compared with no more than a
few that may be like it. Of items indexed before there was any of this, nothing is kept until they
are indexed again or all are looked through.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from sqlalchemy import (
    BindParameter,
    Select,
    Table,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    text,
)
from sqlalchemy.orm import Session

from n8n_scraper.core.source import Likeness, Source
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
_OF_ITEMS: BindParameter[list[str]] = bindparam("of_ids", expanding=True)
_KEPT = select(_FEATURES.c.item_id, _FEATURES.c.features).where(
    _FEATURES.c.source == bindparam(_OF), _FEATURES.c.item_id.in_(_OF_ITEMS)
)
_FORGET_FIRST = delete(_FIRST).where(
    _FIRST.c.source == bindparam(_OF), _FIRST.c.item_id == _OF_ITEM
)
_IN_PAIR = or_(_PAIRS.c.item_id == _OF_ITEM, _PAIRS.c.other_id == _OF_ITEM)
_FORGET_PAIRS = delete(_PAIRS).where(_PAIRS.c.source == bindparam(_OF), _IN_PAIR)
_WRITE_FIRST = {
    # In one step each: SQLite's many steps would wait for Python between every two of them.
    "sqlite": text(
        "INSERT INTO first_features (source, item_id, feature) SELECT :source, "
        "json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:rows)"
    ),
    "postgresql": text(
        "INSERT INTO first_features (source, item_id, feature) SELECT :source, "
        "value->>0, (value->>1)::bigint FROM json_array_elements(CAST(:rows AS json))"
    ),
}
# Left to itself, SQLite would walk through the features of all items: CROSS JOIN has it begin with
# those of the few. To PostgreSQL it is a join like any other.
_MAY_BE_ALIKE = text(
    "SELECT sharing.one, kept.item_id, kept.size, kept.features FROM ("
    " SELECT mine.item_id AS one, other.item_id AS other"
    " FROM first_features AS mine CROSS JOIN first_features AS other"
    " WHERE mine.source = :of_source AND mine.item_id IN :of_ids"
    " AND other.source = :of_source AND other.feature = mine.feature"
    " AND other.item_id <> mine.item_id"
    " GROUP BY mine.item_id, other.item_id HAVING count(*) >= :shared) AS sharing"
    " JOIN item_features AS kept"
    " ON kept.source = :of_source AND kept.item_id = sharing.other"
).bindparams(_OF_ITEMS, shared=FIRST_SHARED)


def note(session: Session, source: Source, found: Mapping[str, Features[int] | None]) -> None:
    """Compare items by their features with the others, so far as these are not as they were."""
    kept = _kept(session, source, found)
    changed = {
        item_id: features
        for item_id, features in found.items()
        if features is not None and kept.get(item_id) != _packed(features)
    }
    if not changed:
        return
    _wait_for_others(session, source)
    if again := [{_OF: source.name, "of_id": one} for one in changed if one in kept]:
        run(session, _FORGET_FIRST, again)
        run(session, _FORGET_PAIRS, again)
    rows = [_features_row(source, item_id, features) for item_id, features in changed.items()]
    put(session, _FEATURES, rows)
    first = [(item_id, one) for item_id, some in changed.items() for one in _first(some)]
    if not first:
        return
    written = {"source": source.name, "rows": json.dumps(first)}
    run(session, _WRITE_FIRST[session.get_bind().dialect.name], written)
    pairs = _alike(session, source, changed)
    if pairs:
        run(session, insert(_PAIRS), [_pair_row(source, *pair) for pair in pairs])


def _kept(session: Session, source: Source, item_ids: Collection[str]) -> dict[str, bytes]:
    if not item_ids:
        return {}
    rows = run(session, _KEPT, {_OF: source.name, "of_ids": list(item_ids)})
    return {row.item_id: bytes(row.features) for row in rows}


def _alike(
    session: Session, source: Source, changed: Mapping[str, Features[int]]
) -> set[tuple[str, str, float]]:
    """Measure how like these items are to the few that may be like them; each pair once."""
    found = set()
    for row in run(session, _MAY_BE_ALIKE, {_OF: source.name, "of_ids": list(changed)}):
        features = changed[row.one]
        fewest, most = sizes_alike(len(features), ALIKE)
        if fewest <= row.size <= most:
            measure = likeness_from(features, _unpacked(row.features), ALIKE)
            if measure is not None:
                low, high = sorted((row.one, row.item_id))
                found.add((low, high, measure))
    return found


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
