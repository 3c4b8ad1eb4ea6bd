"""Make what did not end well in a run pending again."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.errors import BadInput
from n8n_scraper.ledger import workers
from n8n_scraper.ledger.finding import find
from n8n_scraper.ledger.items import try_again
from n8n_scraper.ledger.ledger import RunStatus
from n8n_scraper.ledger.noted import counted
from n8n_scraper.ledger.tables import RunRow
from n8n_scraper.ledger.takedowns import IS_TAKEN_DOWN


@dataclass(frozen=True, slots=True)
class Retried:
    """How many items of which run are pending again."""

    run_id: str
    number: int


def retry_failed(session: Session, name: str) -> Retried:
    """Make what did not end well pending again, so that a crawl goes on with it.

    A process of it that was held up and wakes takes part in that as any other worker would.
    """
    run = session.get(RunRow, find(session, name).run_id, with_for_update=True)
    assert run is not None
    _refuse_what_is_not_to_be_tried_again(session, run)
    number = try_again(session, run.run_id, ~IS_TAKEN_DOWN)
    if number:
        _stop(session, run)
    return Retried(run.run_id, number)


def _refuse_what_is_not_to_be_tried_again(session: Session, run: RunRow) -> None:
    if at_work := workers.alive(session, run.run_id):
        left = max(workers.lease_left(session, one) or 0.0 for one in at_work)
        raise BadInput(
            f"run {run.run_id} is being worked on; wait for its end, or stop it first "
            f"(if it was killed, wait {left:.0f} s)."
        )
    if "budget" in run.arguments:
        raise BadInput(
            f"run {run.run_id} had a budget: the next update asks first for what failed in it."
        )


def _stop(session: Session, run: RunRow) -> None:
    session.flush()
    found = counted(session, run.run_id)
    run.status = RunStatus.STOPPED
    run.end_reason = "retry-failed"
    run.ended_at = run.ended_at or utc_now()
    run.totals = {**found.outcomes, "left": found.left}
    session.flush()
