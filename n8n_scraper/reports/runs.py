"""Runs for people and machines to look at, while they are crawled and long after.

Nothing here reads the items that have ended one by one while somebody watches: a crawl notes its
counts every few seconds in its own row, and an index by time gives what has ended since.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from scrapy.settings import Settings
from sqlalchemy import Select, func, select, tuple_, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.crawl.pacing import read_limits
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import RunStatus, State, is_gone, lease_left, tally
from n8n_scraper.ledger.tables import DomainRow, RunItemRow, RunRow
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.pace.token_bucket import BucketLimits
from n8n_scraper.policies.run.command_line import crawl_command
from n8n_scraper.policies.run.eta import rate_of, time_for
from n8n_scraper.policies.run.progress import BucketLevel, LeftAlone, soonest_first
from n8n_scraper.policies.run.standing import RunStands, Standing, standing_of

WINDOW_SECONDS = 120.0
"""How far back the throughput looks."""

UNSETTLED = (State.FAILED, State.INVALID, State.BLOCKED)
"""States of items that asking again could still bring further."""

_ROWS_AT_ONCE = 1_000
_FAILURES_SHOWN = 20
_SLOWEST_SHOWN = 5

Counts = dict[str, int]


def note_counts(
    session: Session, run_id: str, outcomes: Mapping[str, int], left: int, since: str, at: str
) -> None:
    """Note how far a crawl is, for whoever looks from outside: counts, as of this moment.

    `since` is when this process began; who looks measures from there.
    """
    totals = {**outcomes, "left": left, "since": since, "noted_at": at}
    running = (RunRow.run_id == run_id, RunRow.status == RunStatus.RUNNING)
    session.execute(update(RunRow).where(*running).values(totals=totals))


def last_ended(session: Session, run_id: str) -> str | None:
    """Give the template of a run that ended last."""
    return session.scalar(
        select(RunItemRow.item_id)
        .where(RunItemRow.run_id == run_id, RunItemRow.closed_at.is_not(None))
        .order_by(RunItemRow.closed_at.desc())
        .limit(1)
    )


def find(session: Session, name: str | None) -> RunRow:
    """Give the run that is named in full, by the beginning of its name, or as `last`."""
    newest = select(RunRow).order_by(RunRow.started_at.desc(), RunRow.run_id.desc())
    if name in (None, "last"):
        run = session.scalars(newest.limit(1)).first()
        if run is None:
            raise BadInput("no run is in this database yet.")
        return run
    assert name is not None
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


def stands(session: Session, run: RunRow, now: float | None = None) -> RunStands:
    """Say where a run stands; the more items it has, the less that matters to the time it takes."""
    now = time.time() if now is None else now
    # Whoever looks from the same machine need not wait for the lease to know of a death.
    lease = None if is_gone(run.owner) else lease_left(session, run.run_id)
    standing = standing_of(run.status, lease)
    outcomes, left = _counts(session, run, standing)
    totals = run.totals or {}
    jobdir = run.settings.get("JOBDIR") or None
    begun = _seconds(totals.get("since") or run.started_at)
    until = now if standing is Standing.LIVE else _seconds(run.ended_at or _last_sign(run))
    live = standing is Standing.LIVE
    rate, silence = _throughput(session, run.run_id, begun, now) if live else (None, 0.0)
    return RunStands(
        run_id=run.run_id,
        spider=run.spider,
        source=run.site,
        arguments=run.arguments,
        jobdir=jobdir,
        command=run.command or _command_of_an_older_version(run, jobdir),
        status=run.status,
        standing=standing,
        owner=run.owner,
        started_at=run.started_at,
        ended_at=run.ended_at,
        end_reason=run.end_reason,
        exit_status=None if run.status == RunStatus.RUNNING else totals.get("exit_status"),
        outcomes=outcomes,
        unsettled=_unsettled(session, run.run_id),
        left=left,
        elapsed_seconds=max(0.0, until - (begun if live else _seconds(run.started_at))),
        templates_per_second=rate,
        seconds_left=time_for(left, rate, silence) if rate else None,
        still_planning=live and run.discovered_at is None,
        bucket=_bucket(session, run, now) if live else None,
        left_alone=_left_alone(session, now) if live else (),
    )


def newest(session: Session, most: int | None = None) -> list[RunStands]:
    """Say where each run stands, the newest first."""
    query = select(RunRow).order_by(RunRow.started_at.desc(), RunRow.run_id.desc()).limit(most)
    return [stands(session, run) for run in session.scalars(query)]


def others_under_way(session: Session, but: str, most: int = 5) -> list[RunStands]:
    """Say of the other runs that nobody has ended where they stand."""
    query = (
        select(RunRow)
        .where(RunRow.status == RunStatus.RUNNING, RunRow.run_id != but)
        .order_by(RunRow.started_at.desc())
        .limit(most)
    )
    return [stands(session, run) for run in session.scalars(query)]


@dataclass(frozen=True, slots=True)
class RunDetails:
    """What came of a run, item by item."""

    settings: dict[str, Any]
    versions: dict[str, Any]
    by_category: list[dict[str, Any]]
    slowest: list[dict[str, Any]]
    failures: list[dict[str, Any]]
    failed: int


def details(session: Session, run: RunRow) -> RunDetails:
    """Read through the items of a run: takes the longer the more there are."""
    mine = RunItemRow.run_id == run.run_id
    kinds = session.execute(
        select(RunItemRow.outcome, RunItemRow.category, func.count())
        .where(mine, RunItemRow.outcome.is_not(None))
        .group_by(RunItemRow.outcome, RunItemRow.category)
        .order_by(func.count().desc(), RunItemRow.outcome)
    )
    slowest = (
        select(RunItemRow)
        .where(mine, RunItemRow.duration.is_not(None))
        .order_by(RunItemRow.duration.desc())
        .limit(_SLOWEST_SHOWN)
    )
    failures = (
        select(RunItemRow)
        .where(mine, RunItemRow.state.in_(UNSETTLED))
        .order_by(RunItemRow.state, RunItemRow.position)
        .limit(_FAILURES_SHOWN)
    )
    return RunDetails(
        settings=run.settings,
        versions=run.versions,
        by_category=[
            {"outcome": outcome, "category": category, "number": number}
            for outcome, category, number in kinds
        ],
        slowest=[as_json(row) for row in session.scalars(slowest)],
        failures=[as_json(row) for row in session.scalars(failures)],
        failed=_unsettled(session, run.run_id),
    )


def items(
    database: Database,
    run_id: str,
    state: str | None = None,
    outcome: str | None = None,
    limit: int | None = None,
) -> Iterator[list[dict[str, Any]]]:
    """Give a run's items a page at a time, each in a short transaction of its own.

    Those of one state come in the order of the inventory, all of them in the order of their ids.
    """
    query = select(RunItemRow).where(RunItemRow.run_id == run_id)
    query = query.where(RunItemRow.outcome == outcome) if outcome else query
    for page in _pages(database, run_id, query, state):
        some = page if limit is None else page[:limit]
        if some:
            yield [as_json(row) for row in some]
        limit = None if limit is None else limit - len(some)
        if limit == 0:
            return


def _pages(
    database: Database, run_id: str, query: Select[RunItemRow], state: str | None
) -> Iterator[list[RunItemRow]]:
    if state:
        order = (RunItemRow.position, RunItemRow.item_id)
        yield from _keyset(database, query.where(RunItemRow.state == state), order)
        return
    # Ids are text and sort as such: by their length first, they come as numbers do, and still by
    # the index of the table.
    length = func.length(RunItemRow.item_id)
    lengths = select(length).where(RunItemRow.run_id == run_id).distinct().order_by(length)
    for one in database.look(lambda session: session.scalars(lengths).all()):
        yield from _keyset(database, query.where(length == one), (RunItemRow.item_id,))


def _keyset(
    database: Database, query: Select[RunItemRow], order: tuple[InstrumentedAttribute[Any], ...]
) -> Iterator[list[RunItemRow]]:
    """Read page after page, each from behind the last line of the one before."""
    after: tuple[Any, ...] | None = None
    while True:
        page = query.order_by(*order).limit(_ROWS_AT_ONCE)
        if after is not None:
            page = page.where(order[0] >= after[0], tuple_(*order) > after)
        rows = database.look(partial(_all, query=page))
        if not rows:
            return
        yield rows
        after = tuple(getattr(rows[-1], column.key) for column in order)


def retry_failed(session: Session, name: str) -> tuple[RunStands, int]:
    """Make what did not end well pending again, so that the same crawl command goes on with it.

    The run gets a new fence: a process of it that was held up comes too late with everything.
    """
    run = session.get(RunRow, find(session, name).run_id, with_for_update=True)
    assert run is not None
    _refuse_what_nobody_could_go_on_with(session, run)
    again = session.execute(
        update(RunItemRow)
        .where(RunItemRow.run_id == run.run_id, RunItemRow.state.in_(UNSETTLED))
        .values(
            state=State.PENDING,
            outcome=None,
            category=None,
            reason=None,
            http_status=None,
            closed_at=None,
        )
        .execution_options(synchronize_session=False, preserve_rowcount=True)
    )
    number = int(getattr(again, "rowcount", 0))
    if number:
        _stop(session, run)
    return stands(session, run), number


def as_json(row: RunItemRow) -> dict[str, Any]:
    """Give an item of a run for machines."""
    return {
        "item_id": row.item_id,
        "state": row.state,
        "outcome": row.outcome,
        "category": row.category,
        "reason": row.reason,
        "http_status": row.http_status,
        "requests": row.requests,
        "attempts": row.attempts,
        "in_inventory": row.in_inventory,
        "position": row.position,
        "listing": row.listing,
        "claimed_at": row.claimed_at,
        "closed_at": row.closed_at,
        "duration": row.duration,
        "owner": row.owner,
    }


def _refuse_what_nobody_could_go_on_with(session: Session, run: RunRow) -> None:
    if (left := lease_left(session, run.run_id) or 0.0) > 0:
        raise BadInput(
            f"run {run.run_id} is being worked on; wait for its end, or stop it first "
            f"(if it was killed, wait {left:.0f} s)."
        )
    if "budget" in run.arguments:
        raise BadInput(
            f"run {run.run_id} had a budget: the next update asks first for what failed in it."
        )
    if not run.settings.get("JOBDIR"):
        raise BadInput(
            f"run {run.run_id} had no JOBDIR, so no command would go on with it; "
            "crawl what failed by -a ids=… instead."
        )


def _stop(session: Session, run: RunRow) -> None:
    session.flush()
    counted = tally(session, run.run_id)
    run.status = RunStatus.STOPPED
    run.end_reason = "retry-failed"
    run.ended_at = run.ended_at or _iso(datetime.now(UTC))
    run.owner, run.fence, run.lease_until = None, run.fence + 1, None
    run.totals = {**_in_order(counted.outcomes), "left": counted.left}
    session.flush()


def _counts(session: Session, run: RunRow, standing: Standing) -> tuple[Counts, int]:
    """Count what ended, and what is left.

    A process that lives or ended in order has noted its counts. After any other end nobody changes
    them any more, and they are counted one by one; so are those of a run that is being planned.
    """
    totals = run.totals
    noted_at = totals.get("noted_at") if totals else None
    planned = noted_at and run.discovered_at and noted_at > run.discovered_at
    if totals is None or (noted_at and not (planned and standing is Standing.LIVE)):
        counted = tally(session, run.run_id)
        return _in_order(counted.outcomes), counted.left
    outcomes = {str(o): int(totals[o]) for o in Outcome if o in totals}
    if noted_at is None:
        return outcomes, int(totals.get("left", 0))
    left = int(totals["left"])
    for outcome, number in _ended_since(session, run.run_id, noted_at):
        outcomes[outcome] = outcomes.get(outcome, 0) + number
        left -= number
    return outcomes, max(0, left)


def _unsettled(session: Session, run_id: str) -> int:
    query = select(func.count()).select_from(RunItemRow)
    mine = (RunItemRow.run_id == run_id, RunItemRow.state.in_(UNSETTLED))
    return session.scalar(query.where(*mine)) or 0


def _command_of_an_older_version(run: RunRow, jobdir: str | None) -> str:
    return crawl_command(run.spider, run.arguments, {"JOBDIR": jobdir} if jobdir else {})


def _in_order(outcomes: Mapping[str, int]) -> Counts:
    return {str(outcome): outcomes.get(outcome, 0) for outcome in Outcome}


def _ended_since(session: Session, run_id: str, since: str) -> Sequence[tuple[str, int]]:
    rows = session.execute(
        select(RunItemRow.outcome, func.count())
        .where(RunItemRow.run_id == run_id, RunItemRow.closed_at > since)
        .group_by(RunItemRow.outcome)
    )
    return [(str(outcome), number) for outcome, number in rows]


def _throughput(
    session: Session, run_id: str, begun: float, now: float
) -> tuple[float | None, float]:
    """Give the templates a second of the last while, and for how long none has ended."""
    since = max(begun, now - WINDOW_SECONDS)
    number, first, last = session.execute(
        select(func.count(), func.min(RunItemRow.closed_at), func.max(RunItemRow.closed_at)).where(
            RunItemRow.run_id == run_id,
            RunItemRow.closed_at > _iso(datetime.fromtimestamp(since, UTC)),
        )
    ).one()
    if not first or not last:
        return None, 0.0
    silence = max(0.0, now - _seconds(last))
    return rate_of(number - 1, _seconds(last) - _seconds(first), silence), silence


def _bucket(session: Session, run: RunRow, now: float) -> BucketLevel | None:
    domain = registrable_domain(run.site)
    row, limits = session.get(DomainRow, domain), _limits(run, domain)
    if row is None or limits is None:
        return None
    learned = row.learned_rate is not None
    rate, burst = (row.learned_rate or limits.rate), (1 if learned else limits.burst)
    tokens = row.tokens + max(0.0, now - row.tokens_at) * rate
    held = row.held_until > now
    return BucketLevel(0.0 if held else min(max(0.0, tokens), burst), burst, rate, learned)


def _limits(run: RunRow, domain: str) -> BucketLimits | None:
    """What the run was told about its site's limit."""
    settings = Settings(run.settings)
    try:
        default, by_domain = read_limits(settings)
    except (BadInput, KeyError):
        return None
    return by_domain.get(domain, default)


def _left_alone(session: Session, now: float) -> tuple[LeftAlone, ...]:
    rows = session.scalars(select(DomainRow).where(DomainRow.circuit_opened_at.is_not(None)))
    return soonest_first(
        LeftAlone(
            row.domain, max(0.0, (row.circuit_opened_at or 0) + row.circuit_hold_seconds - now)
        )
        for row in rows
    )


def _last_sign(run: RunRow) -> str:
    """When somebody last noted something about a run that nobody has ended."""
    return str((run.totals or {}).get("noted_at") or run.started_at)


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def _all(session: Session, query: Select[RunItemRow]) -> list[RunItemRow]:
    return list(session.scalars(query))


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
