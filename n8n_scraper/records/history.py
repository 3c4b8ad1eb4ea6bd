"""What happened to the templates: their versions, the events, and their views over time.

Everything here runs inside the transaction of whoever calls it, so that a template is never stored
without its history.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Text,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.core.source import Content, Record
from n8n_scraper.ledger import ledger
from n8n_scraper.ledger.packing import pack_json, unpack_json
from n8n_scraper.ledger.statements import insert_new, run
from n8n_scraper.ledger.tables import Json, RunAnswerRow, RunItemRow, RunRow, table_of
from n8n_scraper.policies.run.removals import Removals
from n8n_scraper.records.tables import EventRow, VersionRow
from n8n_scraper.records.written import Written
from n8n_scraper.sources.n8n.rules.change import (
    changes,
    content_of,
    observed,
    renaming,
)
from n8n_scraper.sources.n8n.tables import ViewSampleRow, WorkflowRow

_SOURCE = "n8n"
_VERSIONS = table_of(VersionRow)
_OF_TEMPLATE = and_(_VERSIONS.c.source == _SOURCE, _VERSIONS.c.item_id == bindparam("of_id"))
_LATEST = select(_VERSIONS).where(_OF_TEMPLATE).order_by(_VERSIONS.c.version.desc()).limit(1)
_SEEN_FIRST = (
    update(_VERSIONS)
    .where(_OF_TEMPLATE, _VERSIONS.c.version == bindparam("of_version"))
    .values(content=bindparam("content"))
)
_ADD_VERSION = insert(_VERSIONS)
_ADD_EVENT = insert(table_of(EventRow))


class Kind(StrEnum):
    """What can happen to a template."""

    NEW = "new"
    CHANGED = "changed"
    RENAMED = "renamed"
    REMOVED = "removed"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class Stored:
    """What an update has to know of a template that the archive has."""

    slug: str | None
    scraped_at: str
    removed: bool


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, with the title that the template has now."""

    id: int
    workflow_id: str
    title: str | None
    run_id: str
    at: str
    kind: str
    details: dict[str, Any]


def record_new(session: Session, written: Written) -> None:
    """Note that a template is in the archive for the first time."""
    row = written.row
    _sample_views(session, row)
    _add_version(session, row, 1, written.content)
    _add_event(session, row, Kind.NEW, {"title": row["title"], "slug": row["slug"]})


def record(session: Session, before: Record, now: Record) -> None:
    """Note what storing a template again has brought to light; an unchanged one leaves only views.

    Given are its row as it was, and as it is now.
    """
    _sample_views(session, now)
    if before["removed_at"] is not None:
        _add_event(session, now, Kind.RETURNED, {"removed_at": before["removed_at"]})
    _record_changes(session, before, now)
    if names := renaming(before, now):
        _add_event(session, now, Kind.RENAMED, names)


def _record_changes(session: Session, before: Record, now: Record) -> None:
    latest = _latest_version(session, before)
    content = unpack_json(latest.content)
    known = {name: value for name, value in content.items() if value is not None}
    known |= observed(before)
    seen = observed(now)
    # The answers that a workflow can stand in do not all carry the same settings.
    elsewhere = before["sources"].get("workflow") != now["sources"].get("workflow")
    found = changes(known, seen, shared_keys_only=elsewhere)
    first_seen = {name: seen[name] for name in seen if name not in known and seen[name] is not None}
    # What has not changed stays as it was first seen, before anything in it was blacked out.
    content |= first_seen | {name: seen[name] for name in found}
    if found:
        _add_version(session, now, latest.version + 1, pack_json(content))
        if set(found) != {"title"}:  # a new title alone is a new name, and is told as that
            details = {"version": latest.version + 1, "fields": found}
            _add_event(session, now, Kind.CHANGED, details)
    elif first_seen:
        key = {"of_id": latest.item_id, "of_version": latest.version}
        run(session, _SEEN_FIRST, key | {"content": pack_json(content)})


