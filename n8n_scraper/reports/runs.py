"""Runs for people and machines to look at, while they are crawled and long after.

Nothing here reads the items that have ended one by one while somebody watches.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.source import FOREIGN, Noun
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.domains import load
from n8n_scraper.ledger.finding import NEWEST_FIRST, find
from n8n_scraper.ledger.ledger import RunStatus
from n8n_scraper.ledger.noted import counts_of
from n8n_scraper.ledger.tables import RunItemRow, RunRow
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.run.chunks import CHUNK_SIZE, MOST_AT_ONCE, TOLD
from n8n_scraper.policies.run.command_line import crawl_command, with_database
from n8n_scraper.policies.run.counts import Counts
from n8n_scraper.policies.run.ending import meaning_of
from n8n_scraper.policies.run.eta import rate_of, time_for
from n8n_scraper.policies.run.going_on import GoingOn
from n8n_scraper.policies.run.progress import BucketLevel, LeftAlone
from n8n_scraper.policies.run.standing import Standing, standing_of
from n8n_scraper.reports.domains import NONE_ELSEWHERE, Domains, bucket_level, left_alone
from n8n_scraper.reports.tools import ToolReport, tool_reports_in
from n8n_scraper.reports.workers import Presence, WorkerReport, workers_of
from n8n_scraper.sources import noun_of

WINDOW_SECONDS = 120.0
"""How far back the throughput looks."""

_OTHERS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run as it stands at one moment."""

    run_id: str
    spider: str
    source: str
    site: str
    arguments: Mapping[str, Any]
    jobdir: str | None
    command: str
    """The crawl command of its newest process."""
    status: str
    standing: Standing
    owner: str | None
    started_at: str
    ended_at: str | None
    end_reason: str | None
    exit_status: int | None
    counts: Counts
    elapsed_seconds: float
    templates_per_second: float | None = None
    seconds_left: float | None = None
    still_planning: bool = False
    bucket: BucketLevel | None = None
    left_alone: tuple[LeftAlone, ...] = ()
    workers: tuple[WorkerReport, ...] = ()
    """In the order in which they came."""
    is_planned: bool = False
    """Whether it is known what there is to do."""
    chunk_size: int | None = None
    """How many items a chunk of it has, where it was dispatched."""
    most_at_once: int | None = None
    """How many may be at work on it at once, where that was asked for."""
    told: Mapping[str, str] = field(default_factory=dict)
    """What its crawls are told by `-s`, where it is the run of a site."""

    @property
    def noun(self) -> Noun:
        """What its items are called."""
        return noun_of(self.source)

    @property
    def can_go_on(self) -> bool:
        """Whether the same command goes on with this very run."""
        over = self.standing is Standing.LIVE or self.status == "finished"
        return not over and self.exit_status != ExitStatus.BAD_INPUT and self.jobdir is not None

    @property
    def going_on(self) -> GoingOn:
        """What can be typed to go on with it; where it never had an item, to begin it."""
        run_id = self.run_id if self.counts.total else None
        return GoingOn(run_id, self.command, self.arguments, self.jobdir, self.source, self.noun)

    def asked_in(self, database: str | None) -> RunReport:
        """The same run with a command for the database that was asked, a copy perhaps."""
        return replace(self, command=with_database(self.command, database))

    def as_json(self) -> dict[str, Any]:
        """The same for machines; the names of the keys stay as they are."""
        return {
            "run_id": self.run_id,
            "standing": str(self.standing),
            "status": self.status,
            "exit_status": self.exit_status,
            "meaning": meaning_of(self.exit_status, self.noun),
            "spider": self.spider,
            "source": self.site,
            "arguments": dict(self.arguments),
            "jobdir": self.jobdir,
            "owner": self.owner,
            "started_at": self.started_at,
            "ended_at": self.ended_at,
            "end_reason": self.end_reason,
            "still_planning": self.still_planning,
            **_counts_as_json(self.counts),
            "elapsed_seconds": round(self.elapsed_seconds, 1),
            "templates_per_second": _rounded(self.templates_per_second, 3),
            "eta_seconds": _rounded(self.seconds_left, 1),
            "bucket": _bucket_as_json(self.bucket),
            "left_alone": [
                {"domain": one.domain, "seconds": round(one.seconds)} for one in self.left_alone
            ],
            "command": self.command,
            "can_go_on": self.can_go_on,
            "workers": [one.as_json() for one in self.workers],
        }


@dataclass(frozen=True, slots=True)
class Overview:
    """A run, and the other ones that no process has ended."""

    run: RunReport
    others: tuple[RunReport, ...]
    tools: tuple[ToolReport, ...] = ()
    """What each tool has brought of its source lately, where there was a choice."""

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        return {
            "run": self.run.as_json(),
            "others": [one.as_json() for one in self.others],
            "tools": [one.as_json() for one in self.tools],
        }


def run_id_of(database: Database, name: str | None, source: str | None = None) -> str:
    """Give the id of the run that is named in full, by its beginning, or as `last` of a source."""
    return database.look(lambda session: find(session, name, source).run_id)


def started_at(database: Database, run_id: str) -> str | None:
    """Say when a run began; None when none has this id."""
    query = select(RunRow.started_at).where(RunRow.run_id == run_id)
    return database.look(lambda session: session.scalar(query))


