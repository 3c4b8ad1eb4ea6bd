"""Runs as programs elsewhere speak of them: by domain, each item pending or how it has ended.

A run is told by four words only, and an item by three flags; what else the ledger knows of them is
in `runs.py` and `items.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, not_, or_, select
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import NotThere
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import RunStatus, State
from n8n_scraper.ledger.noted import PLANNED, kinds_of
from n8n_scraper.ledger.orchestrated import FINALISED
from n8n_scraper.ledger.tables import RunItemRow, RunRow, WorkerRow
from n8n_scraper.policies.run.reported import Report, meaning_of


class Stage(StrEnum):
    """How far a run is."""

    PENDING = "pending"  # nothing of it is begun, or it was stopped with work left
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"  # it could not even be found out what to do


class ItemStage(StrEnum):
    """How far an item is."""

    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"
    INVALID = "invalid"


class SortedBy(StrEnum):
    """What runs are sorted by."""

    START_TIME = "startTime"
    CREATED_AT = "createdAt"
    END_TIME = "endTime"
    DOMAIN = "domain"


@dataclass(frozen=True, slots=True)
class ItemCounts:
    """How many items of a run are how far."""

    pending: int = 0
    """Not done, not failed, not invalid."""
    done: int = 0
    failed: int = 0
    invalid: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.pending + self.done + self.failed + self.invalid


@dataclass(frozen=True, slots=True)
class ScrapeItem:
    """An item of a run."""

    item_id: str
    url: str | None
    """As the program named it that created the run."""
    state: str
    attempts: int
    reason: str | None

    @property
    def stage(self) -> ItemStage:
        """How far it is."""
        return stage_of_item(self.state)


@dataclass(frozen=True, slots=True)
class ScrapeRun:
    """A run."""

    run_id: str
    domain: str
    source: str
    """Whose items it is about."""
    asked_source: str | None
    """The word of the program that created it for what it comes from."""
    stage: Stage
    started_at: str
    ended_at: str | None
    updated_at: str
    metadata: Mapping[str, Any]
    """What that program has told of it."""
    counts: ItemCounts
    items: tuple[ScrapeItem, ...] = ()
    """Those that were asked for, as far as the limit goes."""
    wanted_items: int = 0
    """How many were asked for."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which runs are wanted, and in which order."""

    domain: str | None = None
    stage: Stage | None = None
    started_after: str | None = None
    started_until: str | None = None
    sorted_by: SortedBy = SortedBy.START_TIME
    descending: bool = True
    limit: int = 50
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """A page of the runs that are wanted."""

    runs: Sequence[ScrapeRun] = field(default_factory=tuple)
    total: int = 0
    """How many there are on all pages."""


_SORTED_BY = {
    SortedBy.START_TIME: RunRow.started_at,
    SortedBy.CREATED_AT: RunRow.started_at,
    SortedBy.END_TIME: func.coalesce(RunRow.ended_at, ""),
    SortedBy.DOMAIN: RunRow.domain,
}
_IS_BEGUN = or_(
    select(WorkerRow.worker).where(WorkerRow.run_id == RunRow.run_id).exists(),
    select(RunItemRow.item_id)
    .where(RunItemRow.run_id == RunRow.run_id, RunItemRow.closed_at.is_not(None))
    .exists(),
)
_IS_OPEN = and_(
    RunRow.status == RunStatus.STOPPED, func.coalesce(RunRow.end_reason, "") != FINALISED
)
_AT: Mapping[Stage, ColumnElement[bool]] = {
    Stage.PENDING: or_(and_(RunRow.status == RunStatus.RUNNING, not_(_IS_BEGUN)), _IS_OPEN),
    Stage.PROCESSING: and_(RunRow.status == RunStatus.RUNNING, _IS_BEGUN),
    Stage.COMPLETED: or_(
        RunRow.status == RunStatus.FINISHED,
        and_(RunRow.status == RunStatus.STOPPED, RunRow.end_reason == FINALISED),
    ),
    Stage.FAILED: RunRow.status == RunStatus.FAILED,
}

_IN_ORDER = (
    *(State.PENDING, State.CLAIMED),
    *(State.FAILED, State.BLOCKED, State.INVALID, State.GONE, State.DONE),
)
"""First what is pending: no program that reads one page is told that nothing is left."""


def scrape_runs(database: Database, wanted: Wanted) -> Found:
    """Give a page of runs, without their items."""

    def all_of_it(session: Session) -> Found:
        conditions = _conditions(wanted)
        total = session.scalar(select(func.count()).select_from(RunRow).where(*conditions))
        rows = session.scalars(_sorted(select(RunRow).where(*conditions), wanted))
        return Found([_report(session, row) for row in rows], total or 0)

    return database.look(all_of_it)


