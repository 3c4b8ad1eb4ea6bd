"""Which items announce the same happening, of one source or of several: kept as they are stored.

What an item announces is kept beside it, so that another one is compared with those of its days and
no more. Of items stored before there was any of this, nothing is kept until they are stored again
or all are looked through. Nothing is deleted or joined because of a match.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import BindParameter, and_, bindparam, delete, func, insert, or_, select, text
from sqlalchemy.orm import Session

from n8n_scraper.core.occasion import Occasion, Occasions
from n8n_scraper.core.source import Record, Source
from n8n_scraper.ledger.batches import batched
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.statements import put, run
from n8n_scraper.ledger.tables import table_of
from n8n_scraper.policies.sameness.comparing import DAYS_APART, Prepared, prepare
from n8n_scraper.policies.sameness.evidence import Evidence, evidence_of
from n8n_scraper.policies.sameness.groups import Match
from n8n_scraper.policies.sameness.pairing import pairs, same_as
from n8n_scraper.records.tables import MatchRow, OccasionRow

Key = tuple[str, str]
"""The name of a source, and the id of an item of it."""

_OCCASIONS, _MATCHES = map(table_of, (OccasionRow, MatchRow))
_ROWS_AT_ONCE = 500
_WRITTEN_AT_ONCE = 5_000
_READY_AT_ONCE = 2_000
"""So many are kept ready: an item is compared with all that its crawl has stored of its days."""
_OF_SOURCE: BindParameter[str] = bindparam("of_source")
_OF_ITEM: BindParameter[str] = bindparam("of_id")

_IS_IT = and_(_OCCASIONS.c.source == _OF_SOURCE, _OCCASIONS.c.item_id == _OF_ITEM)
_KEPT = select(_OCCASIONS.c.told).where(_IS_IT)
_NEAR = select(_OCCASIONS.c.source, _OCCASIONS.c.item_id, _OCCASIONS.c.told).where(
    _OCCASIONS.c.day.between(bindparam("first"), bindparam("last")), ~_IS_IT
)
_OF_IT = or_(
    and_(_MATCHES.c.source == _OF_SOURCE, _MATCHES.c.item_id == _OF_ITEM),
    and_(_MATCHES.c.other_source == _OF_SOURCE, _MATCHES.c.other_id == _OF_ITEM),
)
_FORGET = delete(_MATCHES).where(_OF_IT)
_WITH_IT = select(_MATCHES).where(_OF_IT)


def note(session: Session, source: Source, item_id: str, record: Record) -> None:
    """Compare what an item announces with the others, if it is otherwise than it was."""
    occasions = source.kind().occasions
    if occasions is None:
        return
    told = _packed(occasions.of(record))
    which = {"of_source": source.name, "of_id": item_id}
    if run(session, _KEPT, which).scalar() == told:
        return
    _wait_for_others(session)
    run(session, _FORGET, which)
    ready = _ready(told)
    put(session, _OCCASIONS, [_occasion_row((source.name, item_id), told, ready)])
    if ready is None:
        return
    near = run(session, _NEAR, which | _days_around(ready))
    others = dict(_prepared(((row.source, row.item_id), row.told) for row in near))
    found = [_match_row((source.name, item_id), *one) for one in same_as(ready, others)]
    if found:
        run(session, insert(_MATCHES), found)


def note_stored(session: Session, source: Source, item_id: str) -> None:
    """Compare an item as its row has it, where something else than a crawl has changed that."""
    occasions, table = source.kind().occasions, source.kind().table()
    if occasions is not None:
        columns = (table.c[name] for name in occasions.fields)
        row = session.execute(select(*columns).where(table.c[source.key] == item_id)).one()
        note(session, source, item_id, row._asdict())


def forget(session: Session, source: Source, item_id: str) -> None:
    """Forget every match of an item."""
    run(session, _FORGET, {"of_source": source.name, "of_id": item_id})


def of_item(session: Session, key: Key) -> Iterator[Match[Key]]:
    """Give the matches of an item, with the evidence as it has it."""
    for row in run(session, _WITH_IT, {"of_source": key[0], "of_id": key[1]}):
        match = _match(row)
        is_first = match.one == key
        yield match if is_first else Match(match.other, match.one, match.evidence.turned())


def all_matches(session: Session) -> list[Match[Key]]:
    """Give all matches that there are."""
    return [_match(row) for row in session.execute(select(_MATCHES))]


def occasions_of(session: Session, keys: Iterable[Key]) -> dict[Key, Occasion]:
    """Give what some items announce, as far as that is kept."""
    by_source: dict[str, list[str]] = {}
    for source, item_id in keys:
        by_source.setdefault(source, []).append(item_id)
    found: dict[Key, Occasion] = {}
    for source, ids in by_source.items():
        for some in batched(ids, _ROWS_AT_ONCE):
            question = select(_OCCASIONS.c.item_id, _OCCASIONS.c.told).where(
                _OCCASIONS.c.source == source, _OCCASIONS.c.item_id.in_(some)
            )
            rows = session.execute(question)
            found.update(((source, item_id), _unpacked(told)) for item_id, told in rows)
    return found


def not_looked_at(session: Session, source: Source) -> int:
    """Count the items of which it is not kept what they announce."""
    if source.kind().occasions is None:
        return 0
    table = source.kind().table()
    kept = select(_OCCASIONS.c.item_id).where(
        _OCCASIONS.c.source == source.name, _OCCASIONS.c.item_id == table.c[source.key]
    )
    question = select(func.count()).select_from(table).where(~kept.exists())
    return session.scalar(question) or 0


def look_through(database: Database, sources: Iterable[Source]) -> int:
    """Find the matches of all items of all sources anew; return how many items were looked at."""
    comparable = [source for source in sources if source.kind().occasions is not None]

    def replace(session: Session) -> int:
        _wait_for_others(session)
        told = {key: one for source in comparable for key, one in _announced(session, source)}
        for table in (_OCCASIONS, _MATCHES):
            session.execute(delete(table))
        _write(session, told)
        return len(told)

    return database.do(replace)


def _announced(session: Session, source: Source) -> Iterator[tuple[Key, str]]:
    """Give what each item of a source announces, as it is kept."""
    occasions, table = source.kind().occasions, source.kind().table()
    assert isinstance(occasions, Occasions), "only a source with occasions is looked through"
    names = dict.fromkeys((source.key, *occasions.fields))
    question = select(*(table.c[name] for name in names))
    for row in session.execute(question.execution_options(yield_per=_ROWS_AT_ONCE)):
        record = row._asdict()
        yield (source.name, record[source.key]), _packed(occasions.of(record))


def _write(session: Session, told: Mapping[Key, str]) -> None:
    ready = dict(_prepared(told.items()))
    occasions = (_occasion_row(key, one, ready.get(key)) for key, one in told.items())
    found = (_match_row(one, other, evidence) for one, other, evidence in pairs(ready))
    for table, rows in ((_OCCASIONS, occasions), (_MATCHES, found)):
        for some in batched(rows, _WRITTEN_AT_ONCE):
            run(session, insert(table), some)


def _prepared(told: Iterable[tuple[Key, str]]) -> Iterator[tuple[Key, Prepared]]:
    for key, one in told:
        if (ready := _ready(one)) is not None:
            yield key, ready


@lru_cache(_READY_AT_ONCE)
def _ready(told: str) -> Prepared | None:
    return prepare(_unpacked(told))


def _wait_for_others(session: Session) -> None:
    """Let no two transactions compare at once: neither would see what the other one stores.

    SQLite lets one write at a time anyhow.
    """
    if session.get_bind().dialect.name == "postgresql":
        number = zlib.crc32(b"matches")
        session.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})


def _days_around(ready: Prepared) -> dict[str, str]:
    day, apart = date.fromordinal(ready.day), timedelta(days=DAYS_APART)
    return {"first": (day - apart).isoformat(), "last": (day + apart).isoformat()}


def _occasion_row(key: Key, told: str, ready: Prepared | None) -> dict[str, Any]:
    day = date.fromordinal(ready.day).isoformat() if ready else None
    return {"source": key[0], "item_id": key[1], "day": day, "told": told}


def _match_row(one: Key, other: Key, evidence: Evidence) -> dict[str, Any]:
    if other < one:
        one, other, evidence = other, one, evidence.turned()
    known = {"source": one[0], "item_id": one[1], "other_source": other[0], "other_id": other[1]}
    return known | {"tier": str(evidence.tier), "evidence": evidence.as_json()}


def _match(row: Any) -> Match[Key]:
    one, other = (row.source, row.item_id), (row.other_source, row.other_id)
    return Match(one, other, evidence_of(row.evidence))


def _packed(occasion: Occasion) -> str:
    return msgspec.json.encode(occasion).decode()


def _unpacked(told: str) -> Occasion:
    return msgspec.json.decode(told, type=Occasion)
