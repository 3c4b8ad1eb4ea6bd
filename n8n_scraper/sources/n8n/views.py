"""Tell how often a template was viewed over time."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from n8n_scraper.ledger.database import Database
from n8n_scraper.sources.n8n.tables import ViewSampleRow


@dataclass(frozen=True, slots=True)
class Views:
    """How often a template had been viewed at one moment."""

    at: str
    views: int | None
    recent_views: int | None


def views_of(database: Database, workflow_id: str) -> list[Views]:
    """Give the views of a template over time, the newest last."""
    row = ViewSampleRow
    query = select(row.at, row.views, row.recent_views).where(row.workflow_id == workflow_id)
    return database.look(
        lambda session: [Views(*found) for found in session.execute(query.order_by(row.at))]
    )