def scrape_run(
    database: Database, run_id: str, *, most_items: int, stage: ItemStage | None = None
) -> ScrapeRun:
    """Give a run with its items, those that are pending first, or only those that are so far."""

    def all_of_it(session: Session) -> ScrapeRun:
        run = session.get(RunRow, run_id)
        if run is None:
            raise NotThere(f"there is no run {run_id!r}.")
        states = [one for one in _IN_ORDER if stage in (None, stage_of_item(one))]
        report = _report(session, run)
        counts = report.counts
        return replace(
            report,
            items=tuple(_items(session, run_id, states, most_items)),
            wanted_items=counts.total if stage is None else getattr(counts, stage),
        )

    return database.look(all_of_it)


def source_of_run(database: Database, run_id: str) -> str:
    """Name the source of a run."""
    query = select(RunRow.source).where(RunRow.run_id == run_id)
    source = database.look(lambda session: session.scalar(query))
    if source is None:
        raise NotThere(f"there is no run {run_id!r}.")
    return source


def scrape_items(database: Database, run_id: str, item_ids: Collection[str]) -> list[ScrapeItem]:
    """Give these items of a run, as far as it has them."""
    query = select(RunItemRow).where(RunItemRow.run_id == run_id, RunItemRow.item_id.in_(item_ids))
    query = query.order_by(RunItemRow.position)
    return database.look(lambda session: list(map(_item, session.scalars(query))))


def stage_of_item(state: str) -> ItemStage:
    """Say how far an item in this state is."""
    meaning: Report | None = meaning_of(state)
    return ItemStage.PENDING if meaning is None else ItemStage(meaning)


def _conditions(wanted: Wanted) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if wanted.domain is not None:
        found.append(RunRow.domain == wanted.domain)
    if wanted.stage is not None:
        found.append(_AT[wanted.stage])
    if wanted.started_after is not None:
        found.append(RunRow.started_at > wanted.started_after)
    if wanted.started_until is not None:
        found.append(RunRow.started_at <= wanted.started_until)
    return found


def _sorted(query: Select[RunRow], wanted: Wanted) -> Select[RunRow]:
    keys = (_SORTED_BY[wanted.sorted_by], RunRow.run_id)
    order = [key.desc() if wanted.descending else key.asc() for key in keys]
    return query.order_by(*order).limit(wanted.limit).offset(wanted.offset)


def _report(session: Session, run: RunRow) -> ScrapeRun:
    asked = run.asked or {}
    last = select(func.max(RunItemRow.closed_at)).where(RunItemRow.run_id == run.run_id)
    moments = (run.started_at, run.ended_at, session.scalar(last))
    return ScrapeRun(
        run_id=run.run_id,
        domain=run.domain,
        source=run.source,
        asked_source=asked.get("source"),
        stage=_stage(session, run),
        started_at=run.started_at,
        ended_at=run.ended_at,
        updated_at=max(one for one in moments if one),
        metadata=asked.get("metadata", {}),
        counts=_counts(session, run.run_id),
    )


def _stage(session: Session, run: RunRow) -> Stage:
    """Ask the database by the very conditions by which runs are found."""
    for stage, holds in _AT.items():
        if session.scalar(select(RunRow.run_id).where(RunRow.run_id == run.run_id, holds)):
            return stage
    raise AssertionError(f"run {run.run_id} has a status that no stage knows: {run.status}")


def _counts(session: Session, run_id: str) -> ItemCounts:
    numbers = dict.fromkeys(ItemStage, 0)
    for kind in kinds_of(session, run_id):
        if kind.state == PLANNED:
            numbers[ItemStage.PENDING] += kind.items
        else:
            numbers[ItemStage.PENDING] -= kind.items
            numbers[stage_of_item(kind.state)] += kind.items
    return ItemCounts(**{str(stage): number for stage, number in numbers.items()})


def _items(session: Session, run_id: str, states: Sequence[State], most: int) -> list[ScrapeItem]:
    found: list[ScrapeItem] = []
    for state in states:
        rows = (
            select(RunItemRow)
            .where(RunItemRow.run_id == run_id, RunItemRow.state == state)
            .order_by(RunItemRow.position)
            .limit(most - len(found))
        )
        found += map(_item, session.scalars(rows))
        if len(found) == most:
            break
    return found


def _item(row: RunItemRow) -> ScrapeItem:
    return ScrapeItem(row.item_id, row.url, row.state, row.attempts, row.reason)
