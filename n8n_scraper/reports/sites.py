"""How the sites of the sources file stand, by the runs that the ledger has of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Text, and_, case, cast, func, select
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.errors import NoArchive
from n8n_scraper.core.source import Noun, Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import RunStatus
from n8n_scraper.ledger.noted import counts_of
from n8n_scraper.ledger.sites import SiteRuns
from n8n_scraper.ledger.tables import RunItemRow, RunRow, ToolAttemptRow
from n8n_scraper.ledger.tool_attempts import name_of_attempts
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.run.brought import shortfalls
from n8n_scraper.policies.run.site_turns import (
    Past,
    Standing,
    Verdict,
    standing_of,
    verdict_of,
)
from n8n_scraper.records.tables import EventRow
from n8n_scraper.reports.domains import (
    NONE_ELSEWHERE,
    Circuit,
    DomainReport,
    Domains,
    domain_reports,
)
from n8n_scraper.reports.tools import ToolReport, tool_reports
from n8n_scraper.sources import source_of
from n8n_scraper.sources_file.entry import Entry
from n8n_scraper.sources_file.told import arguments_of

_LOOKED_BACK = 12
"""So many runs of a site say how it does; with more failures in a row no rest gets any longer."""

_HAD = ("complete", "partial")


@dataclass(frozen=True, slots=True)
class SiteRun:
    """A run of a site, and what it has brought."""

    run_id: str
    noun: Noun
    """What its items are called."""
    began: str
    ended: str | None
    status: str
    exit_status: int | None
    reason: str | None
    found: int
    """How many items it has brought."""
    new: int
    changed: int
    shares: Mapping[str, float]
    """In which share of them each required field holds something."""
    shortfalls: tuple[str, ...]
    """What it did not bring that the site must give, in words."""
    verdict: Verdict
    tool: str | None
    """What has fetched last for it; None where there was no choice."""
    seconds: float

    @property
    def coverage(self) -> float | None:
        """Which share of all required fields its items have; None without an item or a field."""
        return sum(self.shares.values()) / len(self.shares) if self.found and self.shares else None

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        return {
            "run_id": self.run_id,
            "began": self.began,
            "ended": self.ended,
            "status": self.status,
            "exit_status": self.exit_status,
            "reason": self.reason,
            "verdict": str(self.verdict),
            "found": self.found,
            "new": self.new,
            "changed": self.changed,
            "coverage": self.coverage,
            "coverage_by_field": dict(self.shares),
            "shortfalls": list(self.shortfalls),
            "tool": self.tool,
            "seconds": round(self.seconds, 3),
        }


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


def site_run(database: Database, entry: Entry, run_id: str) -> SiteRun | None:
    """Say what a run of a site has brought; None where there is no such run."""

    def one(session: Session) -> SiteRun | None:
        row = session.get(RunRow, run_id)
        return None if row is None else _run(session, entry, source_of(entry.kind), row)

    return database.look(one)


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
    last = _run(session, entry, source, rows[0]) if rows else None
    under_way = key.under_way(session)
    over = [row for row in rows if row.run_id != under_way]
    pasts = [_past(session, entry, row, last) for row in over]
    if under_way:  # what has begun counts, so that the next time comes later
        begun = next((row for row in rows if row.run_id == under_way), None)
        if begun is not None:
            pasts.insert(0, Past(_seconds(begun.started_at), 0.0, Verdict.NOTHING))
    standing = standing_of(pasts, entry.schedule)
    domain = domains.get(registrable_domain(entry.address))
    return SiteReport(entry, standing, last, under_way, domain)


def _past(session: Session, entry: Entry, row: RunRow, last: SiteRun | None) -> Past:
    began, ended = _seconds(row.started_at), _seconds(row.ended_at or row.started_at)
    if last is not None and last.run_id == row.run_id:
        return Past(began, ended, last.verdict)
    # Its items have been seen again since: what shares of them it had is not known any more.
    found = _found(session, row)
    falls_short = bool(shortfalls(found, entry.at_least, {}, {}))
    return Past(began, ended, verdict_of(_exit_of(row), found=found, falls_short=falls_short))


def _run(session: Session, entry: Entry, source: Source, row: RunRow) -> SiteRun:
    found, shares = _found(session, row), _shares(session, entry, source, row.run_id)
    lacking = shortfalls(found, entry.at_least, shares, entry.required)
    exit_status = _exit_of(row)
    happened = _happened(session, row.run_id)
    return SiteRun(
        run_id=row.run_id,
        noun=source.noun,
        began=row.started_at,
        ended=row.ended_at,
        status=row.status,
        exit_status=exit_status,
        reason=row.inventory_error or row.inventory_refusal or row.end_reason,
        found=found,
        new=happened.get("new", 0) + happened.get("returned", 0),
        changed=happened.get("changed", 0) + happened.get("renamed", 0),
        shares=shares,
        shortfalls=lacking,
        verdict=verdict_of(exit_status, found=found, falls_short=bool(lacking)),
        tool=_tool(session, entry, source, row.started_at),
        seconds=_seconds(row.ended_at or utc_now()) - _seconds(row.started_at),
    )


def _exit_of(row: RunRow) -> int | None:
    return None if row.status == RunStatus.RUNNING else (row.totals or {}).get("exit_status")


def _found(session: Session, row: RunRow) -> int:
    outcomes = counts_of(session, row).outcomes
    return sum(outcomes.get(one, 0) for one in _HAD)


def _shares(session: Session, entry: Entry, source: Source, run_id: str) -> dict[str, float]:
    """Count in which share of the items of a run the required fields hold something."""
    table = source.kind().table()
    columns = [table.c[field] for field in entry.required if field in table.c]
    held = (
        and_(one.is_not(None), cast(one, Text).not_in(("", "[]", "{}", "null"))) for one in columns
    )
    numbers = [func.coalesce(func.sum(case((one, 1), else_=0)), 0) for one in held]
    of_run = (RunItemRow.run_id == run_id, RunItemRow.outcome.in_(_HAD))
    query = select(func.count(), *numbers).select_from(table)
    query = query.join(RunItemRow, and_(table.c[source.key] == RunItemRow.item_id, *of_run))
    total, *filled = session.execute(query).one()
    shares = zip((one.name for one in columns), filled, strict=True)
    # PostgreSQL sums to a decimal.
    return {name: int(number) / total for name, number in shares} if total else {}


def _happened(session: Session, run_id: str) -> dict[str, int]:
    query = select(EventRow.kind, func.count()).where(EventRow.run_id == run_id)
    return {str(kind): number for kind, number in session.execute(query.group_by(EventRow.kind))}


def _tool(session: Session, entry: Entry, source: Source, since: str) -> str | None:
    """Name the tool that has brought most for the site since a moment."""
    row, place = ToolAttemptRow, entry.name if source.divided_by else None
    own = row.source == name_of_attempts(source.name, place)
    query = select(row.tool).where(own, row.at >= since.removesuffix("Z"))
    return session.scalar(query.order_by(row.items.desc(), row.at.desc()).limit(1))


def moment(seconds: float) -> str:
    """Write a moment for people and machines."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()