def _latest_version(session: Session, before: Record) -> Row[Any]:
    """Give the newest version; a template stored before there were any gets its first."""
    key = {"of_id": before["workflow_id"]}
    latest = run(session, _LATEST, key).first()
    if latest is None:
        _add_version(session, before, 1, pack_json(content_of(before)))
        latest = run(session, _LATEST, key).one()
    return latest


def _add_version(session: Session, record: Record, number: int, content: bytes) -> None:
    row = {
        "source": _SOURCE,
        "item_id": record["workflow_id"],
        "version": number,
        "content_hash": record["content_hash"],
        "run_id": record["run_id"],
        "seen_at": record["scraped_at"],
        "content": content,
    }
    run(session, _ADD_VERSION, row)


def _add_event(session: Session, record: Record, kind: Kind, details: dict[str, Any]) -> None:
    row = {
        "source": _SOURCE,
        "item_id": record["workflow_id"],
        "run_id": record["run_id"],
        "at": record["scraped_at"],
        "kind": kind,
        "details": details,
    }
    run(session, _ADD_EVENT, row)


def _sample_views(session: Session, record: Record) -> None:
    if record["views"] is None and record["recent_views"] is None:
        return
    columns = ("workflow_id", "views", "recent_views", "run_id")
    values = {name: record[name] for name in columns} | {"at": record["scraped_at"]}
    insert_new(session, table_of(ViewSampleRow), values)


def note_removals(session: Session, run_id: str, most_share: float = 1.0) -> Removals:
    """Mark what the archive has and the whole inventory of this run does not list; count it.

    When that is more than `most_share` of all, the inventory is not believed and none is marked.
    To be called once for a run that was asked for everything, when its plan is complete.
    """
    listed = select(RunItemRow.item_id).where(
        RunItemRow.run_id == run_id,
        RunItemRow.item_id == WorkflowRow.workflow_id,
        RunItemRow.in_inventory,
    )
    here = select(func.count()).where(WorkflowRow.removed_at.is_(None))
    missing = session.scalar(here.where(~listed.exists())) or 0
    removals = Removals(missing, session.scalar(here) or 0, most_share)
    if removals.believed:
        _mark_removed(session, run_id, ~listed.exists(), "the site does not list it any more")
    return removals


def note_gone(session: Session, run_id: str, workflow_id: str) -> None:
    """Mark a template as removed whose metadata are gone, if the archive has it at all."""
    _mark_removed(
        session,
        run_id,
        WorkflowRow.workflow_id == workflow_id,
        "the site does not have it any more",
    )


def _mark_removed(session: Session, run_id: str, which: ColumnElement[bool], reason: str) -> None:
    now = utc_now()
    missing = (WorkflowRow.removed_at.is_(None), which)
    columns = {
        "source": literal(_SOURCE, Text()),
        "item_id": WorkflowRow.workflow_id,
        "run_id": literal(run_id, Text()),
        "at": literal(now, Text()),
        "kind": literal(str(Kind.REMOVED), Text()),
        "details": literal({"reason": reason}, Json),
    }
    events = select(*columns.values()).where(*missing).order_by(WorkflowRow.workflow_id)
    session.execute(insert(EventRow).from_select(list(columns), events, include_defaults=False))
    session.execute(
        update(WorkflowRow)
        .where(*missing)
        .values(removed_at=now, in_inventory=False)
        .execution_options(synchronize_session=False)
    )


def stored(session: Session) -> dict[str, Stored]:
    """Give what an update has to know of every template in the archive."""
    columns = (
        WorkflowRow.workflow_id,
        WorkflowRow.slug,
        WorkflowRow.scraped_at,
        WorkflowRow.removed_at,
    )
    return {
        workflow_id: Stored(slug, scraped_at, removed_at is not None)
        for workflow_id, slug, scraped_at, removed_at in session.execute(select(*columns))
    }


