"""The items of a run, from planned to closed: the only SQL of the queue itself.

What a worker does to an item is one statement that says so: it reaches the item only as long as
the worker's claim is the latest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    bindparam,
    delete,
    exists,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.dossier import Answer, Planned
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.core.packing import unpack
from n8n_scraper.ledger.batches import batched
from n8n_scraper.ledger.ledger import (
    UNSETTLED,
    Claim,
    Closing,
    Kept,
    State,
    Tally,
    brought,
)
from n8n_scraper.ledger.statements import insert_for, put, run
from n8n_scraper.ledger.tables import RunAnswerRow, RunItemRow, table_of
from n8n_scraper.ledger.takedowns import IS_TAKEN_DOWN, drop_line, without

# Few enough values for the limit of variables that SQLite puts on one statement.
_ROWS_AT_ONCE = 500

# What is said of every item is built once: that takes longer than SQLite needs to carry it out.
_ITEMS, _ANSWERS = table_of(RunItemRow), table_of(RunAnswerRow)
_OF_RUN = _ITEMS.c.run_id == bindparam("of_run")
_IN_STATE = _ITEMS.c.state == bindparam("in_state")
_OF_ITEM = (_OF_RUN, _ITEMS.c.item_id == bindparam("of_id"))
_HELD = (
    *_OF_ITEM,
    _ITEMS.c.worker == bindparam("of_worker"),
    _ITEMS.c.fence == bindparam("of_fence"),
    _ITEMS.c.state == State.CLAIMED,
)
_FARTHEST = select(func.max(_ITEMS.c.position)).where(_OF_RUN, _IN_STATE)
_PENDING = (
    select(*_ITEMS.c["item_id", "in_inventory", "listing", "fence"])
    .where(_OF_RUN, _IN_STATE, _ITEMS.c.position > bindparam("behind"))
    .order_by(_ITEMS.c.position)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
_PENDING_ONE = select(*_ITEMS.c["item_id", "in_inventory", "listing", "fence"]).where(
    *_OF_ITEM, _ITEMS.c.state == State.PENDING
)
_IN_STATE_OF = select(_ITEMS.c.item_id).where(
    _OF_RUN, _IN_STATE, _ITEMS.c.item_id.in_(bindparam("of_ids", expanding=True))
)
_CLAIM = (
    update(_ITEMS)
    .where(*_OF_ITEM)
    .values(
        attempts=_ITEMS.c.attempts + 1,
        fence=_ITEMS.c.fence + 1,
        **{name: bindparam(name) for name in ("state", "claimed_at", "worker")},
    )
)
_CLOSE = (
    update(_ITEMS)
    .where(*_HELD, ~IS_TAKEN_DOWN)
    .values(
        {
            name: bindparam(name)
            for name in (*Closing.__dataclass_fields__, "closed_at")
            if name != "item_id"
        }
    )
)
_STILL_HELD = select(_ITEMS.c.item_id).where(*_HELD).with_for_update()
_IS_LEFT = select(exists().where(_OF_RUN, _ITEMS.c.state.in_((State.PENDING, State.CLAIMED))))
_OF_ANSWERS = _ANSWERS.c.run_id == bindparam("of_run")
_KEPT = select(_ANSWERS).where(
    _OF_ANSWERS, _ANSWERS.c.item_id.in_(bindparam("of_ids", expanding=True))
)
_FORGET = delete(_ANSWERS).where(_OF_ANSWERS, _ANSWERS.c.item_id == bindparam("of_id"))
_FORGET_ASKED_FOR = _FORGET.where(_ANSWERS.c.requests > 0)


def plan(session: Session, run_id: str, entries: Iterable[Planned], *, first: int) -> int:
    """Enter items that the run expects, each once; return how many were new.

    What was taken down is left out, whoever asks for it. The answers that the inventory has brought
    along are kept for all that has not been begun.
    """
    added = 0
    for some in batched(entries, _ROWS_AT_ONCE):
        chunk = without(session, run_id, some)
        if not chunk:
            continue
        rows = [_planned_row(run_id, at, entry) for at, entry in enumerate(chunk, first)]
        first += len(rows)
        statement = insert_for(session, _ITEMS).on_conflict_do_nothing()
        done = session.connection().execute(
            statement, rows, execution_options={"preserve_rowcount": True}
        )
        added += done.rowcount
        _keep_brought(session, run_id, [entry for entry in chunk if entry.answers])
    return added


def _keep_brought(session: Session, run_id: str, entries: Sequence[Planned]) -> None:
    if not entries:
        return
    ids = [entry.item_id for entry in entries]
    which = {"of_run": run_id, "in_state": State.PENDING, "of_ids": ids}
    not_begun = set(run(session, _IN_STATE_OF, which).scalars())
    rows = [
        _kept_row(run_id, entry.item_id, part)
        for entry in entries
        if entry.item_id in not_begun
        for part in brought(entry)
    ]
    if rows:
        put(session, _ANSWERS, rows)


def next_position(session: Session, run_id: str) -> int:
    """Say where the plan of a run goes on."""
    farthest = session.scalar(
        select(func.max(RunItemRow.position)).where(RunItemRow.run_id == run_id)
    )
    return 0 if farthest is None else farthest + 1


def claim(session: Session, run_id: str, worker: str, most: int) -> list[Claim]:
    """Take the next pending items of the run; those that were given back come last.

    Looking behind what is under way spares PostgreSQL the way past all that is done already,
    whose old lines stay in the index until the next vacuum.
    """
    farthest = run(session, _FARTHEST, {"of_run": run_id, "in_state": State.CLAIMED}).scalar()
    rows = _pending(session, run_id, most, behind=-1 if farthest is None else farthest)
    if not rows and farthest is not None:
        rows = _pending(session, run_id, most, behind=-1)
    if not rows:
        return []
    _take(session, run_id, worker, rows)
    kept = _kept(session, run_id, [row.item_id for row in rows])
    return [
        Claim(_planned(row), row.fence + 1, tuple(map(_as_kept, kept.get(row.item_id, ()))))
        for row in rows
    ]


def claim_one(session: Session, run_id: str, worker: str, item_id: str) -> Claim | None:
    """Take this item, without what was kept of it; None when it is not pending."""
    row = run(session, _PENDING_ONE, {"of_run": run_id, "of_id": item_id}).first()
    if row is None:
        return None
    _take(session, run_id, worker, [row])
    return Claim(_planned(row), row.fence + 1)


def _take(session: Session, run_id: str, worker: str, rows: Sequence[Row[Any]]) -> None:
    held = {"of_run": run_id, "state": State.CLAIMED, "claimed_at": utc_now(), "worker": worker}
    run(session, _CLAIM, [{"of_id": row.item_id, **held} for row in rows])


def _pending(session: Session, run_id: str, most: int, *, behind: int) -> Sequence[Row[Any]]:
    return run(
        session,
        _PENDING,
        {"of_run": run_id, "in_state": State.PENDING, "behind": behind, "most": most},
    ).all()


def is_left(session: Session, run_id: str) -> bool:
    """Whether an item of the run has no outcome yet."""
    return bool(run(session, _IS_LEFT, {"of_run": run_id}).scalar())


def held(session: Session, run_id: str, worker: str) -> dict[str, int]:
    """Give the fence of each item that a worker holds."""
    mine = select(RunItemRow.item_id, RunItemRow.fence).where(
        RunItemRow.run_id == run_id, RunItemRow.state == State.CLAIMED, RunItemRow.worker == worker
    )
    return {row.item_id: row.fence for row in session.execute(mine)}


def close(
    session: Session,
    run_id: str,
    worker: str,
    fence: int,
    closing: Closing,
    evidence: Sequence[Kept] = (),
) -> bool:
    """Give an item its outcome, and forget the answers that were kept for it.

    What the inventory has brought is kept until an item has ended for good: if it is tried again,
    nothing else brings that. The evidence of a failure is kept until the item is tried again.
    False, and nothing is done, when the claim is not the latest; and when the item was taken down
    meanwhile, which takes it out of the run.
    """
    values = asdict(closing)
    which = {"of_run": run_id, "of_id": values.pop("item_id")}
    mine = {"of_worker": worker, "of_fence": fence}
    if not run(session, _CLOSE, which | mine | values | {"closed_at": utc_now()}).rowcount:
        drop_line(session, run_id, which["of_id"])
        return False
    if closing.state not in UNSETTLED:
        run(session, _FORGET, which)
        return True
    run(session, _FORGET_ASKED_FOR, which)
    if evidence:
        rows = [_kept_row(run_id, closing.item_id, part) for part in evidence]
        session.execute(insert_for(session, _ANSWERS).on_conflict_do_nothing(), rows)
    return True


def keep(session: Session, run_id: str, worker: str, claim: Claim, parts: Sequence[Kept]) -> bool:
    """Keep what has come of a chain under way, for the next holder of its item.

    False, and nothing is kept, when the claim is not the latest.
    """
    which = {"of_run": run_id, "of_id": claim.item_id}
    mine = {"of_worker": worker, "of_fence": claim.fence}
    if run(session, _STILL_HELD, which | mine).first() is None:
        return False
    put(session, _ANSWERS, [_kept_row(run_id, claim.item_id, part) for part in parts])
    return True


def give_back(session: Session, run_id: str, *workers: str) -> int:
    """Make the items pending again that these workers hold: nothing went wrong with them.

    Those that a transaction of theirs has locked stay as they are.
    """
    held = (
        select(_ITEMS.c.item_id)
        .where(
            _ITEMS.c.run_id == run_id,
            _ITEMS.c.state == State.CLAIMED,
            _ITEMS.c.worker.in_(workers),
        )
        .with_for_update(skip_locked=True)
    )
    given = session.connection().execute(
        update(_ITEMS)
        .where(_ITEMS.c.run_id == run_id, _ITEMS.c.item_id.in_(held))
        .values(state=State.PENDING, claimed_at=None, worker=None)
    )
    return given.rowcount


def drop_the_rest(session: Session, run_id: str, worker: str, claim: Claim, reason: str) -> bool:
    """Take a held item, and all that is pending, out of a run; False when it is not held any more.

    What had failed before, and was to be tried again, is failed as it was.
    """
    which = {"of_run": run_id, "of_id": claim.item_id}
    mine = {"of_worker": worker, "of_fence": claim.fence}
    if run(session, _STILL_HELD, which | mine).first() is None:
        return False
    rest = or_(_ITEMS.c.item_id == claim.item_id, _ITEMS.c.state == State.PENDING)
    tried = _ITEMS.c.requests.is_not(None)
    failed = {"state": State.FAILED, "outcome": Outcome.FAILED, "reason": reason}
    session.connection().execute(
        update(_ITEMS)
        .where(_ITEMS.c.run_id == run_id, rest, tried)
        .values(**failed, closed_at=utc_now())
    )
    drop(session, run_id, rest, ~tried)
    return True


def drop(session: Session, run_id: str, *which: ColumnElement[bool]) -> int:
    """Take items out of a run; return how many."""
    return (
        session.connection()
        .execute(delete(_ITEMS).where(_ITEMS.c.run_id == run_id, *which))
        .rowcount
    )


def reopen_failed(session: Session, run_id: str, categories: Sequence[str], since: str) -> int:
    """Make items pending again that failed for these reasons; return how many."""
    return try_again(
        session,
        run_id,
        _ITEMS.c.state == State.FAILED,
        _ITEMS.c.category.in_(categories),
        _ITEMS.c.closed_at >= since,
        ~IS_TAKEN_DOWN,
    )


def reopen(session: Session, run_id: str, item_id: str) -> None:
    """Make an item pending again that has ended, but not for good."""
    try_again(session, run_id, _ITEMS.c.item_id == item_id)


def try_again(session: Session, run_id: str, *which: ColumnElement[bool]) -> int:
    """Make items pending again that have ended, but not for good; return how many.

    The evidence of their failures is forgotten: it would be taken for answers of the next chain.
    """
    these = (_ITEMS.c.run_id == run_id, _ITEMS.c.state.in_(UNSETTLED), *which)
    connection = session.connection()
    connection.execute(
        delete(_ANSWERS).where(
            _ANSWERS.c.run_id == run_id,
            _ANSWERS.c.requests > 0,
            _ANSWERS.c.item_id.in_(select(_ITEMS.c.item_id).where(*these)),
        )
    )
    again = update(_ITEMS).where(*these).values(_PENDING_AGAIN)
    done = connection.execute(again, execution_options={"preserve_rowcount": True})
    return done.rowcount


_PENDING_AGAIN: Mapping[str, Any] = {
    "state": State.PENDING,
    "outcome": None,
    "category": None,
    "reason": None,
    "http_status": None,
    "closed_at": None,
    "worker": None,
}
"""What becomes of an item that had ended and is to be tried again."""


def tally(session: Session, run_id: str) -> Tally:
    """Count the items of a run by state and by outcome."""
    rows = session.execute(
        select(RunItemRow.state, RunItemRow.outcome, RunItemRow.in_inventory, func.count())
        .where(RunItemRow.run_id == run_id)
        .group_by(RunItemRow.state, RunItemRow.outcome, RunItemRow.in_inventory)
    )
    states: dict[str, int] = {}
    outcomes: dict[str, int] = {}
    unlisted = 0
    for state, outcome, in_inventory, number in rows:
        states[state] = states.get(state, 0) + number
        unlisted += 0 if in_inventory else number
        if outcome:
            outcomes[outcome] = outcomes.get(outcome, 0) + number
    return Tally(states, outcomes, unlisted)


def _kept(session: Session, run_id: str, item_ids: Sequence[str]) -> dict[str, list[Row[Any]]]:
    kept: dict[str, list[Row[Any]]] = {}
    for row in run(session, _KEPT, {"of_run": run_id, "of_ids": item_ids}):
        kept.setdefault(row.item_id, []).append(row)
    return kept


def _as_kept(row: Row[Any]) -> Kept:
    from n8n_scraper.core.item import PartState  # who only counts has no use for the items

    answer = None
    if row.body is not None and row.url and row.http_status and row.fetched_at:
        answer = Answer(row.part, row.url, row.http_status, unpack(row.body), row.fetched_at)
    return Kept(row.part, PartState.model_validate(row.state), answer, row.requests)


def _kept_row(run_id: str, item_id: str, part: Kept) -> dict[str, Any]:
    answer = part.answer
    return {
        "run_id": run_id,
        "item_id": item_id,
        "part": part.part,
        "state": part.state.model_dump(mode="json"),
        "url": answer.url if answer else None,
        "http_status": answer.http_status if answer else None,
        "fetched_at": answer.fetched_at if answer else None,
        "body": answer.packed if answer else None,
        "requests": part.requests,
    }


def _planned_row(run_id: str, position: int, entry: Planned) -> dict[str, Any]:
    return {
        "run_id": run_id,
        "item_id": entry.item_id,
        "position": position,
        "in_inventory": entry.listed,
        "listing": dict(entry.listing) or None,
        "state": State.PENDING,
        "url": entry.url,
    }


def _planned(row: Row[Any]) -> Planned:
    return Planned(row.item_id, row.in_inventory, row.listing or {})
