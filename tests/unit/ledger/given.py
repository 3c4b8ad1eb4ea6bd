"""Runs in a database, as a crawl would have left them."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import update

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger import ledger
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Closing, NewRun, RunStatus
from n8n_scraper.ledger.noted import note_counts
from n8n_scraper.ledger.tables import RunRow
from n8n_scraper.policies.run.counts import Counts
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


def a_run(database: Database, *ids: str, new: NewRun = NEW) -> str:
    run_id, _ = database.do(lambda session: ledger.start_run(session, new, "box:1:x"))
    planned = [Planned(workflow_id) for workflow_id in ids]
    database.do(lambda session: ledger.plan(session, run_id, planned, first=0))
    return run_id


def close(database: Database, run_id: str, workflow_id: str, outcome: Outcome, **why: str) -> None:
    state = ledger.STATE_OF_OUTCOME[outcome]
    closing = Closing(workflow_id, state, outcome, duration=float(workflow_id), **why)
    database.do(lambda session: ledger.close_item(session, run_id, closing))


def end(database: Database, run_id: str, status: RunStatus, **totals: int) -> None:
    database.do(lambda session: ledger.end_run(session, run_id, status, "finished", totals))


def change(database: Database, run_id: str, **values: object) -> None:
    database.do(
        lambda session: session.execute(
            update(RunRow).where(RunRow.run_id == run_id).values(**values)
        )
    )


def note(database: Database, run_id: str, at: str, left: int, **outcomes: int) -> None:
    counts = Counts(NO_OUTCOMES | outcomes, left=left)
    database.do(lambda session: note_counts(session, run_id, counts, at, at))


def seen(database: Database, name: str | None = None, now: float | None = None) -> RunReport:
    return run_report(database, name, now)


def ago(seconds: float) -> str:
    moment = datetime.now(UTC) - timedelta(seconds=seconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