def plan_update(
    session: Session,
    run_id: str,
    entries: Iterable[Planned],
    *,
    first: int,
    most: int | None = None,
    most_removed: float | None = 1.0,
) -> tuple[int, Removals | None]:
    """Plan an update at one stroke, at most so many templates of the list; count them.

    All of the list has to be there for a moment, to see what is missing in it; without
    `most_removed` it is not the whole list, and nobody looks.
    """
    planned = ledger.plan(session, run_id, entries, first=first)
    removals = None
    if most_removed is not None:
        removals = note_removals(session, run_id, most_removed)
    if most is not None:
        planned -= _drop(session, run_id, RunItemRow.position >= first + most)
    if planned:
        ledger.note_discovery(session, run_id)
    return planned, removals


def drop_the_rest(session: Session, run_id: str, workflow_id: str, reason: str) -> tuple[int, int]:
    """Take a claimed template and all that is pending out of a run; count them.

    What had failed before, and was to be tried again, is failed as it was: that is counted apart.
    """
    rest = or_(RunItemRow.item_id == workflow_id, RunItemRow.state == ledger.State.PENDING)
    tried = RunItemRow.requests.is_not(None)
    failed = session.connection().execute(
        update(RunItemRow)
        .where(RunItemRow.run_id == run_id, rest, tried)
        .values(
            state=ledger.State.FAILED, outcome=Outcome.FAILED, reason=reason, closed_at=utc_now()
        )
    )
    dropped = session.connection().execute(
        delete(RunItemRow).where(RunItemRow.run_id == run_id, rest, ~tried)
    )
    return dropped.rowcount, failed.rowcount


def _drop(session: Session, run_id: str, *which: ColumnElement[bool]) -> int:
    pending = (RunItemRow.run_id == run_id, RunItemRow.state == ledger.State.PENDING)
    return session.connection().execute(delete(RunItemRow).where(*pending, *which)).rowcount


def requests_spent(session: Session, run_id: str) -> int:
    """Say how many requests for templates earlier processes of a run may have sent, at the most.

    A claim that came to no end may have left one request that nobody has heard of.
    """
    kept = (
        select(func.max(RunAnswerRow.requests))
        .where(
            RunAnswerRow.run_id == RunItemRow.run_id,
            RunAnswerRow.item_id == RunItemRow.item_id,
        )
        .scalar_subquery()
    )
    known = func.coalesce(RunItemRow.requests, kept, 0)
    unheard_of = RunItemRow.attempts - case((RunItemRow.closed_at.is_not(None), 1), else_=0)
    query = select(func.coalesce(func.sum(known + unheard_of), 0))
    return int(session.scalar(query.where(RunItemRow.run_id == run_id)) or 0)


def version_numbers(session: Session, workflow_id: str) -> list[int]:
    """Give the numbers of a template's versions, the newest last."""
    query = select(VersionRow.version).where(VersionRow.item_id == workflow_id)
    return list(session.scalars(query.order_by(VersionRow.version)))


def removed_at(session: Session, workflow_id: str) -> str | None:
    """Since when the site has not had a template; None as long as it has."""
    return session.scalar(
        select(WorkflowRow.removed_at).where(WorkflowRow.workflow_id == workflow_id)
    )


def version(session: Session, workflow_id: str, number: int) -> Content | None:
    """Give what the author had written in one version."""
    row = session.get(VersionRow, (_SOURCE, workflow_id, number))
    return unpack_json(row.content) if row else None


def run_start(session: Session, run_id: str) -> str | None:
    """Say when a run began."""
    return session.scalar(select(RunRow.started_at).where(RunRow.run_id == run_id))


def events(session: Session, since: str, kinds: Collection[str] = ()) -> list[Event]:
    """Give what has happened since then, the newest last."""
    columns = (
        EventRow.id,
        EventRow.item_id,
        WorkflowRow.title,
        EventRow.run_id,
        EventRow.at,
        EventRow.kind,
        EventRow.details,
    )
    query = select(*columns).join(WorkflowRow, WorkflowRow.workflow_id == EventRow.item_id)
    query = query.where(EventRow.at >= since).order_by(EventRow.at, EventRow.id)
    if kinds:
        query = query.where(EventRow.kind.in_(kinds))
    return [Event(*row) for row in session.execute(query)]
