"""Write the index, inside the transaction of whoever stores the item."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, text, update
from sqlalchemy.orm import Session

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.statements import run
from n8n_scraper.ledger.tables import table_of
from n8n_scraper.search.entry import Entry, vocabulary_of
from n8n_scraper.search.tables import SearchItemRow, SearchWordRow
from n8n_scraper.search.words import stem

_ITEMS, _WORDS = table_of(SearchItemRow), table_of(SearchWordRow)
_OF_ITEM = (_ITEMS.c.source == bindparam("of_source"), _ITEMS.c.item_id == bindparam("of_id"))
_FOUND = select(
    _ITEMS.c.number, _ITEMS.c.fingerprint, _ITEMS.c.popularity, _ITEMS.c.vocabulary
).where(*_OF_ITEM)
_TAKEN = select(_ITEMS.c.number).where(_ITEMS.c.number == bindparam("of_number"))
_INSERT = insert(_ITEMS)
_UPDATE = update(_ITEMS).where(*_OF_ITEM)
_CHANGED = _UPDATE.values({column: bindparam(column.name) for column in _ITEMS.c})
_LOOKED_AT = _UPDATE.values(popularity=bindparam("now"))
_DELETE = delete(_ITEMS).where(*_OF_ITEM)

# Workers count the same words: one at a time, so that no two wait for each other.
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(8675309812)")
_COUNT = {
    "sqlite": text(
        "INSERT INTO search_words (source, word, stem, items) SELECT :source, "
        "json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') "
        "FROM json_each(:rows) WHERE true "
        "ON CONFLICT (source, word) DO UPDATE SET items = search_words.items + excluded.items"
    ),
    "postgresql": text(
        "INSERT INTO search_words (source, word, stem, items) "
        "SELECT :source, value->>0, value->>1, (value->>2)::bigint "
        "FROM json_array_elements(CAST(:rows AS json)) "
        "ON CONFLICT (source, word) DO UPDATE SET items = search_words.items + excluded.items"
    ),
}
_FORGET_UNUSED = {
    "sqlite": text(
        "DELETE FROM search_words WHERE source = :source AND items <= 0 "
        "AND word IN (SELECT value FROM json_each(:words))"
    ),
    "postgresql": text(
        "DELETE FROM search_words WHERE source = :source AND items <= 0 "
        "AND word IN (SELECT json_array_elements_text(CAST(:words AS json)))"
    ),
}


def put(session: Session, source: Source, entries: Iterable[Entry]) -> None:
    """Index items; one that is indexed so already stays as it is."""
    counts: Counter[str] = Counter()
    for entry in entries:
        before = _before(session, source, entry["item_id"])
        if before is None:
            run(session, _INSERT, entry | {"number": _free_number(session, entry)})
            counts.update(vocabulary_of(entry))
        elif before["fingerprint"] != entry["fingerprint"]:
            values = entry | {"number": _free_number(session, entry, before["number"])}
            run(session, _CHANGED, values | _key(source, entry["item_id"]))
            counts.update(vocabulary_of(entry))
            counts.subtract(vocabulary_of(before))
        elif before["popularity"] != entry["popularity"]:
            run(session, _LOOKED_AT, _key(source, entry["item_id"]) | {"now": entry["popularity"]})
    _count(session, source, counts)


def forget(session: Session, source: Source, item_ids: Collection[str]) -> None:
    """Take items out so that no word of theirs is left, not even in what the index has put away."""
    counts: Counter[str] = Counter()
    for item_id in item_ids:
        if before := _before(session, source, item_id):
            counts.subtract(vocabulary_of(before))
            run(session, _DELETE, _key(source, item_id))
    _count(session, source, counts)
    if counts and _dialect(session) == "sqlite":
        session.execute(text("INSERT INTO search_index (search_index) VALUES ('optimize')"))


def empty(session: Session, source: Source) -> None:
    """Forget everything that is indexed of a source."""
    session.execute(delete(_ITEMS).where(_ITEMS.c.source == source.name))
    session.execute(delete(_WORDS).where(_WORDS.c.source == source.name))


def _before(session: Session, source: Source, item_id: str) -> dict[str, Any] | None:
    row = run(session, _FOUND, _key(source, item_id)).first()
    return row._asdict() if row else None


def _key(source: Source, item_id: str) -> dict[str, Any]:
    return {"of_source": source.name, "of_id": item_id}


def _free_number(session: Session, entry: Mapping[str, Any], own: int | None = None) -> int:
    """Give an item its number, or the next one where chance has given that to another."""
    number: int = entry["number"]
    while number != own and run(session, _TAKEN, {"of_number": number}).first():
        number += 1
    return number


def _count(session: Session, source: Source, counts: Counter[str]) -> None:
    changed = sorted((word, number) for word, number in counts.items() if number)
    if not changed:
        return
    dialect = _dialect(session)
    if dialect == "postgresql":
        session.execute(_ONE_AT_A_TIME)
    rows = [[word, stem(word), number] for word, number in changed]
    session.execute(_COUNT[dialect], {"source": source.name, "rows": json.dumps(rows)})
    fewer = [word for word, number in changed if number < 0]
    if fewer:
        words = {"source": source.name, "words": json.dumps(fewer)}
        session.execute(_FORGET_UNUSED[dialect], words)


def _dialect(session: Session) -> str:
    return session.get_bind().dialect.name
