"""Which items were taken down, and that no run has anything of them any more.

An item is taken down in one transaction, which first notes it and then touches its lines: a worker
that is closing such a line is waited for, and none closes one after it. What was planned beside
that transaction, unseen by it, is refused when it is closed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, exists, select, update
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.dossier import Planned
from n8n_scraper.ledger.ledger import State
from n8n_scraper.ledger.statements import put, run
from n8n_scraper.ledger.tables import (
    DomainEventRow,
    DomainRow,
    RunAnswerRow,
    RunItemRow,
    RunRow,
    TakedownRow,
    table_of,
)

_NOTES, _ITEMS, _ANSWERS, _RUNS = map(table_of, (TakedownRow, RunItemRow, RunAnswerRow, RunRow))
_OPEN = (State.PENDING, State.CLAIMED)
_EVIDENCE = (
    table_of(DomainRow).c.circuit_tripped_by,
    table_of(DomainEventRow).c.tripped_by,
)

IS_TAKEN_DOWN = exists().where(
    _RUNS.c.run_id == _ITEMS.c.run_id,
    _NOTES.c.source == _RUNS.c.source,
    _NOTES.c.item_id == _ITEMS.c.item_id,
)
"""Whether the item of a line was taken down."""

_DROP = delete(_ITEMS).where(
    _ITEMS.c.run_id == bindparam("of_run"), _ITEMS.c.item_id == bindparam("of_id"), IS_TAKEN_DOWN
)


@dataclass(frozen=True, slots=True)
class Takedown:
    """An item that was taken down."""

    item_id: str
    at: str
    why: str


def note(session: Session, source: str, item_id: str, why: str) -> None:
    """Note that an item is never to be collected again; the first note of it stays."""
    if not is_taken_down(session, source, item_id):
        row = {"source": source, "item_id": item_id, "at": utc_now(), "why": why}
        put(session, _NOTES, [row])


def forget(session: Session, source: str, item_id: str) -> bool:
    """Take the note back; False when there is none."""
    which = (_NOTES.c.source == source, _NOTES.c.item_id == item_id)
    return bool(session.connection().execute(delete(_NOTES).where(*which)).rowcount)


def is_taken_down(session: Session, source: str, item_id: str) -> bool:
    """Whether an item is noted."""
    return session.get(TakedownRow, (source, item_id)) is not None


def note_of(session: Session, source: str, item_id: str) -> Takedown | None:
    """Give what is noted of an item; None of one that was not taken down."""
    row = session.get(TakedownRow, (source, item_id))
    return None if row is None else Takedown(row.item_id, row.at, row.why)


def noted(session: Session, source: str) -> list[Takedown]:
    """Give what was taken down of a source, the oldest first."""
    question = select(_NOTES.c.item_id, _NOTES.c.at, _NOTES.c.why)
    rows = session.execute(
        question.where(_NOTES.c.source == source).order_by(_NOTES.c.at, _NOTES.c.item_id)
    )
    return [Takedown(*row) for row in rows]


def clear_lines(session: Session, source: str, item_id: str) -> None:
    """Leave nothing of an item in the runs but its id, and how it had ended.

    One that is not at its end leaves its run; whoever holds it has lost it.
    """
    of_source = select(_RUNS.c.run_id).where(_RUNS.c.source == source)
    mine = (_ITEMS.c.item_id == item_id, _ITEMS.c.run_id.in_(of_source))
    connection = session.connection()
    connection.execute(delete(_ITEMS).where(*mine, _ITEMS.c.state.in_(_OPEN)))
    connection.execute(update(_ITEMS).where(*mine).values(listing=None, reason=None, url=None))
    connection.execute(
        delete(_ANSWERS).where(_ANSWERS.c.item_id == item_id, _ANSWERS.c.run_id.in_(of_source))
    )


def clear_evidence(session: Session, item_id: str) -> None:
    """Leave no address with this id where it stands what a domain was left alone for.

    Its slug is made of the title.
    """
    is_named = re.compile(rf"(?<![^\W_]){re.escape(item_id)}(?![^\W_])")
    for column in _EVIDENCE:
        may_be = select(column).where(column.contains(item_id, autoescape=True)).distinct()
        for evidence in session.scalars(may_be).all():
            what, _, address = evidence.partition(" from ")
            if is_named.search(address):
                session.execute(
                    update(column.table).where(column == evidence).values({column.name: what})
                )


def drop_line(session: Session, run_id: str, item_id: str) -> None:
    """Take an item out of a run if it was taken down, so that nobody waits for it."""
    run(session, _DROP, {"of_run": run_id, "of_id": item_id})


def without(session: Session, run_id: str, planned: Iterable[Planned]) -> list[Planned]:
    """Leave out what was taken down."""
    entries = list(planned)
    of_source = select(_RUNS.c.source).where(_RUNS.c.run_id == run_id).scalar_subquery()
    ids = [entry.item_id for entry in entries]
    question = select(_NOTES.c.item_id).where(
        _NOTES.c.source == of_source, _NOTES.c.item_id.in_(ids)
    )
    gone = set(session.scalars(question))
    return [entry for entry in entries if entry.item_id not in gone] if gone else entries
