"""What the archive has of a site: by that it is judged whether an empty list can be believed."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from n8n_scraper.sources.events.tables import SiteEventRow


def still_to_come(session: Session, site: str, now: str) -> int:
    """Count the events of a site that it listed last, and that are not over by now."""
    row = SiteEventRow
    last = func.coalesce(row.end, row.start)
    which = (row.site == site, row.removed_at.is_(None), last >= now)
    return session.scalar(select(func.count()).select_from(row).where(*which)) or 0
