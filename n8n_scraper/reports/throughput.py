"""How many items of a run ended in each minute, hour or day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.tables import RunItemRow


class Per(IntEnum):
    """The span of time that is counted together, by how much of a moment's text names it."""

    DAY = len("2026-11-19")
    HOUR = len("2026-11-19T01")
    MINUTE = len("2026-11-19T01:07")


@dataclass(frozen=True, slots=True)
class Span:
    """What ended in one span of time."""

    begins: str
    outcomes: Mapping[str, int] = field(default_factory=dict)

    @property
    def done(self) -> int:
        """How many ended."""
        return sum(self.outcomes.values())


def throughput(
    database: Database, run_id: str, per: Per = Per.MINUTE, since: str | None = None
) -> list[Span]:
    """Give the spans in which items of a run ended, the oldest first; the others are left out."""
    begins = func.substr(RunItemRow.closed_at, 1, int(per)).label("begins")
    query = select(begins, RunItemRow.outcome, func.count()).where(
        RunItemRow.run_id == run_id, RunItemRow.closed_at.is_not(None)
    )
    if since is not None:
        query = query.where(RunItemRow.closed_at >= since)
    grouped = query.group_by(begins, RunItemRow.outcome).order_by(begins, RunItemRow.outcome)

    def spans(session: Session) -> list[Span]:
        found: dict[str, dict[str, int]] = {}
        for start, outcome, number in session.execute(grouped):
            found.setdefault(_whole(start), {})[str(outcome)] = number
        return [Span(start, outcomes) for start, outcomes in found.items()]

    return database.look(spans)


def _whole(start: str) -> str:
    """Write the beginning of a span as a moment."""
    return start + "2026-01-01T00:00:00Z"[len(start) :]
