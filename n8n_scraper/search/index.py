"""Write the index, inside the transaction of whoever stores the item."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Executable, bindparam, delete, insert, select, text, update
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
    *(_ITEMS.c.number, _ITEMS.c.item_id, _ITEMS.c.rules),
    *(_ITEMS.c.fingerprint, _ITEMS.c.popularity, _ITEMS.c.vocabulary),
).where(
    _ITEMS.c.source == bindparam("of_source"),
    _ITEMS.c.item_id.in_(bindparam("of_ids", expanding=True)),
)
_TAKEN = select(_ITEMS.c.number).where(_ITEMS.c.number.in_(bindparam("of_numbers", expanding=True)))
_INSERT = insert(_ITEMS)
_UPDATE = update(_ITEMS).where(*_OF_ITEM)
_CHANGED = _UPDATE.values({column: bindparam(column.name) for column in _ITEMS.c})
_LOOKED_AT = _UPDATE.values(popularity=bindparam("popularity"), rules=bindparam("rules"))
_OUTDATED = _UPDATE.values(rules="")
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


def put(session: Session, source: Source, entries: Sequence[Entry]) -> None:
    """Index items; one that is indexed so already stays as it is."""
    before = _before(session, source, [entry["item_id"] for entry in entries])
    counts: Counter[str] = Counter()
    new, changed, looked_at = [], [], []
    for entry in entries:
        was = before.get(entry["item_id"])
        if was is None:
            new.append(entry)
        elif was["fingerprint"] != entry["fingerprint"]:
            changed.append(entry)
            counts.subtract(vocabulary_of(was))
        elif _looks(was) != _looks(entry):
            looked_at.append(entry)
    numbers = _Numbers(session, before, [*new, *changed])
    _write(session, _INSERT, [one | numbers.of(one) for one in new])
    _write(session, _CHANGED, [_key_of(one) | one | numbers.of(one) for one in changed])
    _write(session, _LOOKED_AT, [_key_of(one) | _looks(one) for one in looked_at])
    for entry in (*new, *changed):
        counts.update(vocabulary_of(entry))
    _count(session, source, counts)


def outdate(session: Session, source: Source, item_id: str) -> None:
    """Have an item indexed anew, if it is indexed: until then it is found as it was."""
    run(session, _OUTDATED, {"of_source": source.name, "of_id": item_id})


def forget(session: Session, source: Source, item_ids: Collection[str]) -> None:
    """Take items out so that no word of theirs is left, not even in what the index has put away."""
    counts: Counter[str] = Counter()
    for item_id, before in _before(session, source, item_ids).items():
        counts.subtract(vocabulary_of(before))
        run(session, _DELETE, {"of_source": source.name, "of_id": item_id})
    _count(session, source, counts)
    if counts and _dialect(session) == "sqlite":
        session.execute(text("INSERT INTO search_index (search_index) VALUES ('optimize')"))


def empty(session: Session, source: Source) -> None:
    """Forget everything that is indexed of a source."""
    session.execute(delete(_ITEMS).where(_ITEMS.c.source == source.name))
    session.execute(delete(_WORDS).where(_WORDS.c.source == source.name))


def _before(
    session: Session, source: Source, item_ids: Collection[str]
) -> dict[str, Mapping[str, Any]]:
    if not item_ids:
        return {}
    rows = run(session, _FOUND, {"of_source": source.name, "of_ids": list(item_ids)}).mappings()
    return {row["item_id"]: dict(row) for row in rows}


def _write(session: Session, statement: Executable, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        run(session, statement, rows)


def _key_of(entry: Entry) -> dict[str, str]:
    return {"of_source": entry["source"], "of_id": entry["item_id"]}


def _looks(row: Mapping[str, Any]) -> dict[str, Any]:
    """Give what may change of a row while all that is found of it stays."""
    return {"popularity": row["popularity"], "rules": row["rules"]}


class _Numbers:
    """Gives each item its number, or the next one where chance has given that to another."""

    def __init__(
        self, session: Session, before: Mapping[str, Mapping[str, Any]], entries: Sequence[Entry]
    ) -> None:
        self._session = session
        self._own = {item_id: was["number"] for item_id, was in before.items()}
        self._taken = self._find_taken([entry["number"] for entry in entries])

    def of(self, entry: Entry) -> dict[str, int]:
        """Give the number of an item, as a row has it."""
        number, own = entry["number"], self._own.get(entry["item_id"])
        while number != own and number in self._taken:
            number += 1
            self._taken |= self._find_taken([number])
        self._taken.add(number)
        return {"number": number}

    def _find_taken(self, numbers: Sequence[int]) -> set[int]:
        if not numbers:
            return set()
        return set(run(self._session, _TAKEN, {"of_numbers": numbers}).scalars())


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