def sources_of_runs(database: Database) -> list[str]:
    """Name the sources that were crawled into this database."""
    query = select(RunRow.source).where(RunRow.source != FOREIGN).distinct()
    query = query.order_by(RunRow.source)
    return database.look(lambda session: list(session.scalars(query)))


def run_report(database: Database, name: str | None = None, now: float | None = None) -> RunReport:
    """Say where a run stands; the more items it has, the less that matters to the time it takes."""
    return database.look(lambda session: report_of(session, find(session, name), now))


def run_reports(
    database: Database, most: int | None = None, source: str | None = None
) -> list[RunReport]:
    """Say where each run stands, or each of one source, the newest first."""
    query = select(RunRow).order_by(*NEWEST_FIRST).limit(most)
    query = query if source is None else query.where(RunRow.source == source)
    return database.look(
        lambda session: [report_of(session, run) for run in session.scalars(query)]
    )


def overview(
    database: Database,
    name: str | None = None,
    source: str | None = None,
    elsewhere: Domains = NONE_ELSEWHERE,
) -> Overview:
    """Say where a run stands, and which other ones are under way."""

    def all_of_it(session: Session) -> Overview:
        run = find(session, name, source)
        others = (
            select(RunRow)
            .where(RunRow.status == RunStatus.RUNNING, RunRow.run_id != run.run_id)
            .order_by(RunRow.started_at.desc())
            .limit(_OTHERS_SHOWN)
        )
        beside = tuple(
            report_of(session, other, elsewhere=elsewhere) for other in session.scalars(others)
        )
        tools = tuple(tool_reports_in(session, run.source))
        return Overview(report_of(session, run, elsewhere=elsewhere), beside, tools)

    return database.look(all_of_it)


def report_of(
    session: Session,
    run: RunRow,
    now: float | None = None,
    elsewhere: Domains = NONE_ELSEWHERE,
) -> RunReport:
    """Say where a run stands, inside a transaction that sees more than that."""
    now = time.time() if now is None else now
    workers, totals = workers_of(session, run.run_id), run.totals or {}
    alive = [one for one in workers if one.presence is Presence.ALIVE]
    standing = standing_of(run.status, has_workers=bool(alive))
    live = standing is Standing.LIVE
    counts = counts_of(session, run)
    jobdir = run.settings.get("JOBDIR") or None
    begun = _seconds(alive[0].since if alive else run.started_at)
    until = now if live else _seconds(run.ended_at or totals.get("noted_at") or run.started_at)
    rate, silence = _throughput(session, run.run_id, begun, now) if live else (None, 0.0)
    domain = registrable_domain(run.site)
    domains = load(session) | dict(elsewhere) if live else {}
    return RunReport(
        run_id=run.run_id,
        spider=run.spider,
        source=run.source,
        site=run.site,
        arguments=run.arguments,
        jobdir=jobdir,
        command=run.command or _command_of_an_older_version(run, jobdir),
        status=run.status,
        standing=standing,
        owner=(alive or workers)[-1].worker if workers else None,
        started_at=run.started_at,
        ended_at=run.ended_at,
        end_reason=run.end_reason,
        exit_status=None if run.status == RunStatus.RUNNING else totals.get("exit_status"),
        counts=counts,
        elapsed_seconds=max(0.0, until - (begun if live else _seconds(run.started_at))),
        templates_per_second=rate,
        seconds_left=time_for(counts.left, rate, silence) if rate else None,
        still_planning=live and run.discovered_at is None,
        bucket=bucket_level(domains.get(domain), domain, run.settings, now),
        left_alone=left_alone(domains, now),
        workers=workers,
        is_planned=run.discovered_at is not None,
        chunk_size=run.settings.get(CHUNK_SIZE),
        most_at_once=run.settings.get(MOST_AT_ONCE),
        told=run.settings.get(TOLD) or {},
    )


def _throughput(
    session: Session, run_id: str, begun: float, now: float
) -> tuple[float | None, float]:
    """Give the items a second of the last while, and for how long none has ended."""
    since = datetime.fromtimestamp(max(begun, now - WINDOW_SECONDS), UTC)
    closed_at = RunItemRow.closed_at
    number, first, last = session.execute(
        select(func.count(), func.min(closed_at), func.max(closed_at)).where(
            RunItemRow.run_id == run_id, closed_at > as_stored(since)
        )
    ).one()
    if not first or not last:
        return None, 0.0
    silence = max(0.0, now - _seconds(last))
    return rate_of(number - 1, _seconds(last) - _seconds(first), silence), silence


def as_stored(moment: datetime) -> str:
    """Write a moment as it stands in the tables."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _command_of_an_older_version(run: RunRow, jobdir: str | None) -> str:
    return crawl_command(run.spider, run.arguments, {"JOBDIR": jobdir} if jobdir else {})


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def _counts_as_json(counts: Counts) -> dict[str, Any]:
    return {
        "total": counts.total,
        "processed": counts.done,
        "remaining": counts.left,
        "outcomes": dict(counts.outcomes),
        "unsettled": counts.unsettled,
        "success_percent": _rounded(counts.success_percent, 1),
    }


def _bucket_as_json(level: BucketLevel | None) -> dict[str, Any] | None:
    if level is None:
        return None
    return {
        "tokens": round(level.tokens, 2),
        "burst": level.burst,
        "rate": level.rate,
        "learned": level.learned,
    }


def _rounded(number: float | None, digits: int) -> float | None:
    return None if number is None else round(number, digits)
