"""Note how far a crawl is in its own row, and read it there, without counting every item again.

While a run is worked on, its workers count its items every few seconds, and an index by time gives
what has ended since. When it has ended in order, its row has the counts for good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.items import tally
from n8n_scraper.ledger.ledger import UNSETTLED, RunStatus, Tally
from n8n_scraper.ledger.tables import RunItemRow, RunRow, WorkerRow
from n8n_scraper.policies.run.counts import Counts


def note(session: Session, run_id: str, worker: str, counts: Mapping[str, Any]) -> Tally:
    """Note how far a run is at this moment, and what one of its workers has done."""
    found, at = tally(session, run_id), utc_now()
    totals = {**_in_order(found.outcomes), "left": found.left, "noted_at": at}
    running = (RunRow.run_id == run_id, RunRow.status == RunStatus.RUNNING)
    session.execute(update(RunRow).where(*running).values(totals=totals))
    session.execute(update(WorkerRow).where(WorkerRow.worker == worker).values(counts=dict(counts)))
    return found


def counts_of(session: Session, run: RunRow, *, live: bool) -> Counts:
    """Say how far a run is; the more items it has, the less that matters to the time it takes.

    A process that lives or ended in order has noted its counts. After any other end no process
    changes them any more, and they are counted one by one; so are those of a run that is being
    planned.
    """
    totals = run.totals
    noted_at = totals.get("noted_at") if totals else None
    planned = noted_at and run.discovered_at and noted_at > run.discovered_at
    if totals is None or (noted_at and not (planned and live)):
        return counted(session, run.run_id)
    outcomes = {str(one): int(totals[one]) for one in Outcome if one in totals}
    left = int(totals.get("left", 0))
    for outcome, number in _ended_since(session, run.run_id, noted_at) if noted_at else ():
        outcomes[outcome] = outcomes.get(outcome, 0) + number
        left -= number
    return Counts(outcomes, unsettled_in(session, run.run_id), max(0, left))


def counted(session: Session, run_id: str) -> Counts:
    """Count the items of a run one by one."""
    found = tally(session, run_id)
    return Counts(_in_order(found.outcomes), found.unsettled, found.left)


def unsettled_in(session: Session, run_id: str) -> int:
    """Count the items of a run that have ended, but not for good."""
    query = select(func.count()).select_from(RunItemRow)
    mine = (RunItemRow.run_id == run_id, RunItemRow.state.in_(UNSETTLED))
    return session.scalar(query.where(*mine)) or 0


def last_ended(session: Session, run_id: str) -> str | None:
    """Give the item of a run that ended last."""
    return session.scalar(
        select(RunItemRow.item_id)
        .where(RunItemRow.run_id == run_id, RunItemRow.closed_at.is_not(None))
        .order_by(RunItemRow.closed_at.desc())
        .limit(1)
    )


def _in_order(outcomes: Mapping[str, int]) -> dict[str, int]:
    return {str(outcome): outcomes.get(outcome, 0) for outcome in Outcome}


def _ended_since(session: Session, run_id: str, since: str) -> Sequence[tuple[str, int]]:
    rows = session.execute(
        select(RunItemRow.outcome, func.count())
        .where(RunItemRow.run_id == run_id, RunItemRow.closed_at > since)
        .group_by(RunItemRow.outcome)
    )
    return [(str(outcome), number) for outcome, number in rows]
