"""Note how far a crawl is in its own row, and read it there, without counting every item again.

While a process is at work it notes its counts every few seconds, and an index by time gives what
has ended since. When it has ended in order, its row has them for good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.ledger import UNSETTLED, RunStatus, tally
from n8n_scraper.ledger.tables import RunItemRow, RunRow
from n8n_scraper.policies.run.counts import Counts


def note_counts(session: Session, run_id: str, counts: Counts, since: str, at: str) -> None:
    """Note how far a crawl is at this moment, for whoever looks from outside.

    `since` is when this process began; who looks measures from there.
    """
    totals = {**_in_order(counts.outcomes), "left": counts.left, "since": since, "noted_at": at}
    running = (RunRow.run_id == run_id, RunRow.status == RunStatus.RUNNING)
    session.execute(update(RunRow).where(*running).values(totals=totals))


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
    unsettled = sum(found.states.get(state, 0) for state in UNSETTLED)
    return Counts(_in_order(found.outcomes), unsettled, found.left)


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
