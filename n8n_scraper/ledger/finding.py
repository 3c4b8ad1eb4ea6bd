"""Find the run that a person means."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import BadInput
from n8n_scraper.ledger.tables import RunRow

NEWEST_FIRST = (RunRow.started_at.desc(), RunRow.run_id.desc())


def find(session: Session, name: str | None) -> RunRow:
    """Give the run that is named in full, by the beginning of its name, or as `last`."""
    newest = select(RunRow).order_by(*NEWEST_FIRST)
    if name is None or name == "last":
        run = session.scalars(newest.limit(1)).first()
        if run is None:
            raise BadInput("no run is in this database yet.")
        return run
    if (exact := session.get(RunRow, name)) is not None:
        return exact
    found = session.scalars(newest.where(RunRow.run_id.startswith(name, autoescape=True)).limit(3))
    runs = found.all()
    if not runs:
        raise BadInput(f"there is no run {name!r}; `scrapy runs list` names them.")
    if len(runs) > 1:
        names = ", ".join(run.run_id for run in runs)
        raise BadInput(f"more than one run begins with {name!r}: {names}.")
    return runs[0]
