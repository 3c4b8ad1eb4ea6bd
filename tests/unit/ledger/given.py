"""Runs in a database, as a crawl would have left them."""

from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import count

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger import items, runs, workers
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import (
    STATE_OF_OUTCOME,
    Claim,
    Closing,
    NewRun,
    Process,
    RunStatus,
    State,
)
from n8n_scraper.ledger.pace_store import DatabasePaceStore
from n8n_scraper.ledger.tables import RunItemRow, RunRow, WorkerRow
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.reports.runs import RunReport, run_report

SETTINGS = {"RATE_LIMIT_RATE": "2", "RATE_LIMIT_BURST": "5", "JOBDIR": "state"}
NEW = NewRun(
    "workflows",
    "n8n",
    "https://n8n.io",
    {"limit": "3"},
    SETTINGS,
    {"n8n-scraper": "1"},
    "scrapy crawl workflows",
)
NO_OUTCOMES = dict.fromkeys(map(str, Outcome), 0)
_NUMBERS = count(1)


def process(lease_seconds: float = 60.0, jobdir: str | None = None, host: str = "box") -> Process:
    """A process on another machine, whose lease is over at once where it is negative."""
    return Process(f"{host}:{next(_NUMBERS)}:x", f"machine {host}", lease_seconds, jobdir)


def enter(database: Database, new: NewRun = NEW, me: Process | None = None) -> str:
    """Enter a run with one worker."""

    def work(session: Session) -> str:
        run_id = runs.enter(session, new)
        workers.enter(session, run_id, me or process())
        return run_id

    return database.do(work)


def plan(database: Database, run_id: str, *ids: str) -> None:
    """Plan items behind what is planned."""

    def work(session: Session) -> None:
        first = items.next_position(session, run_id)
        items.plan(session, run_id, map(Planned, ids), first=first)

    database.do(work)


def a_run(database: Database, *ids: str, new: NewRun = NEW) -> str:
    run_id = enter(database, new)
    plan(database, run_id, *ids)
    return run_id


def claim(database: Database, run_id: str, most: int, worker: str = "box:1:x") -> list[Claim]:
    return database.do(lambda session: items.claim(session, run_id, worker, most))


def hold(database: Database, run_id: str, item_id: str, worker: str = "box:1:x") -> Claim:
    """Claim a certain item."""

    def work(session: Session) -> Claim:
        item = session.get_one(RunItemRow, (run_id, item_id))
        item.state, item.worker = State.CLAIMED, worker
        item.fence, item.attempts = item.fence + 1, item.attempts + 1
        return Claim(Planned(item_id), item.fence)

    return database.do(work)


def close(database: Database, run_id: str, workflow_id: str, outcome: Outcome, **why: str) -> None:
    state = STATE_OF_OUTCOME[outcome]
    close_as(
        database, run_id, Closing(workflow_id, state, outcome, duration=float(workflow_id), **why)
    )


def close_as(database: Database, run_id: str, closing: Closing) -> None:
    fence = hold(database, run_id, closing.item_id).fence
    assert database.do(lambda session: items.close(session, run_id, "box:1:x", fence, closing))


def end(database: Database, run_id: str, status: RunStatus, **totals: int) -> None:
    """Let the workers of a run leave, and the run end like this."""

    def work(session: Session) -> None:
        for worker in workers.of_run(session, run_id):
            items.give_back(session, run_id, worker.worker)
            worker.lease_until, worker.ended_at = None, utc_now()
        runs.end(session.get_one(RunRow, run_id), status, "finished", totals)

    database.do(work)


def silence(database: Database) -> None:
    """Let the leases of all workers be over."""
    database.do(lambda session: session.execute(update(WorkerRow).values(lease_until=1.0)))


def change(database: Database, run_id: str, **values: object) -> None:
    database.do(
        lambda session: session.execute(
            update(RunRow).where(RunRow.run_id == run_id).values(**values)
        )
    )


def note(database: Database, run_id: str, at: str, left: int, **outcomes: int) -> None:
    change(database, run_id, totals={**NO_OUTCOMES, **outcomes, "left": left, "noted_at": at})


def noted(database: Database, states: Mapping[str, DomainState]) -> None:
    """Let domains stand like that."""
    with closing(DatabasePaceStore(database)) as store:
        for domain, state in states.items():
            store.change(domain, lambda _state, _now, state=state: state)  # type: ignore[misc]


def seen(database: Database, name: str | None = None, now: float | None = None) -> RunReport:
    return run_report(database, name, now)


def ago(seconds: float) -> str:
    moment = datetime.now(UTC) - timedelta(seconds=seconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def states(database: Database, run_id: str) -> dict[str, int]:
    """How many items of a run are in each state."""
    query = select(RunItemRow.state, func.count()).where(RunItemRow.run_id == run_id)
    return database.do(
        lambda session: dict(map(tuple, session.execute(query.group_by(RunItemRow.state))))
    )
