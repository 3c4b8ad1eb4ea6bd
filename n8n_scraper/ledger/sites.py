"""The runs of a site: which they are, whether one is under way, and how the next one begins.

A site has no rows of its own. Its runs are known by what they were asked for, and whoever begins
one enters it in the transaction in which nobody else's was found: so no two begin at once.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.source import Division
from n8n_scraper.ledger import runs, workers
from n8n_scraper.ledger.finding import NEWEST_FIRST
from n8n_scraper.ledger.ledger import NewRun, RunStatus
from n8n_scraper.ledger.tables import RunRow
from n8n_scraper.policies.run.chunks import CHUNK_SIZE

_COMES_WITHIN = timedelta(seconds=60)
"""How long a run that was entered may wait for its first worker."""

_UNDER_WAY_AMONG = 20
"""Among so many of the newest it is looked for one that is crawled."""

_LOOKED_THROUGH = 200
"""Among so many runs of a source those of a site are looked for."""


@dataclass(frozen=True, slots=True)
class SiteRuns:
    """By what the runs of a site are known."""

    name: str
    spider: str
    source: str
    place: str | None
    """Where the site is; None where its runs are known by the division."""
    division: Division | None
    arguments: Mapping[str, str]
    """What its crawls are told, the division among it."""

    def of(self, session: Session, most: int) -> Sequence[RunRow]:
        """Give its newest runs, the newest first.

        What was asked for by hand otherwise, such as single items, says nothing of the site.
        """
        found = self._there(session, _LOOKED_THROUGH)
        return [run for run in found if run.arguments == self.arguments][:most]

    def under_way(self, session: Session) -> str | None:
        """Name the run of the site that is crawled, by whoever and whatever they asked for."""
        newest = self._there(session, _UNDER_WAY_AMONG)
        return next((run.run_id for run in newest if _is_under_way(session, run)), None)

    def _there(self, session: Session, most: int) -> Sequence[RunRow]:
        query = select(RunRow).where(RunRow.spider == self.spider, RunRow.source == self.source)
        if self.division is not None:
            said = RunRow.arguments[self.division.field].as_string()
            query = query.where(said == self.division.value)
        else:
            query = query.where(RunRow.site == self.place)
        return session.scalars(query.order_by(*NEWEST_FIRST).limit(most)).all()


def begin(session: Session, new: NewRun, site: SiteRuns) -> tuple[str, bool]:
    """Enter a run of a site; where one is under way, give its name instead, and False."""
    _one_at_a_time(session, site)
    there = site.under_way(session)
    return (there, False) if there else (runs.enter(session, new), True)


def close_if_left(session: Session, run_id: str, status: int) -> None:
    """End a run whose process has gone before it began, so that nobody waits for it."""
    run = runs.locked(session, run_id)
    if run is None or run.status != RunStatus.RUNNING or workers.alive(session, run_id):
        return
    if not workers.of_run(session, run_id):
        runs.end(run, RunStatus.STOPPED, "never_begun", {"exit_status": status})


def _is_under_way(session: Session, run: RunRow) -> bool:
    if workers.alive(session, run.run_id):
        return True
    told = run.settings.get(CHUNK_SIZE) is not None
    stopped = (run.totals or {}).get("exit_status") == ExitStatus.WORK_LEFT
    if run.status != RunStatus.RUNNING and not (told and stopped):
        return False
    had = workers.of_run(session, run.run_id)
    if told:  # between two of its chunks, nobody is at work
        last = max([run.started_at, *(one.ended_at or one.since for one in had)])
        return _age(last) < timedelta(hours=1)
    return not had and _age(run.started_at) < _COMES_WITHIN


def _age(moment: str) -> timedelta:
    return datetime.fromisoformat(utc_now()) - datetime.fromisoformat(moment).astimezone(UTC)


def _one_at_a_time(session: Session, site: SiteRuns) -> None:
    """Let nobody else begin a run of this site before the transaction ends.

    SQLite lets one write at a time anyhow.
    """
    if session.get_bind().dialect.name == "postgresql":
        number = zlib.crc32(f"site {site.source} {site.name}".encode())
        session.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})
