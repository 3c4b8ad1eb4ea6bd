"""What happened to the items: their versions, the events, and what is followed over time.

Everything here runs inside the transaction of whoever calls it, so that an item is never stored
without its history.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Row,
    Select,
    Text,
    bindparam,
    func,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.dossier import Planned, Written
from n8n_scraper.core.packing import pack_json, unpack_json
from n8n_scraper.core.source import Division, Record, Source
from n8n_scraper.ledger import items as queue
from n8n_scraper.ledger import runs
from n8n_scraper.ledger.batches import batched
from n8n_scraper.ledger.ledger import State
from n8n_scraper.ledger.statements import insert_new, run
from n8n_scraper.ledger.tables import Json, RunItemRow, table_of
from n8n_scraper.policies.run.removals import Removals
from n8n_scraper.records.indexing import ITEMS_A_BLOCK, index_again
from n8n_scraper.records.tables import EventRow, VersionRow

_VERSIONS = table_of(VersionRow)
_OF_ITEM = (
    _VERSIONS.c.source == bindparam("of_source"),
    _VERSIONS.c.item_id == bindparam("of_id"),
)
_LATEST = select(_VERSIONS).where(*_OF_ITEM).order_by(_VERSIONS.c.version.desc()).limit(1)
_SEEN_FIRST = (
    update(_VERSIONS)
    .where(*_OF_ITEM, _VERSIONS.c.version == bindparam("of_version"))
    .values(content=bindparam("content"))
)
_ADD_VERSION = insert(_VERSIONS)
_ADD_EVENT = insert(table_of(EventRow))


class EventKind(StrEnum):
    """What can happen to an item."""

    NEW = "new"
    CHANGED = "changed"
    RENAMED = "renamed"
    REMOVED = "removed"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class Stored:
    """What an update has to know of an item that the archive has."""

    listing: Mapping[str, Any]
    """What the inventory has to say as well, if nothing has changed."""
    scraped_at: str
    removed: bool


def record_new(session: Session, source: Source, written: Written) -> None:
    """Note that an item is in the archive for the first time."""
    row = written.row
    _sample(session, source, row)
    _add_version(session, source, row, 1, written.content)
    names = {name: row[name] for name in source.kind().authored.names}
    _add_event(session, source, row, EventKind.NEW, names)


def record(session: Session, source: Source, before: Record, now: Record) -> None:
    """Note what storing an item again has brought to light; an unchanged one leaves only samples.

    Given are its row as it was, and as it is now.
    """
    _sample(session, source, now)
    if before["removed_at"] is not None:
        since = {"removed_at": before["removed_at"]}
        _add_event(session, source, now, EventKind.RETURNED, since)
    _record_changes(session, source, before, now)
    if names := source.kind().authored.renaming(before, now):
        _add_event(session, source, now, EventKind.RENAMED, names)


def _record_changes(session: Session, source: Source, before: Record, now: Record) -> None:
    authored = source.kind().authored
    latest = _latest_version(session, source, before)
    content = unpack_json(latest.content)
    known = {name: value for name, value in content.items() if value is not None}
    known |= authored.observed(before)
    seen = authored.observed(now)
    found = authored.changes(known, seen, _read_elsewhere(before, now, seen))
    first_seen = {name: seen[name] for name in seen if name not in known and seen[name] is not None}
    # What has not changed stays as it was first seen, before anything in it was blacked out.
    content |= first_seen | {name: seen[name] for name in found}
    if found:
        _add_version(session, source, now, latest.version + 1, pack_json(content))
        if set(found) != {"title"}:  # a new title alone is a new name, and is told as that
            details = {"version": latest.version + 1, "fields": found}
            _add_event(session, source, now, EventKind.CHANGED, details)
    elif first_seen:
        key = {"of_source": source.name, "of_id": latest.item_id, "of_version": latest.version}
        run(session, _SEEN_FIRST, key | {"content": pack_json(content)})


def _read_elsewhere(before: Record, now: Record, seen: Iterable[str]) -> list[str]:
    """Name those of the fields that were read from another answer than before."""
    then, today = before["sources"], now["sources"]
    return [field for field in seen if then.get(field) != today.get(field)]


def _latest_version(session: Session, source: Source, before: Record) -> Row[Any]:
    """Give the newest version; an item stored before there were any gets its first."""
    key = {"of_source": source.name, "of_id": before[source.key]}
    latest = run(session, _LATEST, key).first()
    if latest is None:
        content = source.kind().authored.content(before)
        _add_version(session, source, before, 1, pack_json(content))
        latest = run(session, _LATEST, key).one()
    return latest


def _add_version(
    session: Session, source: Source, record: Record, number: int, content: bytes
) -> None:
    row = {
        "source": source.name,
        "item_id": record[source.key],
        "version": number,
        "content_hash": record["content_hash"],
        "run_id": record["run_id"],
        "seen_at": record["scraped_at"],
        "content": content,
    }
    run(session, _ADD_VERSION, row)


def _add_event(
    session: Session, source: Source, record: Record, kind: EventKind, details: dict[str, Any]
) -> None:
    row = {
        "source": source.name,
        "item_id": record[source.key],
        "run_id": record["run_id"],
        "at": record["scraped_at"],
        "kind": kind,
        "details": details,
    }
    run(session, _ADD_EVENT, row)


def _sample(session: Session, source: Source, record: Record) -> None:
    samples = source.kind().samples
    if samples and (row := samples.row(record)):
        insert_new(session, samples.table(), row)


def note_removals(
    session: Session,
    source: Source,
    run_id: str,
    most_share: float = 1.0,
    of: Division | None = None,
) -> Removals:
    """Mark what the archive has and the whole inventory of this run does not list; count it.

    Where the run is `of` a division, the inventory speaks of that alone. When more than
    `most_share` of all is missing, it is not believed and none is marked. To be called once for a
    run that was asked for everything, when its plan is complete.
    """
    items = source.kind().table().c
    key = items[source.key]
    here = select(key).where(items.removed_at.is_(None))
    if of is not None:
        here = here.where(items[of.field] == of.value)
    listed = select(RunItemRow.item_id).where(RunItemRow.run_id == run_id, RunItemRow.in_inventory)
    # A difference of two lists is never looked for pair by pair; a server that thinks a new run
    # small would do so with `NOT EXISTS`.
    missing = here.except_(listed)
    removals = Removals(_count(session, missing), _count(session, here), most_share, source.noun)
    if removals.believed:
        why = "the site does not list it any more"
        _mark_removed(session, source, run_id, key.in_(missing), why)
    return removals


def _count(session: Session, question: Select[Any] | CompoundSelect[Any]) -> int:
    return session.scalar(select(func.count()).select_from(question.subquery())) or 0


def note_gone(session: Session, source: Source, run_id: str, item_id: str) -> None:
    """Mark an item as removed that the site says it does not have, if the archive has it at all."""
    which = source.kind().table().c[source.key] == item_id
    _mark_removed(session, source, run_id, which, "the site does not have it any more")


def _mark_removed(
    session: Session, source: Source, run_id: str, which: ColumnElement[bool], reason: str
) -> None:
    now, table = utc_now(), source.kind().table()
    missing = (table.c.removed_at.is_(None), which)
    columns = {
        "source": literal(source.name, Text()),
        "item_id": table.c[source.key],
        "run_id": literal(run_id, Text()),
        "at": literal(now, Text()),
        "kind": literal(str(EventKind.REMOVED), Text()),
        "details": literal({"reason": reason}, Json),
    }
    events = select(*columns.values()).where(*missing).order_by(table.c[source.key])
    session.execute(insert(EventRow).from_select(list(columns), events, include_defaults=False))
    ids = session.scalars(select(table.c[source.key]).where(*missing)).all()
    session.execute(update(table).where(*missing).values(removed_at=now, in_inventory=False))
    for some in batched(ids, ITEMS_A_BLOCK):
        index_again(session, source, some)


def stored(session: Session, source: Source) -> dict[str, Stored]:
    """Give what an update has to know of every item in the archive."""
    kind = source.kind()
    items = kind.table().c
    listed = [items[name] for name in kind.listed]
    columns = (items[source.key], items.scraped_at, items.removed_at, *listed)
    return {
        item_id: Stored(dict(zip(kind.listed, says, strict=True)), scraped_at, removed is not None)
        for item_id, scraped_at, removed, *says in session.execute(select(*columns))
    }


def plan_update(
    session: Session,
    source: Source,
    run_id: str,
    entries: Iterable[Planned],
    *,
    first: int,
    most: int | None = None,
    most_removed: float | None = 1.0,
    of: Division | None = None,
) -> Removals | None:
    """Plan an update at one stroke, at most so many items of the list.

    All of the list has to be there for a moment, to see what is missing in it; without
    `most_removed` it is not the whole list, and nobody looks.
    """
    planned = queue.plan(session, run_id, entries, first=first)
    removals = None
    if most_removed is not None:
        removals = note_removals(session, source, run_id, most_removed, of)
    if most is not None:
        beyond = RunItemRow.position >= first + most
        planned -= queue.drop(session, run_id, RunItemRow.state == State.PENDING, beyond)
    if planned:
        runs.note_discovery(session, run_id)
    return removals
