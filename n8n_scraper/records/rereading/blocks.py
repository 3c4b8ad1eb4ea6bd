"""Read stored items anew, a block at a time, see what differs, and store that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, bindparam, func, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from n8n_scraper.core.dossier import Answer
from n8n_scraper.core.packing import Damaged, unpack
from n8n_scraper.core.source import Record, Source
from n8n_scraper.ledger.json_columns import AsText
from n8n_scraper.ledger.statements import run
from n8n_scraper.ledger.tables import table_of
from n8n_scraper.records.indexing import index_again
from n8n_scraper.records.rereading.anew import Unreadable, differences, reread
from n8n_scraper.records.rereading.beside import with_its_words
from n8n_scraper.records.rereading.selection import Selection
from n8n_scraper.records.tables import RawAnswerRow
from n8n_scraper.records.written import STORED_AS, as_column

_RAW_ANSWERS = table_of(RawAnswerRow)
_OF_ITEMS = select(_RAW_ANSWERS).where(
    _RAW_ANSWERS.c.source == bindparam("of_source"),
    _RAW_ANSWERS.c.item_id.in_(bindparam("of_ids", expanding=True)),
)


@dataclass(frozen=True, slots=True)
class Compared:
    """What has come of reading an item anew."""

    item_id: str
    now: Mapping[str, Any] = field(default_factory=dict)
    """The fields that differ, as they are read today."""
    before: Mapping[str, Any] = field(default_factory=dict)
    """The same as they are stored, and what tells that they still are."""
    unreadable: str | None = None
    """Why it stays as it is."""
    error: str | None = None
    """The same, where it is an error of our own."""


def number_of(session: Session, source: Source, selection: Selection, after: str = "") -> int:
    """Count the items that are to be read, behind the one after which it goes on."""
    chosen = _chosen(source, selection, after).subquery()
    return session.scalar(select(func.count()).select_from(chosen)) or 0


def next_ids(
    session: Session, source: Source, selection: Selection, after: str, most: int
) -> list[str]:
    """Give the ids of the next items, in the order of the table's key."""
    query = _chosen(source, selection, after)
    return list(session.scalars(query.order_by(*query.selected_columns).limit(most)))


def compare(
    session: Session, source: Source, ids: Sequence[str], unwanted: Collection[str]
) -> list[Compared]:
    """Read these items anew, and say what differs of each; change nothing.

    Of an item and its answers the session has to see one moment.
    """
    table = source.kind().table()
    as_stored = AsText(table.columns)
    rows = session.execute(select(*as_stored.columns).where(table.c[source.key].in_(ids)))
    records = {values[source.key]: values for values in map(as_stored.values, rows)}
    answers = _answers(session, source, ids)
    return [
        _compared(session, source, records[one], answers.get(one, ()), unwanted)
        for one in ids
        if one in records
    ]


def store(
    session: Session, source: Source, compared: Sequence[Compared], unwanted: Collection[str]
) -> list[Compared]:
    """Store what differs; give what was stored.

    An item that is not any more as it was compared, because a crawl has stored it meanwhile or the
    words of a video have come, is compared again as it is: so nothing newer is lost.
    """
    differing = [one for one in compared if one.now]
    now = _locked(session, source, differing) if differing else {}
    stored = []
    for one in compared:
        if one.now and not _is_still(one, now.get(one.item_id)):
            stored += (again := compare(session, source, [one.item_id], unwanted))
            _write(session, source, again)
        else:
            stored.append(one)
            _write(session, source, [one])
    return stored


def _chosen(source: Source, selection: Selection, after: str) -> Select[Any]:
    columns = source.kind().table().columns
    key = columns[source.key]
    conditions: list[ColumnElement[bool]] = [key > after] if after else []
    if selection.ids:
        conditions.append(key.in_(selection.ids))
    if selection.since:
        conditions.append(columns["scraped_at"] >= selection.since)
    return select(key).where(*conditions)


def _answers(session: Session, source: Source, ids: Sequence[str]) -> dict[str, list[Row[Any]]]:
    found: dict[str, list[Row[Any]]] = {}
    for row in run(session, _OF_ITEMS, {"of_source": source.name, "of_ids": ids}):
        found.setdefault(row.item_id, []).append(row)
    return found


def _compared(
    session: Session,
    source: Source,
    record: Record,
    packed: Iterable[Row[Any]],
    unwanted: Collection[str],
) -> Compared:
    item_id, kind = record[source.key], source.kind()
    try:
        item = reread(source, record, {row.part: _answer(row) for row in packed}, unwanted)
        if isinstance(item, Unreadable):
            return Compared(item_id, unreadable=item.reason)
        now = differences(record, with_its_words(session, source, record, kind.row(item)))
    except Damaged as error:
        return Compared(item_id, unreadable=str(error))
    except SQLAlchemyError:
        raise  # that is no item's fault
    except Exception as error:  # noqa: BLE001 - it is told of this item; the others go on
        return Compared(item_id, error=repr(error))
    basis = (*now, *STORED_AS) if now else ()
    return Compared(item_id, now, {name: record[name] for name in basis})


def _answer(row: Row[Any]) -> Answer:
    try:
        body = unpack(row.body)
    except Damaged:
        raise Damaged(f"{row.part}: its stored answer is damaged") from None
    return Answer(row.part, row.url, row.http_status, body, row.fetched_at)


def _locked(
    session: Session, source: Source, compared: Sequence[Compared]
) -> dict[str, dict[str, Any]]:
    """Give the rows of these items as they are, and keep all others from changing them."""
    columns = source.kind().table().columns
    key = columns[source.key]
    names = {source.key}.union(*(one.before for one in compared))
    as_stored = AsText(columns[name] for name in sorted(names))
    rows = session.execute(
        select(*as_stored.columns)
        .where(key.in_([one.item_id for one in compared]))
        .order_by(key)
        .with_for_update()
    )
    return {values[source.key]: values for values in map(as_stored.values, rows)}


def _is_still(compared: Compared, row: Mapping[str, Any] | None) -> bool:
    return row is not None and all(row[name] == value for name, value in compared.before.items())


def _write(session: Session, source: Source, compared: Sequence[Compared]) -> None:
    kind, table = source.kind(), source.kind().table()
    for one in compared:
        if one.now:
            values = {name: as_column(value) for name, value in one.now.items()}
            change = update(table).where(table.c[source.key] == one.item_id).values(values)
            session.connection().execute(change)
        if one.now and (kind.occasions or kind.classification):
            from n8n_scraper.records import announcing  # most sources have no use for it

            announcing.note_stored(session, source, one.item_id)
    index_again(session, source, [one.item_id for one in compared if one.now])
