"""Read templates out of the database a few at a time, all as they stood at one moment."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic_core import from_json
from sqlalchemy import JSON, ColumnElement, Row, Select, Text, cast, select
from sqlalchemy.orm import Session

from n8n_scraper.exports.filters import Facts, Filters
from n8n_scraper.ledger.batches import batched
from n8n_scraper.ledger.tables import Base
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.tables import WorkflowRow

_COLUMNS = Base.metadata.tables[WorkflowRow.__tablename__].columns
_ID = _COLUMNS["workflow_id"]
_FACTS = [_COLUMNS[name] for name in Facts.__dataclass_fields__]
_JSON = frozenset(name for name in Template.model_fields if isinstance(_COLUMNS[name].type, JSON))
# Read as text, because there is a faster reader of it than the database's own.
_AS_STORED = [
    cast(_COLUMNS[name], Text).label(name) if name in _JSON else _COLUMNS[name]
    for name in Template.model_fields
]
ROWS_TO_LOOK_AT = 500
# A few are under way at once, so that a template of a megabyte costs a few megabytes.
_TEMPLATES_AT_ONCE = 25


def hold_still(session: Session) -> None:
    """See the database as it is now for the whole transaction, whatever a crawl writes meanwhile.

    SQLite does so by itself.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})


def chosen(session: Session, filters: Filters, *, rows_at_once: int = ROWS_TO_LOOK_AT) -> list[str]:
    """Give the ids that the filters let through, smallest number first."""
    wanted = set(filters.ids)
    found = [
        row.workflow_id
        for row in _pages(session, _question(filters), rows_at_once)
        if (not wanted or row.workflow_id in wanted)
        and (not filters.look_inside or filters.admit(Facts(*row[1:])))
    ]
    found.sort(key=lambda name: (len(name), name))
    return found[: filters.limit]


def facts(session: Session) -> Iterator[Facts]:
    """Give of every template what the filters by content look at."""
    return (Facts(*row[1:]) for row in _pages(session, select(_ID, *_FACTS)))


def templates(session: Session, ids: Iterable[str]) -> Iterator[Template]:
    """Give these templates, in this order, one at a time."""
    for some in batched(ids, _TEMPLATES_AT_ONCE):
        rows = session.execute(select(*_AS_STORED).where(_ID.in_(some)))
        by_id = {row.workflow_id: row for row in rows}
        for one in some:
            if row := by_id.pop(one, None):
                yield Template.model_validate(_values(row))


def _values(row: Row[Any]) -> dict[str, Any]:
    return {
        name: _decoded(value) if name in _JSON and value is not None else value
        for name, value in row._mapping.items()
    }


def _decoded(text: str) -> Any:
    try:
        return from_json(text)
    except ValueError:  # half a character, or a very deep value
        return json.loads(text)


def _question(filters: Filters) -> Select[Any]:
    conditions: list[ColumnElement[bool]] = []
    if filters.min_score is not None:
        conditions.append(_COLUMNS["quality_score"] >= filters.min_score)
    if filters.outcome:
        conditions.append(_COLUMNS["outcome"].in_(filters.outcome))
    if filters.since:
        conditions.append(_COLUMNS["scraped_at"] >= filters.since)
    if filters.removed is not None:
        removed_at = _COLUMNS["removed_at"]
        conditions.append(removed_at.is_not(None) if filters.removed else removed_at.is_(None))
    return select(_ID, *(_FACTS if filters.look_inside else [])).where(*conditions)


def _pages(
    session: Session, question: Select[Any], rows_at_once: int = ROWS_TO_LOOK_AT
) -> Iterator[Row[Any]]:
    """Walk along the primary key, so that no answer is larger than a page."""
    page = question.order_by(_ID).limit(rows_at_once)
    rows = session.execute(page).all()
    while rows:
        yield from rows
        rows = session.execute(page.where(rows[-1].workflow_id < _ID)).all()
