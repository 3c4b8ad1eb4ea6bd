"""Runs and their items a page at a time, however many there are."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select, tuple_
from sqlalchemy.orm import Session

from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.finding import NEWEST_FIRST, find
from n8n_scraper.ledger.tables import RunItemRow, RunRow, WorkerRow
from n8n_scraper.reports.domains import NONE_ELSEWHERE, Domains
from n8n_scraper.reports.failed_items import Cause, causes_of
from n8n_scraper.reports.items import ItemReport, RunDetails, details_of, item_report
from n8n_scraper.reports.runs import RunReport, report_of
from n8n_scraper.reports.throughput import Span, spans_of
from n8n_scraper.reports.workers import WorkerReport, report_of_worker

RunPlace = tuple[str, str]
"""Where a run stands among all: when it began, and its id."""

ItemPlace = tuple[int, str]
"""Where an item stands among those of its state: its position, and its id."""


@dataclass(frozen=True, slots=True)
class RunView:
    """All that a page tells of a run."""

    details: RunDetails
    causes: tuple[Cause, ...]
    spans: tuple[Span, ...]

    @property
    def run(self) -> RunReport:
        """Where it stands."""
        return self.details.run


@dataclass(frozen=True, slots=True)
class WorkerOfRun:
    """A worker, and the run that it works or has worked on."""

    run_id: str
    worker: WorkerReport


def run_view(
    database: Database, name: str | None = None, elsewhere: Domains = NONE_ELSEWHERE
) -> RunView:
    """Tell all of a run; how many items it has does not matter to the time it takes."""

    def all_of_it(session: Session) -> RunView:
        run = find(session, name)
        return RunView(
            details_of(session, run, elsewhere),
            causes_of(session, run.run_id),
            tuple(spans_of(session, run.run_id)),
        )

    return database.look(all_of_it)


def runs_page(
    database: Database,
    *,
    source: str | None = None,
    before: RunPlace | None = None,
    most: int = 25,
) -> list[RunReport]:
    """Give where runs stand, the newest first: a page, from behind a place on."""
    query = select(RunRow).order_by(*NEWEST_FIRST).limit(most)
    if source is not None:
        query = query.where(RunRow.source == source)
    if before is not None:
        query = query.where(tuple_(RunRow.started_at, RunRow.run_id) < before)
    return database.look(
        lambda session: [report_of(session, run) for run in session.scalars(query)]
    )


def items_page(
    database: Database,
    run_id: str,
    state: str,
    *,
    after: ItemPlace | None = None,
    most: int = 50,
) -> list[ItemReport]:
    """Give the items of a run in one state, in the order of its list: a page."""
    order = (RunItemRow.position, RunItemRow.item_id)
    query = select(RunItemRow).where(RunItemRow.run_id == run_id, RunItemRow.state == state)
    if after is not None:
        query = query.where(RunItemRow.position >= after[0], tuple_(*order) > after)
    query = query.order_by(*order).limit(most)
    return database.look(lambda session: list(map(item_report, session.scalars(query))))


def run_items_page(
    database: Database,
    run_id: str,
    *,
    state: str | None = None,
    after: ItemPlace | None = None,
    most: int = 50,
) -> list[ItemReport]:
    """Give the items of a run: in one state as `items_page` does, all in the order of their ids."""
    if state is not None:
        return items_page(database, run_id, state, after=after, most=most)
    query = select(RunItemRow).where(RunItemRow.run_id == run_id)
    if after is not None:
        query = query.where(RunItemRow.item_id > after[1])
    query = query.order_by(RunItemRow.item_id).limit(most)
    return database.look(lambda session: list(map(item_report, session.scalars(query))))


def newest_workers(database: Database, *, most: int = 50) -> list[WorkerOfRun]:
    """Give the workers that came last, of whatever run."""
    query = select(WorkerRow).order_by(WorkerRow.since.desc(), WorkerRow.worker).limit(most)

    def all_of_them(session: Session) -> list[WorkerOfRun]:
        return [
            WorkerOfRun(row.run_id, report_of_worker(session, row))
            for row in session.scalars(query)
        ]

    return database.look(all_of_them)
