"""What failed in the last runs, grouped by why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.finding import NEWEST_FIRST
from n8n_scraper.ledger.ledger import UNSETTLED
from n8n_scraper.ledger.noted import kinds_of
from n8n_scraper.ledger.tables import RunItemRow, RunRow

_RUNS_LOOKED_AT = 20
_EXAMPLES = 3

NO_CATEGORY = "none"
"""What is told of an item that failed by no failure of a request."""

_WHY = (RunRow.source, RunItemRow.category, RunItemRow.reason)
_ITS_RUN = RunRow.run_id == RunItemRow.run_id
Why = tuple[str, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Example:
    """An item that failed so."""

    run_id: str
    item_id: str
    http_status: int | None
    closed_at: str | None


@dataclass(frozen=True, slots=True)
class FailureReport:
    """Failures of one source for one reason."""

    source: str
    category: str | None
    reason: str | None
    items: int
    runs: int
    """In how many runs."""
    latest: str | None
    examples: tuple[Example, ...]
    """The latest of them."""


def failure_reports(
    database: Database,
    run_ids: Iterable[str] | None = None,
    *,
    category: str | None = None,
    most: int = 50,
) -> list[FailureReport]:
    """Group what was not had in full, the commonest first: in these runs, else in the last ones."""
    given = None if run_ids is None else list(run_ids)

    def all_of_it(session: Session) -> list[FailureReport]:
        runs = _newest(session) if given is None else given
        examples = _examples(session, runs, category)
        return [
            FailureReport(*why, items=items, runs=number, latest=latest, examples=examples[why])
            for why, items, number, latest in _groups(session, runs, category, most)
        ]

    return database.look(all_of_it)


def failures_by_category(database: Database, run_id: str) -> dict[str, int]:
    """Count what of a run was not had in full, by what kind of failure it was."""

    def all_of_it(session: Session) -> dict[str, int]:
        numbers: Counter[str] = Counter()
        for kind in kinds_of(session, run_id):
            if kind.state in UNSETTLED:
                numbers[kind.category or NO_CATEGORY] += kind.items
        return dict(sorted(numbers.items()))

    return database.look(all_of_it)


def _newest(session: Session) -> list[str]:
    query = select(RunRow.run_id).order_by(*NEWEST_FIRST).limit(_RUNS_LOOKED_AT)
    return list(session.scalars(query))


def _failed(runs: list[str], category: str | None) -> tuple[ColumnElement[bool], ...]:
    failed = (RunItemRow.run_id.in_(runs), RunItemRow.state.in_(UNSETTLED))
    return failed if category is None else (*failed, RunItemRow.category == category)


def _groups(
    session: Session, runs: list[str], category: str | None, most: int
) -> list[tuple[Why, int, int, str | None]]:
    items = func.count()
    rows = (
        select(
            *_WHY, items, func.count(RunItemRow.run_id.distinct()), func.max(RunItemRow.closed_at)
        )
        .select_from(RunItemRow)
        .join(RunRow, _ITS_RUN)
        .where(*_failed(runs, category))
        .group_by(*_WHY)
        .order_by(items.desc(), *_WHY)
    )
    return [
        ((source, kind, reason), number, of_runs, latest)
        for source, kind, reason, number, of_runs, latest in session.execute(rows.limit(most))
    ]


def _examples(
    session: Session, runs: list[str], category: str | None
) -> dict[Why, tuple[Example, ...]]:
    """Give the latest of each group, found in one reading."""
    item = RunItemRow
    place = func.row_number().over(
        partition_by=_WHY, order_by=(item.closed_at.desc(), item.run_id, item.item_id)
    )
    ranked = (
        select(
            *_WHY,
            item.run_id,
            item.item_id,
            item.http_status,
            item.closed_at,
            place.label("place"),
        )
        .join(RunRow, _ITS_RUN)
        .where(*_failed(runs, category))
        .subquery()
    )
    found: dict[Why, tuple[Example, ...]] = {}
    for row in session.execute(select(ranked).where(ranked.c.place <= _EXAMPLES).order_by("place")):
        why = (row.source, row.category, row.reason)
        example = Example(row.run_id, row.item_id, row.http_status, row.closed_at)
        found[why] = (*found.get(why, ()), example)
    return found
