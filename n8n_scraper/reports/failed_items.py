"""What was not had in full, item by item over all runs, and the evidence of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, select, tuple_
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.packing import Damaged, unpack
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import UNSETTLED
from n8n_scraper.ledger.tables import IS_UNSETTLED, RunAnswerRow, RunItemRow, RunRow
from n8n_scraper.records.tables import RawAnswerRow

_LOOKED_AT_FOR_CAUSES = 300
_EXAMPLES = 3

Place = tuple[str, str, str]
"""Where a failed item stands among all: when it ended, its run, its id."""


@dataclass(frozen=True, slots=True)
class FailedItem:
    """An item that was not had in full in a run."""

    run_id: str
    source: str
    item_id: str
    state: str
    outcome: str | None
    category: str | None
    reason: str | None
    http_status: int | None
    closed_at: str

    @property
    def place(self) -> Place:
        """Where it stands among all."""
        return (self.closed_at, self.run_id, self.item_id)


@dataclass(frozen=True, slots=True)
class Cause:
    """Failures of a run for one reason, as many as there are among those looked at."""

    category: str | None
    reason: str | None
    http_status: int | None
    items: int
    examples: tuple[str, ...]
    """The ids of a few."""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer about an item, exactly as it came."""

    part: str
    url: str | None
    http_status: int | None
    fetched_at: str | None
    run_id: str
    """The run that has brought it."""
    bytes: int | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is known of how an item ended in a run."""

    item: FailedItem
    requests: int | None
    attempts: int
    duration: float | None
    worker: str | None
    answers: tuple[KeptAnswer, ...]


def failed_items(
    database: Database,
    *,
    run_id: str | None = None,
    source: str | None = None,
    category: str | None = None,
    before: Place | None = None,
    most: int = 50,
) -> list[FailedItem]:
    """Give what was not had in full, the latest first: a page, from behind a place on."""
    conditions: list[ColumnElement[bool]] = [RunItemRow.closed_at.is_not(None)]
    if run_id is not None:
        conditions.append(RunItemRow.run_id == run_id)
    if source is not None:
        conditions.append(_source() == source)
    if category is not None:
        conditions.append(RunItemRow.category == category)
    order = (RunItemRow.closed_at, RunItemRow.run_id, RunItemRow.item_id)
    if before is not None:
        # The first half is for the index, the second for those of one moment.
        conditions += [RunItemRow.closed_at <= before[0], tuple_(*order) < before]
    query = _items().where(IS_UNSETTLED, *conditions)
    query = query.order_by(*(one.desc() for one in order)).limit(most)
    return database.look(lambda session: [FailedItem(*row) for row in session.execute(query)])


def failure_categories(database: Database) -> list[str]:
    """Name the categories that there are, by the index of failures: a step a category."""

    def step_by_step(session: Session) -> list[str]:
        found: list[str] = []
        query = select(RunItemRow.category).where(IS_UNSETTLED, RunItemRow.category.is_not(None))
        query = query.order_by(RunItemRow.category).limit(1)
        while name := session.scalar(
            query.where(RunItemRow.category > found[-1]) if found else query
        ):
            found.append(name)
        return found

    return database.look(step_by_step)


def causes_of(session: Session, run_id: str) -> tuple[Cause, ...]:
    """Group what failed in a run by its reason, the commonest first, as seen in a sample."""
    what = (RunItemRow.item_id, RunItemRow.category, RunItemRow.reason, RunItemRow.http_status)
    numbers: Counter[tuple[str | None, str | None, int | None]] = Counter()
    examples: dict[tuple[str | None, str | None, int | None], list[str]] = {}
    for state in UNSETTLED:
        some = select(*what).where(RunItemRow.run_id == run_id, RunItemRow.state == state)
        some = some.order_by(RunItemRow.position).limit(_LOOKED_AT_FOR_CAUSES)
        for item_id, category, reason, status in session.execute(some):
            key = (category, reason, status)
            numbers[key] += 1
            examples.setdefault(key, []).append(item_id)
    return tuple(
        Cause(*why, items=number, examples=tuple(examples[why][:_EXAMPLES]))
        for why, number in numbers.most_common()
    )


def evidence_of(database: Database, run_id: str, item_id: str) -> Evidence:
    """Give all that is known of how an item ended in a run."""

    def all_of_it(session: Session) -> Evidence:
        mine = (RunItemRow.run_id == run_id, RunItemRow.item_id == item_id)
        row = session.execute(_items().where(*mine)).first()
        item = session.get(RunItemRow, (run_id, item_id))
        if row is None or item is None:
            raise BadInput(f"run {run_id} has no item {item_id!r}.")
        found = FailedItem(*row)
        return Evidence(
            found,
            requests=item.requests,
            attempts=item.attempts,
            duration=item.duration,
            worker=item.worker,
            answers=(*_of_this_run(session, found), *_of_the_archive(session, found)),
        )

    return database.look(all_of_it)


def answer_as_it_came(
    database: Database, run_id: str, item_id: str, part: str, *, most: int
) -> tuple[bytes, bool] | None:
    """Give the bytes of an answer, at most so many, and whether these are all; None without one."""

    def body(session: Session) -> bytes | None:
        kept = session.get(RunAnswerRow, (run_id, item_id, part))
        if kept is not None and kept.body is not None:
            return kept.body
        source = session.scalar(select(RunRow.source).where(RunRow.run_id == run_id))
        raw = session.get(RawAnswerRow, (source, item_id, part)) if source else None
        return None if raw is None else raw.body

    packed = database.look(body)
    if packed is None:
        return None
    try:
        whole = unpack(packed)
    except Damaged as error:
        raise BadInput(f"the stored answer cannot be unpacked any more: {error}.") from None
    return whole[:most], len(whole) <= most


def _items() -> Any:
    item = RunItemRow
    why = (item.category, item.reason, item.http_status, item.closed_at)
    return select(item.run_id, _source(), item.item_id, item.state, item.outcome, *why)


def _source() -> ColumnElement[str]:
    """Give the source of an item's run.

    Not by a join, which a database may begin with the runs: then it reads and sorts all items.
    """
    return select(RunRow.source).where(RunRow.run_id == RunItemRow.run_id).scalar_subquery()


def _of_this_run(session: Session, item: FailedItem) -> Sequence[KeptAnswer]:
    row = RunAnswerRow
    query = select(row.part, row.url, row.http_status, row.fetched_at).where(
        row.run_id == item.run_id, row.item_id == item.item_id, row.body.is_not(None)
    )
    return [KeptAnswer(*one, item.run_id, None) for one in session.execute(query)]


def _of_the_archive(session: Session, item: FailedItem) -> Sequence[KeptAnswer]:
    row = RawAnswerRow
    what = (row.part, row.url, row.http_status, row.fetched_at, row.run_id, row.body_bytes)
    query = select(*what).where(row.source == item.source, row.item_id == item.item_id)
    return [KeptAnswer(*one) for one in session.execute(query.order_by(row.part))]
