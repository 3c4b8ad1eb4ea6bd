"""What programs elsewhere are told of a run, read in the transaction of those who tell it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from n8n_scraper.ledger import workers
from n8n_scraper.ledger.noted import counted
from n8n_scraper.ledger.tables import RunItemRow, RunRow
from n8n_scraper.policies.run.counts import Counts


@dataclass(frozen=True, slots=True)
class OutgoingRun:
    """A run as its ledger has it."""

    run_id: str
    source: str
    site: str
    arguments: Mapping[str, Any]
    started_at: str
    ended_at: str | None
    status: str
    is_planned: bool
    """Whether nothing is planned any more."""

    @property
    def is_over(self) -> bool:
        """Whether nothing of it is left to be done."""
        return self.status in ("finished", "failed")


def outgoing_run(session: Session, run_id: str) -> OutgoingRun | None:
    """Give a run; None where there is none of this id."""
    session.flush()
    run = session.get(RunRow, run_id)
    if run is None:
        return None
    return OutgoingRun(
        run_id=run.run_id,
        source=run.source,
        site=run.site,
        arguments=run.arguments,
        started_at=run.started_at,
        ended_at=run.ended_at,
        status=run.status,
        is_planned=bool(run.discovered_at or run.inventory_error or run.inventory_refusal),
    )


def outgoing_counts(session: Session, run_id: str) -> Counts:
    """Count the items of a run one by one."""
    return counted(session, run_id)


def outgoing_items(session: Session, run_id: str) -> list[str]:
    """Name the items of a run, in the order of its inventory."""
    mine = select(RunItemRow.item_id).where(RunItemRow.run_id == run_id)
    return list(session.scalars(mine.order_by(RunItemRow.position, RunItemRow.item_id)))


def is_worked_on(session: Session, run_id: str) -> bool:
    """Whether a process is believed to work on a run."""
    return bool(workers.alive(session, run_id))
