"""How the sites of the sources file stand, by the runs that the ledger has of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy.orm import Session

from n8n_scraper.core.errors import NoArchive
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.sites import SiteRuns
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.run.site_turns import (
    Past,
    Standing,
    Verdict,
    standing_of,
)
from n8n_scraper.reports.domains import (
    NONE_ELSEWHERE,
    Circuit,
    DomainReport,
    Domains,
    domain_reports,
)
from n8n_scraper.reports.site_runs import SiteRun, past_of, run_of, seconds_of
from n8n_scraper.reports.tools import ToolReport, tool_reports
from n8n_scraper.sources import source_of
from n8n_scraper.sources_file.entry import Entry
from n8n_scraper.sources_file.told import arguments_of

_LOOKED_BACK = 12
"""So many runs of a site say how it does; with more failures in a row no rest gets any longer."""

_HAD = ("complete", "partial")


@dataclass(frozen=True, slots=True)
class SiteReport:
    """A site at one moment."""

    entry: Entry
    standing: Standing
    last: SiteRun | None
    under_way: str | None
    """The run that is crawled, by whoever."""
    domain: DomainReport | None
    """How the domain of its address stands; None where none was asked there."""

    @property
    def is_circuit_open(self) -> bool:
        """Whether its domain is left alone by all crawls."""
        return self.domain is not None and self.domain.circuit is Circuit.OPEN

    def has_its_turn(self, now: float) -> bool:
        """Whether it is to be crawled by the clock."""
        return self.standing.is_due(now) and not self.under_way and not self.is_circuit_open

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        due, rests = self.standing.due_at, self.standing.rests_until
        return {
            "name": self.entry.name,
            "title": self.entry.title,
            "address": self.entry.address,
            "kind": self.entry.kind,
            "priority": self.entry.priority,
            "schedule_seconds": self.entry.schedule,
            "next_due": None if due is None else moment(due),
            "failures_in_a_row": self.standing.failures,
            "rests_until": moment(rests) if rests else None,
            "circuit": None if self.domain is None else str(self.domain.circuit),
            "under_way": self.under_way,
            "last": None if self.last is None else self.last.as_json(),
        }


def runs_of(entry: Entry) -> SiteRuns:
    """Say by what the runs of a site are known."""
    source = source_of(entry.kind)
    arguments = arguments_of(entry, source)
    division = source.division(arguments)
    place = None if division else entry.address.rstrip("/")
    return SiteRuns(entry.name, source.spider, source.name, place, division, arguments)


def site_reports(
    database: Database, entries: Iterable[Entry], elsewhere: Domains = NONE_ELSEWHERE
) -> list[SiteReport]:
    """Say how sites stand, in their order; without an archive none was ever crawled."""
    known = list(entries)
    try:
        domains = {one.domain: one for one in domain_reports(database, elsewhere=elsewhere)}
        return database.look(lambda session: [_site(session, one, domains) for one in known])
    except NoArchive:
        return [SiteReport(one, standing_of((), one.schedule), None, None, None) for one in known]


def site_tools(database: Database, entry: Entry) -> list[ToolReport]:
    """Say what each tool has brought of a site lately; nothing where there was no choice."""
    source = source_of(entry.kind)
    place = entry.name if source.divided_by else None
    try:
        return [one for one in tool_reports(database, source.name) if one.place == place]
    except NoArchive:
        return []


def _site(session: Session, entry: Entry, domains: Mapping[str, DomainReport]) -> SiteReport:
    source, key = source_of(entry.kind), runs_of(entry)
    rows = key.of(session, _LOOKED_BACK)
    last = run_of(session, entry, source, rows[0]) if rows else None
    under_way = key.under_way(session)
    over = [row for row in rows if row.run_id != under_way]
    pasts = [past_of(session, entry, row, last) for row in over]
    if under_way:  # what has begun counts, so that the next time comes later
        begun = next((row for row in rows if row.run_id == under_way), None)
        if begun is not None:
            pasts.insert(0, Past(seconds_of(begun.started_at), 0.0, Verdict.NOTHING))
    standing = standing_of(pasts, entry.schedule)
    domain = domains.get(registrable_domain(entry.address))
    return SiteReport(entry, standing, last, under_way, domain)


def moment(seconds: float) -> str:
    """Write a moment for people and machines."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
