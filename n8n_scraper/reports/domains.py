"""Domains for people and machines to look at: what is in the bucket, how the circuit stands."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import BadInput
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.tables import DomainRow
from n8n_scraper.policies.pace.pace_settings import PaceSettings
from n8n_scraper.policies.pace.token_bucket import BucketLimits, Tempo
from n8n_scraper.policies.run.progress import BucketLevel, LeftAlone, soonest_first


class Circuit(StrEnum):
    """How a domain's circuit stands."""

    CLOSED = "closed"
    OPEN = "open"
    PROBE_DUE = "probe_due"


@dataclass(frozen=True, slots=True)
class DomainReport:
    """A domain as the crawls that share this database see it at one moment."""

    domain: str
    circuit: Circuit
    failures: int
    """How many came in a row."""
    opened_at: str | None
    open_for_seconds: float
    """How long it is left alone still."""
    reason: str
    """What the last failure was."""
    tripped_by: str
    held_for_seconds: float
    """How long the server asked to be left alone still."""
    learned_rate: float | None
    """Requests a second that its complaints have taught; None where it had none."""
    next_token_at: str
    """When its next token is due; in the past by as much as was saved up."""
    reset_at: str | None
    noted_at: str


def domain_reports(database: Database, now: float | None = None) -> list[DomainReport]:
    """Say how each domain stands that a crawl has met, by name."""
    query = select(DomainRow).order_by(DomainRow.domain)
    at = time.time() if now is None else now
    return database.look(lambda session: [_report(row, at) for row in session.scalars(query)])


def bucket_level(
    session: Session, domain: str, settings: Mapping[str, Any], now: float
) -> BucketLevel | None:
    """Say what is in a domain's bucket for a crawl with these settings."""
    row, limits = session.get(DomainRow, domain), _limits(settings, domain)
    if row is None or limits is None:
        return None
    tempo = Tempo.of(limits, rate=row.learned_rate)
    saved = 0.0 if row.held_until > now else tempo.saved(row.next_at, now)
    return BucketLevel.of(saved, limits, row.learned_rate)


def left_alone(session: Session, now: float) -> tuple[LeftAlone, ...]:
    """Name the domains that are left alone, first the one that is tried first."""
    row = DomainRow
    query = select(row).where(row.circuit_opened_at.is_not(None), row.circuit_hold_seconds > 0)
    rows = session.scalars(query)
    return soonest_first(LeftAlone(row.domain, _open_for(row, now)) for row in rows)


def _report(row: DomainRow, now: float) -> DomainReport:
    opened = row.circuit_opened_at
    return DomainReport(
        domain=row.domain,
        circuit=_circuit(row, now),
        failures=row.circuit_failures,
        opened_at=None if opened is None else _moment(opened),
        open_for_seconds=_open_for(row, now),
        reason=row.circuit_reason,
        tripped_by=row.circuit_tripped_by,
        held_for_seconds=max(0.0, row.held_until - now),
        learned_rate=row.learned_rate,
        next_token_at=_moment(row.next_at),
        reset_at=row.reset_at,
        noted_at=_moment(row.noted_at),
    )


def _circuit(row: DomainRow, now: float) -> Circuit:
    if row.circuit_opened_at is None or not row.circuit_hold_seconds:  # a doubt is no hold
        return Circuit.CLOSED
    return Circuit.OPEN if _open_for(row, now) else Circuit.PROBE_DUE


def _open_for(row: DomainRow, now: float) -> float:
    opened = row.circuit_opened_at
    return 0.0 if opened is None else max(0.0, opened + row.circuit_hold_seconds - now)


def _limits(settings: Mapping[str, Any], domain: str) -> BucketLimits | None:
    """What a run was told about its site's limit; None where its row does not say it."""
    if settings.keys().isdisjoint(PaceSettings.KEPT):
        return None
    try:
        return PaceSettings.from_settings(settings).limits_of(domain)
    except BadInput:
        return None


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
