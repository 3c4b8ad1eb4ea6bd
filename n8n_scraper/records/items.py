"""Items of every source in and out of the database."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from sqlalchemy import Select, Table, bindparam, select
from sqlalchemy.orm import Session

from n8n_scraper.core.dossier import Answer, FoundBy, Written
from n8n_scraper.core.item import Item
from n8n_scraper.core.packing import unpack
from n8n_scraper.core.source import Record, Source
from n8n_scraper.ledger.statements import put, run
from n8n_scraper.ledger.tables import table_of
from n8n_scraper.records import history
from n8n_scraper.records.tables import RawAnswerRow
from n8n_scraper.records.written import write_down
from n8n_scraper.search import index

I = TypeVar("I", bound=Item)  # noqa: E741 - an item

_RAW_ANSWERS = table_of(RawAnswerRow)
_ANSWERS_OF = select(_RAW_ANSWERS).where(
    _RAW_ANSWERS.c.source == bindparam("of_source"), _RAW_ANSWERS.c.item_id == bindparam("of_id")
)
_ROWS_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Stored(Generic[I]):
    """An item as it is stored, with older values of what could not be had this time."""

    item: I
    found_by: FoundBy


def save(
    session: Session,
    source: Source,
    item: I,
    answers: Collection[Answer],
    written: Written | None = None,
) -> Stored[I]:
    """Store an item, its raw answers and its history, and give it back with what it is found by.

    Storing it again replaces what was there. An older value whose answer was not had this time
    stays, and what is computed follows from both. The item may be written out beforehand; the one
    given stays as it is, so that a transaction that is repeated begins with the same.

    No search finds it before `indexing.index_stored`, or finds it as it was.
    """
    kind = source.kind()
    table = kind.table()
    before = _before(session, table, source.id_of(item))
    whole: I = item if before is None else kind.carry_over(before, item)
    if written is None or whole is not item:
        written = write_down(source, whole, answers)
    put(session, table, [written.row])
    if written.answers:
        put(session, _RAW_ANSWERS, written.answers)
    if before is None:
        history.record_new(session, source, written)
    else:
        history.record(session, source, before, kind.row(whole))
        index.outdate(session, source, written.row[source.key])
    if kind.occasions or kind.classification:
        from n8n_scraper.records import announcing  # most sources have no use for it

        announcing.note(session, source, whole)
    return Stored(whole, written.found_by)


def load(session: Session, source: Source, item_id: str) -> Item | None:
    """Give a stored item back as it was."""
    kind = source.kind()
    query = _shown(kind.table(), kind.item).where(kind.table().c[source.key] == item_id)
    row = session.execute(query).mappings().first()
    return kind.item.model_validate(dict(row)) if row else None


def load_all(session: Session, source: Source) -> Iterator[Item]:
    """Give every stored item of a source, one at a time, by id."""
    kind = source.kind()
    query = _shown(kind.table(), kind.item).order_by(kind.table().c[source.key])
    rows = session.execute(query.execution_options(yield_per=_ROWS_AT_ONCE)).mappings()
    return (kind.item.model_validate(dict(row)) for row in rows)


def raw_answers(session: Session, source: Source, item_id: str) -> dict[str, Answer]:
    """Give the latest answer of each part of an item exactly as it came."""
    rows = run(session, _ANSWERS_OF, {"of_source": source.name, "of_id": item_id}).mappings()
    return {row["part"]: _answer(row) for row in rows}


def _before(session: Session, table: Table, item_id: str | None) -> dict[str, Any] | None:
    """Give the row as it is, without asking whether this version would write it so."""
    row = run(session, _row_of(table), {"of_id": item_id}).mappings().first()
    return dict(row) if row else None


@cache
def _row_of(table: Table) -> Select[Any]:
    """Build the statement once a source: it is the first thing that storing an item asks."""
    (key,) = table.primary_key
    return select(table).where(key == bindparam("of_id")).with_for_update()


def _shown(table: Table, item: type[Item]) -> Select[Any]:
    """Ask for the columns that are fields; the others are copies for questions in SQL."""
    return select(*(column for column in table.columns if column.name in item.model_fields))


def records_of(
    session: Session, source: Source, ids: Collection[str], columns: Iterable[str]
) -> dict[str, Record]:
    """Give these columns of some items, and their ids, by id; what is not stored is left out."""
    table = source.kind().table()
    key = table.c[source.key]
    wanted = select(key, *(table.c[name] for name in columns)).where(key.in_(list(ids)))
    rows = session.execute(wanted).mappings() if ids else ()
    return {row[source.key]: dict(row) for row in rows}


def bodies_of(
    session: Session, source: Source, ids: Collection[str], part: str
) -> dict[str, bytes]:
    """Give the latest answer of one part of some items exactly as it came, by id."""
    columns = _RAW_ANSWERS.c
    wanted = select(columns.item_id, columns.body).where(
        columns.source == source.name, columns.item_id.in_(list(ids)), columns.part == part
    )
    rows = session.execute(wanted) if ids else ()
    return {item_id: unpack(body) for item_id, body in rows}


def _answer(row: Mapping[Any, Any]) -> Answer:
    return Answer(
        part=row["part"],
        url=row["url"],
        http_status=row["http_status"],
        body=unpack(row["body"]),
        fetched_at=row["fetched_at"],
    )
