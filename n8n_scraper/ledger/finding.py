"""Find the run that a person means."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import BadInput
from n8n_scraper.ledger.tables import RunRow

NEWEST_FIRST = (RunRow.started_at.desc(), RunRow.run_id.desc())


def find(session: Session, name: str | None, source: str | None = None) -> RunRow:
    """Give the run that is named in full, by the beginning of its name, or as `last`.

    The last may be meant of one source only.
    """
    newest = select(RunRow).order_by(*NEWEST_FIRST)
    if name is None or name == "last":
        of_source = newest if source is None else newest.where(RunRow.source == source)
        run = session.scalars(of_source.limit(1)).first()
        if run is None:
            of_it = "" if source is None else f" of {source}"
            raise BadInput(f"no run{of_it} is in this database yet.")
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
