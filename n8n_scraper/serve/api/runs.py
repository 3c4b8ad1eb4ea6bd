"""Runs, their items and workers, failures and domains, for programs that watch."""

from __future__ import annotations

from http import HTTPStatus
from typing import TypeAlias, TypeVar

from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.domains import DomainReport, domain_reports
from n8n_scraper.reports.failed_items import failed_items
from n8n_scraper.reports.run_pages import newest_workers, run_items_page, runs_page
from n8n_scraper.reports.runs import RunReport, run_report
from n8n_scraper.reports.scrape_runs import source_of_run
from n8n_scraper.serve.api.models.places import next_of, place_in
from n8n_scraper.serve.api.models.runs import (
    DomainAnswer,
    DomainsAnswer,
    FailureAnswer,
    FailuresAnswer,
    FailuresQuery,
    NewestWorkersAnswer,
    RunAnswer,
    RunItemAnswer,
    RunItemsAnswer,
    RunItemsQuery,
    RunPath,
    RunsAnswer,
    RunsQuery,
    WorkerAnswer,
    WorkerOfRunAnswer,
    WorkersAnswer,
    WorkersQuery,
)
from n8n_scraper.serve.api.models.shared import Unset
from n8n_scraper.serve.api.operation import Asked, Nothing, Operation, presented
from n8n_scraper.serve.archive import ARCHIVE
from n8n_scraper.serve.elsewhere import Elsewhere, elsewhere_of
from n8n_scraper.serve.options import OPTIONS

T = TypeVar("T")

Plain: TypeAlias = Asked[Nothing, Nothing, Nothing]
OfRuns: TypeAlias = Asked[Nothing, RunsQuery, Nothing]
OfRun: TypeAlias = Asked[RunPath, Nothing, Nothing]
OfItems: TypeAlias = Asked[RunPath, RunItemsQuery, Nothing]
OfFailures: TypeAlias = Asked[Nothing, FailuresQuery, Nothing]
OfWorkers: TypeAlias = Asked[Nothing, WorkersQuery, Nothing]


async def list_runs(asked: OfRuns) -> RunsAnswer:
    """Say where runs stand, the newest first."""
    query = asked.query
    found = await asked.app[ARCHIVE].look(
        runs_page,
        source=_given(query.source),
        before=place_in(query.after, tuple[str, str]),
        most=query.limit,
    )
    return RunsAnswer(
        data=[presented(one, RunAnswer) for one in found],
        next=next_of(found, query.limit, lambda last: (last.started_at, last.run_id)),
    )


async def get_run(asked: OfRun) -> RunAnswer:
    """Say where a run stands."""
    return presented(await asked.app[ARCHIVE].look(_run, asked.path.run), RunAnswer)


async def list_run_items(asked: OfItems) -> RunItemsAnswer:
    """Give a page of a run's items: all by their ids, those of one state as they are listed."""
    query, run_id = asked.query, asked.path.run
    archive = asked.app[ARCHIVE]
    await archive.look(source_of_run, run_id)
    found = await archive.look(
        run_items_page,
        run_id,
        state=_given(query.state),
        after=place_in(query.after, tuple[int, str]),
        most=query.limit,
    )
    return RunItemsAnswer(
        data=[presented(one, RunItemAnswer) for one in found],
        next=next_of(found, query.limit, lambda last: (last.position, last.item_id)),
    )


async def list_run_workers(asked: OfRun) -> WorkersAnswer:
    """Say who works, or has worked, on a run."""
    run = await asked.app[ARCHIVE].look(_run, asked.path.run)
    return WorkersAnswer(data=[presented(one, WorkerAnswer) for one in run.workers])


async def list_workers(asked: OfWorkers) -> NewestWorkersAnswer:
    """Say which workers came last, of whatever run."""
    found = await asked.app[ARCHIVE].look(newest_workers, most=asked.query.limit)
    return NewestWorkersAnswer(data=[presented(one, WorkerOfRunAnswer) for one in found])


async def list_failures(asked: OfFailures) -> FailuresAnswer:
    """Give a page of what was not had in full, the latest first."""
    query = asked.query
    found = await asked.app[ARCHIVE].look(
        failed_items,
        run_id=_given(query.run),
        source=_given(query.source),
        category=_given(query.category),
        before=place_in(query.after, tuple[str, str, str]),
        most=query.limit,
    )
    return FailuresAnswer(
        data=[presented(one, FailureAnswer) for one in found],
        next=next_of(found, query.limit, lambda last: last.place),
    )


async def list_domains(asked: Plain) -> DomainsAnswer:
    """Say how each domain stands that a crawl has met."""
    elsewhere = elsewhere_of(asked.app[OPTIONS])
    found = await asked.app[ARCHIVE].look(_domains, elsewhere)
    return DomainsAnswer(data=[presented(one, DomainAnswer) for one in found])


def _run(database: Database, run_id: str) -> RunReport:
    source_of_run(database, run_id)  # else the beginning of an id would do
    return run_report(database, run_id)


def _domains(database: Database, elsewhere: Elsewhere) -> list[DomainReport]:
    return domain_reports(database, elsewhere=elsewhere())


def _given(value: T | Unset) -> T | None:
    return None if isinstance(value, Unset) else value


_PLACES = (HTTPStatus.UNPROCESSABLE_ENTITY,)

OPERATIONS = (
    Operation(
        "GET",
        "/api/runs",
        "Say where runs stand, the newest first",
        list_runs,
        (RunsAnswer,),
        query=RunsQuery,
        problems=_PLACES,
    ),
    Operation(
        "GET",
        "/api/runs/{run}",
        "Say where a run stands",
        get_run,
        (RunAnswer,),
        path_parameters=RunPath,
    ),
    Operation(
        "GET",
        "/api/runs/{run}/items",
        "List the items of a run",
        list_run_items,
        (RunItemsAnswer,),
        path_parameters=RunPath,
        query=RunItemsQuery,
        problems=_PLACES,
    ),
    Operation(
        "GET",
        "/api/runs/{run}/workers",
        "Say who works, or has worked, on a run",
        list_run_workers,
        (WorkersAnswer,),
        path_parameters=RunPath,
    ),
    Operation(
        "GET",
        "/api/workers",
        "Say which workers came last",
        list_workers,
        (NewestWorkersAnswer,),
        query=WorkersQuery,
    ),
    Operation(
        "GET",
        "/api/failures",
        "List what was not had in full, the latest first",
        list_failures,
        (FailuresAnswer,),
        query=FailuresQuery,
        problems=_PLACES,
    ),
    Operation("GET", "/api/domains", "Say how the domains stand", list_domains, (DomainsAnswer,)),
)
