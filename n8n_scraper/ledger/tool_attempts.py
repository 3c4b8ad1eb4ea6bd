"""Write down what a tool has brought of a source, and keep the last of it."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from n8n_scraper.ledger.statements import insert_new
from n8n_scraper.ledger.tables import ToolAttemptRow, table_of
from n8n_scraper.policies.tools.ladder import KEPT_ATTEMPTS, Attempt

_TABLE = table_of(ToolAttemptRow)


def name_of_attempts(source: str, place: str | None = None) -> str:
    """Say under which name attempts are kept: of a source, or of one of its many places."""
    return source if place is None else f"{source}/{place}"


def note(session: Session, source: str, attempt: Attempt) -> None:
    """Add an attempt; what is older than the last ten of its tool is forgotten."""
    row = {
        "source": source,
        "tool": str(attempt.tool),
        "at": datetime.fromtimestamp(attempt.at, UTC).isoformat(timespec="microseconds"),
        "coverage": attempt.coverage,
        "items": attempt.items,
        "seconds": attempt.seconds,
        "cost": attempt.cost,
    }
    insert_new(session, _TABLE, row)
    own = (_TABLE.c.source == source, _TABLE.c.tool == str(attempt.tool))
    last = select(_TABLE.c.at).where(*own).order_by(_TABLE.c.at.desc())
    oldest = last.offset(KEPT_ATTEMPTS - 1).limit(1).scalar_subquery()
    session.execute(delete(_TABLE).where(*own, _TABLE.c.at < oldest))
