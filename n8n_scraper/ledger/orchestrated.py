"""What a program elsewhere does to runs: it creates them, reports on their items, finalises them.

A report takes a pending item and closes it in one transaction, as a worker would in two; so the
claims and fences of the ledger hold for it without a rule of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.errors import BadInput, Conflict, NotThere
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger import endings, items, runs, workers
from n8n_scraper.ledger.ledger import Closing, NewRun, Process, RunStatus, State
from n8n_scraper.ledger.noted import counted
from n8n_scraper.ledger.tables import RunItemRow, RunRow
from n8n_scraper.ledger.takedowns import is_taken_down
from n8n_scraper.policies.run.reported import Effect, Report, decide

ORCHESTRATOR = "orchestrator"
"""What stands in the place of a worker where a program has brought an item to its end."""

FINALISED = "finalised"
"""Why a run has ended that was said to be over with items left."""

_NOBODY = Process(ORCHESTRATOR, machine="", lease_seconds=0.0)
_ENDS = {
    Report.DONE: (State.DONE, Outcome.COMPLETE),
    Report.FAILED: (State.FAILED, Outcome.FAILED),
    Report.INVALID: (State.INVALID, Outcome.FAILED),
}


@dataclass(frozen=True, slots=True)
class Order:
    """A run that a program wants."""

    new: NewRun
    domain: str
    planned: Sequence[Planned] = ()
    """Its items; none where a crawl is to find them, or they come with the reports."""
    source: str | None = None
    """The program's own word for what the run comes from."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    key: str | None = None
    """Under which a repeat of this order is known."""
    fingerprint: str = ""
    """Tells another order under the same key."""


@dataclass(frozen=True, slots=True)
class Created:
    """The run of an order."""

    run_id: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class Word:
    """What a program says of an item."""

    planned: Planned
    said: Report
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A word that cannot hold."""

    planned: Planned
    why: str


def create(session: Session, order: Order) -> Created:
    """Enter a run as it was ordered, for workers to come; the same order twice is one run."""
    if order.key and (before := _created(session, order)):
        return before
    try:
        with session.begin_nested():
            return Created(_enter(session, order), is_new=True)
    except IntegrityError:  # another process has been quicker with the same key
        before = _created(session, order)
        if before is None:
            raise
        return before


def _created(session: Session, order: Order) -> Created | None:
    run = session.scalars(select(RunRow).where(RunRow.creation_key == order.key)).first()
    if run is None:
        return None
    if (run.asked or {}).get("fingerprint") != order.fingerprint:
        raise BadInput(f"run {run.run_id} was created under this key, for something else.")
    return Created(run.run_id, is_new=False)


def _enter(session: Session, order: Order) -> str:
    run_id = runs.enter(session, order.new)
    run = session.get_one(RunRow, run_id)
    run.domain, run.creation_key = order.domain, order.key
    run.asked = {
        "source": order.source,
        "metadata": dict(order.metadata),
        "named_items": bool(order.planned),
        "fingerprint": order.fingerprint,
    }
    if order.planned:
        items.plan(session, run_id, order.planned, first=0)
        run.discovered_at = utc_now()
    session.flush()
    return run_id


def report(session: Session, run_id: str, word: Word, *, most_attempts: int) -> None:
    """Note what a program says of an item; the same twice is once.

    Raise NotThere where there is no such run, BadInput where it has no such item, and Conflict
    where the report cannot hold.
    """
    run = _known(session, run_id)
    item_id = word.planned.item_id
    item = _item(session, run, word.planned)
    decision = decide(item.state, word.said, item.attempts, most_attempts=most_attempts)
    if decision.effect is Effect.REFUSED:
        raise Conflict(f"{word.planned.url or item_id}: {decision.why}.")
    if decision.effect is Effect.NOTHING:
        return
    if decision.effect in (Effect.REOPEN, Effect.REOPEN_AND_CLOSE):
        items.reopen(session, run_id, item_id)
    if decision.effect is not Effect.REOPEN:
        _close(session, run_id, word)
    session.expire_all()
    if not endings.end_if_over(session, run) and run.status != RunStatus.RUNNING:
        runs.go_on(run)
        run.totals = None  # what was counted at its end holds no more
    session.flush()


def report_all(
    session: Session, run_id: str, words: Iterable[Word], *, most_attempts: int
) -> list[Refused]:
    """Note what a program says of several items; what cannot hold of one leaves the others alone.

    Raise NotThere where there is no such run.
    """
    _known(session, run_id)
    refused: list[Refused] = []
    for word in words:
        try:
            report(session, run_id, word, most_attempts=most_attempts)
        except BadInput as error:  # it is raised before anything is written
            refused.append(Refused(word.planned, str(error)))
    return refused


def finalise(
    session: Session, run_id: str, ended_at: str | None, metadata: Mapping[str, Any]
) -> None:
    """End a run, whatever is left of it; twice is once.

    Raise Conflict while a worker is at work on it, which will end it.
    """
    run = _known(session, run_id)
    asked = run.asked or {}
    run.asked = {**asked, "metadata": {**asked.get("metadata", {}), **metadata}}
    if run.status == RunStatus.RUNNING or is_open(run):
        _end(session, run)
        run.ended_at = ended_at or run.ended_at or utc_now()
    session.flush()


def is_open(run: RunRow) -> bool:
    """Whether a run that was stopped is still to be gone on with."""
    return run.status == RunStatus.STOPPED and run.end_reason != FINALISED


def _end(session: Session, run: RunRow) -> None:
    if at_work := workers.alive(session, run.run_id):
        names = " and ".join(" ".join(one.worker.split(":")[:2]) for one in at_work)
        raise Conflict(f"run {run.run_id} is worked on by {names}, and ends with its last item.")
    workers.reclaim(session, run.run_id, _NOBODY)
    session.flush()
    session.expire_all()
    if not endings.end_if_over(session, run):
        found = counted(session, run.run_id)
        runs.end(run, RunStatus.STOPPED, FINALISED, {**found.outcomes, "left": found.left})


def _known(session: Session, run_id: str) -> RunRow:
    run = runs.locked(session, run_id)
    if run is None:
        raise NotThere(f"there is no run {run_id!r}.")
    return run


def _item(session: Session, run: RunRow, planned: Planned) -> RunItemRow:
    if is_taken_down(session, run.source, planned.item_id):
        raise NotThere(f"{planned.item_id} was taken down, and is in no run any more.")
    found = select(RunItemRow).where(
        RunItemRow.run_id == run.run_id, RunItemRow.item_id == planned.item_id
    )
    found = found.with_for_update()
    item = session.scalars(found).first()
    if item is not None:
        return item
    if run.asked is None or run.asked.get("named_items"):
        raise BadInput(f"run {run.run_id} has no item {planned.url or planned.item_id}.")
    # Whoever creates a run without its items tells of each when it reports on it.
    first = items.next_position(session, run.run_id)
    items.plan(session, run.run_id, [planned], first=first)
    return session.scalars(found).one()


def _close(session: Session, run_id: str, word: Word) -> None:
    item_id = word.planned.item_id
    state, outcome = _ENDS[word.said]
    category = None if word.said is Report.DONE else str(state)
    held = items.claim_one(session, run_id, ORCHESTRATOR, item_id)
    assert held is not None, "it was pending in this very transaction"
    closing = Closing(item_id, state, outcome, category=category, reason=word.reason)
    items.close(session, run_id, ORCHESTRATOR, held.fence, closing)
