"""What the rules of the alerts look at, read from the database at one moment."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.domains import load
from n8n_scraper.ledger.finding import NEWEST_FIRST
from n8n_scraper.ledger.ledger import UNSETTLED, RunStatus
from n8n_scraper.ledger.noted import counts_of
from n8n_scraper.ledger.tables import RunItemRow, RunRow
from n8n_scraper.policies.alerts.figures import (
    CircuitFigures,
    CoverageFigures,
    RunFigures,
    Watched,
)
from n8n_scraper.policies.run.ending import meaning_of
from n8n_scraper.policies.run.standing import Standing, standing_of
from n8n_scraper.reports.archive import coverage
from n8n_scraper.reports.domains import NONE_ELSEWHERE, Domains
from n8n_scraper.reports.runs import as_stored
from n8n_scraper.reports.workers import Presence, workers_of
from n8n_scraper.sources import known, noun_of

LATELY_SECONDS = 600.0
"""How far back the errors of a run under way are counted."""

_RUNS_LOOKED_AT = 100
_EARLIER_RUNS = 30
_ANSWERED_FOR = (Outcome.COMPLETE, Outcome.PARTIAL, Outcome.GONE)


def watch(
    database: Database,
    now: float | None = None,
    *,
    fields: Mapping[str, Sequence[str]] | None = None,
    elsewhere: Domains | None = NONE_ELSEWHERE,
) -> Watched:
    """Read it; with `fields` also of how many items of each source they are known.

    That reads every item, and is left out by those who look every minute. `elsewhere` is None
    where domains are shared elsewhere, and it was not asked there.
    """
    at = time.time() if now is None else now

    def all_of_it(session: Session) -> Watched:
        names = session.scalars(select(RunRow.source).distinct().order_by(RunRow.source))
        runs = [run for name in list(names) for run in _of_source(session, name, at)]
        return Watched(tuple(runs), None if elsewhere is None else _circuits(session, elsewhere))

    seen = database.look(all_of_it)
    if fields is None:
        return seen
    return Watched(seen.runs, seen.circuits, tuple(_coverage(database, fields)))


def _circuits(session: Session, elsewhere: Domains) -> tuple[CircuitFigures, ...]:
    states = load(session) | dict(elsewhere)
    return tuple(
        CircuitFigures(domain, state.circuit.reason, state.circuit.closed_at)
        for domain, state in sorted(states.items())
        if state.circuit.leaves_alone
    )


def _of_source(session: Session, source: str, now: float) -> list[RunFigures]:
    """Look at the newest run that has ended, and at those that began since then or go on."""
    newest = select(RunRow).where(RunRow.source == source).order_by(*NEWEST_FIRST)
    rows = list(session.scalars(newest.limit(_RUNS_LOOKED_AT)))
    found: list[RunFigures] = []
    for place, run in enumerate(rows):
        found.append(_figures(session, run, rows[place + 1 :], now))
        if run.status != RunStatus.RUNNING:
            break
    return found


def _figures(session: Session, run: RunRow, earlier: Sequence[RunRow], now: float) -> RunFigures:
    totals = run.totals or {}
    there = [one for one in workers_of(session, run.run_id) if one.presence is Presence.ALIVE]
    standing = standing_of(run.status, has_workers=bool(there))
    has_ended = standing is Standing.ENDED
    counts = counts_of(session, run)
    lately = (counts.done, counts.unsettled)
    if not has_ended:
        lately = _lately(session, run.run_id, now)
    status = totals.get("exit_status") if has_ended else None
    noun = noun_of(run.source)
    last_sign = totals.get("noted_at") or run.started_at
    return RunFigures(
        source=run.source,
        run_id=run.run_id,
        noun=noun.many,
        has_ended=has_ended,
        is_stale=standing is Standing.STALE,
        silent_seconds=0.0 if there else max(0.0, now - _seconds(last_sign)),
        is_over=run.status == RunStatus.FINISHED,
        exit_status=status,
        meaning=meaning_of(status, noun) or "",
        items=counts.total,
        had=sum(counts.outcomes.get(str(one), 0) for one in _ANSWERED_FOR),
        ended_lately=lately[0],
        unsettled_lately=lately[1],
        seconds=(_seconds(run.ended_at) if run.ended_at else now) - _seconds(run.started_at),
        earlier_seconds=_history(run, earlier),
    )


def _lately(session: Session, run_id: str, now: float) -> tuple[int, int]:
    since = as_stored(datetime.fromtimestamp(now - LATELY_SECONDS, UTC))
    ended = (RunItemRow.run_id == run_id, RunItemRow.closed_at > since)
    rows = select(RunItemRow.state, func.count()).where(*ended).group_by(RunItemRow.state)
    states = {str(state): number for state, number in session.execute(rows)}
    return sum(states.values()), sum(states.get(state, 0) for state in UNSETTLED)


def _history(run: RunRow, earlier: Sequence[RunRow]) -> tuple[float, ...]:
    """Say how long those took before it that were asked for the same and ended in order."""
    alike = [
        _seconds(one.ended_at) - _seconds(one.started_at)
        for one in earlier
        if one.status == RunStatus.FINISHED
        and one.ended_at
        and (one.spider, one.arguments) == (run.spider, run.arguments)
    ]
    return tuple(alike[:_EARLIER_RUNS])


def _coverage(database: Database, fields: Mapping[str, Sequence[str]]) -> list[CoverageFigures]:
    found = []
    for name, wanted in fields.items():
        source = known(name)
        told = coverage(database, source) if source is not None else ()
        shares = {one.field: one.present / one.total for one in told if one.total}
        found += [CoverageFigures(name, field, shares.get(field)) for field in wanted]
    return found


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()
