"""Keep which alerts fire, for all processes that look: of several one alone tells a person."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from n8n_scraper.ledger.statements import insert_for
from n8n_scraper.ledger.tables import table_of
from n8n_scraper.outbox.tables import AlertRow
from n8n_scraper.policies.alerts.rules import Finding, Rule
from n8n_scraper.policies.alerts.telling import AlertState, Cadence, Telling, follow

_ALERTS = table_of(AlertRow)


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert as it stands."""

    key: str
    words: str
    state: AlertState


@dataclass(frozen=True, slots=True)
class News:
    """What a person is to be told."""

    alert: Alert
    telling: Telling
    at: float


def note(
    session: Session,
    found: Collection[Finding],
    looked_at: Collection[Rule],
    now: float,
    cadence: Cadence,
    tell: Callable[[News], None],
) -> None:
    """Note what was found, and tell what is new within the same transaction.

    What one of these rules has found before and does not any more has recovered.
    """
    wrong = {finding.key: finding for finding in found}
    for _, new in sorted(wrong.items()):  # in one order, so that no two wait for each other
        _enter(session, new)
    rows = select(AlertRow).where(AlertRow.rule.in_(map(str, looked_at))).order_by(AlertRow.key)
    for row in session.scalars(rows.with_for_update()):
        finding = wrong.get(row.key)
        if finding is None and not row.firing:
            continue
        before = _state(row)
        after, telling = follow(
            before,
            finding is not None,
            now,
            cadence,
            for_seconds=finding.for_seconds if finding else 0.0,
            not_before=finding.not_before if finding else 0.0,
        )
        _write(row, after, finding.words if finding else row.words)
        if telling is not None:
            tell(News(Alert(row.key, row.words, after), telling, now))
    session.flush()


def alerts(session: Session) -> list[Alert]:
    """Give all alerts that there are or were, those that fire first, the newest first."""
    rows = select(AlertRow).order_by(AlertRow.firing.desc(), AlertRow.since.desc(), AlertRow.key)
    return [Alert(row.key, row.words, _state(row)) for row in session.scalars(rows)]


def _enter(session: Session, finding: Finding) -> None:
    state = AlertState()
    row = {
        "key": finding.key,
        "rule": str(finding.rule),
        "subject": finding.subject,
        "words": finding.words,
        "firing": state.firing,
        "since": state.since,
        "told_at": state.told_at,
        "is_told": state.is_told,
        "times": state.times,
    }
    session.connection().execute(insert_for(session, _ALERTS).on_conflict_do_nothing(), row)


def _state(row: AlertRow) -> AlertState:
    return AlertState(row.firing, row.since, row.told_at, row.is_told, row.times)


def _write(row: AlertRow, state: AlertState, words: str) -> None:
    row.firing, row.since, row.told_at = state.firing, state.since, state.told_at
    row.is_told, row.times, row.words = state.is_told, state.times, words
