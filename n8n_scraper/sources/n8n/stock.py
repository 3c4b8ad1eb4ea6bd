"""Where the templates are stored, for reports, and how often each was viewed."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.tables import table_of
from n8n_scraper.reports.stock import Stock
from n8n_scraper.sources.n8n.tables import ViewSampleRow, WorkflowRow

STOCK = Stock("n8n", "workflow_id", table_of(WorkflowRow))


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
