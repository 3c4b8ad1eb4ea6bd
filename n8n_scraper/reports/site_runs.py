"""What a run of a site has brought, by its ledger and its items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Text, and_, case, cast, func, select
from sqlalchemy.orm import Session

from n8n_scraper.core.source import Noun, Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import RunStatus
from n8n_scraper.ledger.noted import counts_of
from n8n_scraper.ledger.tables import RunItemRow, RunRow, ToolAttemptRow
from n8n_scraper.ledger.tool_attempts import name_of_attempts
from n8n_scraper.policies.run.brought import shortfalls
from n8n_scraper.policies.run.site_turns import Past, Verdict, verdict_of
from n8n_scraper.records.tables import EventRow
from n8n_scraper.sources import source_of
from n8n_scraper.sources_file.entry import Entry

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


def site_run(database: Database, entry: Entry, run_id: str) -> SiteRun | None:
    """Say what a run of a site has brought; None where there is no such run."""

    def one(session: Session) -> SiteRun | None:
        row = session.get(RunRow, run_id)
        return None if row is None else run_of(session, entry, source_of(entry.kind), row)

    return database.look(one)


def run_of(session: Session, entry: Entry, source: Source, row: RunRow) -> SiteRun:
    """Say it inside a transaction that sees more than that."""
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
        seconds=seconds_of(_last_word(row)) - seconds_of(row.started_at),
    )


def past_of(session: Session, entry: Entry, row: RunRow, last: SiteRun | None) -> Past:
    """Judge a run that is over; the last of its site is judged already."""
    began, ended = seconds_of(row.started_at), seconds_of(_last_word(row))
    if last is not None and last.run_id == row.run_id:
        return Past(began, ended, last.verdict)
    # Its items have been seen again since: what shares of them it had is not known any more.
    found = _found(session, row)
    falls_short = bool(shortfalls(found, entry.at_least, {}, {}))
    return Past(began, ended, verdict_of(_exit_of(row), found=found, falls_short=falls_short))


def _last_word(row: RunRow) -> str:
    """When it ended; where nobody has said so, when it was last heard of."""
    return row.ended_at or (row.totals or {}).get("noted_at") or row.started_at


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


def seconds_of(text: str) -> float:
    """Read a moment as it stands in the tables."""
    return datetime.fromisoformat(text).timestamp()
