"""The items of a run for people and machines to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import Any

from sqlalchemy import Select, func, select, tuple_
from sqlalchemy.orm import InstrumentedAttribute, Session

from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.finding import find
from n8n_scraper.ledger.ledger import UNSETTLED
from n8n_scraper.ledger.noted import PLANNED, kinds_of
from n8n_scraper.ledger.tables import RunItemRow, RunRow
from n8n_scraper.reports.domains import NONE_ELSEWHERE, Domains
from n8n_scraper.reports.runs import RunReport, report_of

_ROWS_AT_ONCE = 1_000
_FAILURES_SHOWN = 20
_SLOWEST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class ItemReport:
    """An item of a run: how it stands, and why."""

    item_id: str
    state: str
    outcome: str | None
    category: str | None
    reason: str | None
    http_status: int | None
    requests: int | None
    attempts: int
    in_inventory: bool
    position: int
    listing: dict[str, Any] | None
    """What the inventory says of it."""
    claimed_at: str | None
    closed_at: str | None
    duration: float | None
    worker: str | None

    def as_json(self) -> dict[str, Any]:
        """The same for machines; the names of the keys stay as they are."""
        return asdict(self) | {"owner": self.worker}  # as versions called it that knew one only


@dataclass(frozen=True, slots=True)
class Ended:
    """How many items ended in the same way, for the same reason."""

    outcome: str
    category: str | None
    number: int

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        return {"outcome": self.outcome, "category": self.category, "number": self.number}


@dataclass(frozen=True, slots=True)
class RunDetails:
    """A run, and what came of it, item by item."""

    run: RunReport
    settings: dict[str, Any]
    versions: dict[str, Any]
    by_category: tuple[Ended, ...]
    slowest: tuple[ItemReport, ...]
    failures: tuple[ItemReport, ...]
    """The first of those that were not had in full."""

    @property
    def failed(self) -> int:
        """How many were not had in full."""
        return self.run.counts.unsettled

    def as_json(self) -> dict[str, Any]:
        """The same for machines; the names of the keys stay as they are."""
        return self.run.as_json() | {
            "settings": self.settings,
            "versions": self.versions,
            "by_category": [one.as_json() for one in self.by_category],
            "slowest": [one.as_json() for one in self.slowest],
            "failures": [one.as_json() for one in self.failures],
            "failed": self.failed,
        }


def run_details(database: Database, name: str | None = None) -> RunDetails:
    """Say where a run stands, and which of its items were slow or not had in full."""
    return database.look(lambda session: details_of(session, find(session, name)))


def items(
    database: Database,
    run_id: str,
    state: str | None = None,
    outcome: str | None = None,
    limit: int | None = None,
) -> Iterator[list[ItemReport]]:
    """Give a run's items a page at a time, each in a short transaction of its own.

    Those of one state come in the order of the inventory, all of them in the order of their ids.
    """
    query = select(RunItemRow).where(RunItemRow.run_id == run_id)
    query = query.where(RunItemRow.outcome == outcome) if outcome else query
    for page in _pages(database, run_id, query, state):
        some = page if limit is None else page[:limit]
        if some:
            yield [item_report(row) for row in some]
        limit = None if limit is None else limit - len(some)
        if limit == 0:
            return


def details_of(session: Session, run: RunRow, elsewhere: Domains = NONE_ELSEWHERE) -> RunDetails:
    """Say it inside a transaction that sees more than that."""
    mine = RunItemRow.run_id == run.run_id
    slowest = (
        select(RunItemRow)
        .where(mine, RunItemRow.duration.is_not(None))
        .order_by(RunItemRow.duration.desc())
        .limit(_SLOWEST_SHOWN)
    )
    return RunDetails(
        report_of(session, run, elsewhere=elsewhere),
        settings=run.settings,
        versions=run.versions,
        by_category=ended_of(session, run.run_id),
        slowest=tuple(map(item_report, session.scalars(slowest))),
        failures=_first_failures(session, run.run_id),
    )


def _first_failures(session: Session, run_id: str) -> tuple[ItemReport, ...]:
    """Walk the index of claims state by state, so that nothing has to be sorted."""
    found: list[RunItemRow] = []
    for state in sorted(UNSETTLED):
        some = select(RunItemRow).where(RunItemRow.run_id == run_id, RunItemRow.state == state)
        some = some.order_by(RunItemRow.position).limit(_FAILURES_SHOWN - len(found))
        found += session.scalars(some)
    return tuple(map(item_report, found))


def ended_of(session: Session, run_id: str) -> tuple[Ended, ...]:
    """Count how the items of a run ended and why, the commonest first."""
    numbers: Counter[tuple[str, str | None]] = Counter()
    for kind in kinds_of(session, run_id):
        if kind.state != PLANNED:
            numbers[kind.outcome, kind.category or None] += kind.items
    ended = (Ended(outcome, category, number) for (outcome, category), number in numbers.items())
    return tuple(sorted(ended, key=lambda one: (-one.number, one.outcome, one.category or "")))


def item_report(row: RunItemRow) -> ItemReport:
    """Read how an item of a run stands."""
    return ItemReport(**{one.name: getattr(row, one.name) for one in fields(ItemReport)})


def _pages(
    database: Database, run_id: str, query: Select[RunItemRow], state: str | None
) -> Iterator[list[RunItemRow]]:
    if state:
        order = (RunItemRow.position, RunItemRow.item_id)
        yield from _keyset(database, query.where(RunItemRow.state == state), order)
        return
    # Ids are text and sort as such: by their length first, they come as numbers do, and still by
    # the index of the table.
    length = func.length(RunItemRow.item_id)
    lengths = select(length).where(RunItemRow.run_id == run_id).distinct().order_by(length)
    for one in database.look(lambda session: session.scalars(lengths).all()):
        yield from _keyset(database, query.where(length == one), (RunItemRow.item_id,))


def _keyset(
    database: Database, query: Select[RunItemRow], order: tuple[InstrumentedAttribute[Any], ...]
) -> Iterator[list[RunItemRow]]:
    """Read page after page, each from behind the last line of the one before."""
    after: tuple[Any, ...] | None = None
    while True:
        page = query.order_by(*order).limit(_ROWS_AT_ONCE)
        if after is not None:
            page = page.where(order[0] >= after[0], tuple_(*order) > after)
        rows = database.look(partial(_all, query=page))
        if not rows:
            return
        yield rows
        after = tuple(getattr(rows[-1], column.key) for column in order)


def _all(session: Session, query: Select[RunItemRow]) -> list[RunItemRow]:
    return list(session.scalars(query))
