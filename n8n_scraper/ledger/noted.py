"""Note how far a crawl is in its own row, and read it without counting every item again.

What has ended is counted in the transaction in which it ends, in a few rows a run; where a run has
ended in order, its own row has the counts for good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import BigInteger, Row, cast, func, select, update
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.items import tally
from n8n_scraper.ledger.ledger import UNSETTLED, RunStatus, Tally
from n8n_scraper.ledger.tables import RunCountRow, RunItemRow, RunRow, WorkerRow
from n8n_scraper.policies.run.counts import Counts

PLANNED = "planned"
"""What the counts call all items that a run has, whatever became of them."""


def note(session: Session, run_id: str, worker: str, counts: Mapping[str, Any]) -> Tally:
    """Note how far a run is at this moment, and what one of its workers has done."""
    found, at = tally(session, run_id), utc_now()
    totals = {**_in_order(found.outcomes), "left": found.left, "noted_at": at}
    running = (RunRow.run_id == run_id, RunRow.status == RunStatus.RUNNING)
    session.execute(update(RunRow).where(*running).values(totals=totals))
    session.execute(update(WorkerRow).where(WorkerRow.worker == worker).values(counts=dict(counts)))
    return found


def counts_of(session: Session, run: RunRow) -> Counts:
    """Say how far a run is; how many items it has does not matter to the time it takes."""
    found, totals = counted(session, run.run_id), run.totals
    if totals is None or "noted_at" in totals:
        return found
    outcomes = {str(one): int(totals[one]) for one in Outcome if one in totals}
    return Counts(outcomes, found.unsettled, max(0, int(totals.get("left", 0))))


def counted(session: Session, run_id: str) -> Counts:
    """Count the items of a run, also of one that ended without a word."""
    outcomes: dict[str, int] = {}
    unsettled = planned = 0
    for one in kinds_of(session, run_id):
        if one.state == PLANNED:
            planned += one.items
        else:
            outcomes[one.outcome] = outcomes.get(one.outcome, 0) + one.items
            unsettled += one.items if one.state in UNSETTLED else 0
    return Counts(_in_order(outcomes), unsettled, max(0, planned - sum(outcomes.values())))


def kinds_of(session: Session, run_id: str) -> Sequence[Row[str, str, str, int]]:
    """Count the items of a run that ended alike, and all that are planned."""
    what = (RunCountRow.state, RunCountRow.outcome, RunCountRow.category)
    number = cast(func.sum(RunCountRow.items), BigInteger).label("items")
    return session.execute(
        select(*what, number).where(RunCountRow.run_id == run_id).group_by(*what).having(number > 0)
    ).all()


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
