"""The workers of a run: who works on it, who has, and who is lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from n8n_scraper.ledger import workers
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.finding import find
from n8n_scraper.ledger.ledger import State
from n8n_scraper.ledger.tables import RunItemRow, WorkerRow


class Presence(StrEnum):
    """Whether a worker is there."""

    ALIVE = "alive"
    LOST = "lost"  # it gives no sign of life, or its process is gone
    ENDED = "ended"  # it has left in order


@dataclass(frozen=True, slots=True)
class WorkerReport:
    """A process that works, or has worked, on a run."""

    worker: str
    presence: Presence
    since: str
    ended_at: str | None
    end_reason: str | None
    jobdir: str | None
    held: int
    """How many items it holds at the moment."""
    outcomes: Mapping[str, int]
    """How many items it has brought to an end, as of its last note."""
    items_lost: int
    """How many items others have taken while it was held up."""

    @property
    def host(self) -> str:
        """The name of its machine."""
        return self.worker.split(":")[0]

    @property
    def pid(self) -> int | None:
        """Its process id there."""
        number = self.worker.split(":")[1:2]
        return int(number[0]) if number and number[0].isdecimal() else None

    @property
    def done(self) -> int:
        """How many items it has brought to an end, as of its last note."""
        return sum(self.outcomes.values())

    def as_json(self) -> dict[str, Any]:
        """The same for machines; the names of the keys stay as they are."""
        return {
            "worker": self.worker,
            "host": self.host,
            "pid": self.pid,
            "presence": str(self.presence),
            "since": self.since,
            "ended_at": self.ended_at,
            "end_reason": self.end_reason,
            "jobdir": self.jobdir,
            "held": self.held,
            "outcomes": dict(self.outcomes),
            "items_lost": self.items_lost,
        }


def worker_reports(database: Database, name: str | None = None) -> tuple[WorkerReport, ...]:
    """Say who works, or has worked, on a run, in the order in which they came."""
    return database.look(lambda session: workers_of(session, find(session, name).run_id))


def workers_of(session: Session, run_id: str) -> tuple[WorkerReport, ...]:
    """Say it inside a transaction that sees more than that."""
    held = _held(session, run_id)
    return tuple(_report(session, row, held) for row in workers.of_run(session, run_id))


def _report(session: Session, row: WorkerRow, held: Mapping[str, int]) -> WorkerReport:
    counts = row.counts or {}
    return WorkerReport(
        worker=row.worker,
        presence=_presence(session, row),
        since=row.since,
        ended_at=row.ended_at,
        end_reason=row.end_reason,
        jobdir=row.jobdir,
        held=held.get(row.worker, 0),
        outcomes=counts.get("outcomes", {}),
        items_lost=counts.get("lost", 0),
    )


def report_of_worker(session: Session, row: WorkerRow) -> WorkerReport:
    """Say how one worker stands."""
    return _report(session, row, _held(session, row.run_id, row.worker))


def _presence(session: Session, row: WorkerRow) -> Presence:
    if row.ended_at is not None:
        return Presence.ENDED
    left = workers.lease_left(session, row)
    # On its own machine there is no need to wait for the lease to know of a death.
    is_alive = left is not None and left > 0 and not workers.is_gone(row)
    return Presence.ALIVE if is_alive else Presence.LOST


def _held(session: Session, run_id: str, worker: str | None = None) -> dict[str, int]:
    held = select(RunItemRow.worker, func.count()).where(
        RunItemRow.run_id == run_id, RunItemRow.state == State.CLAIMED
    )
    if worker is not None:
        held = held.where(RunItemRow.worker == worker)
    rows = session.execute(held.group_by(RunItemRow.worker))
    return {str(worker): number for worker, number in rows}
