"""How domains were asked, minute by minute, and what happened to them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import BigInteger, cast, func, select
from sqlalchemy.orm import Session

from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.tables import DomainEventRow, DomainMinuteRow

_EVENTS_SHOWN = 50


@dataclass(frozen=True, slots=True)
class DomainMinute:
    """How all processes together have asked a domain in a minute."""

    begins: str
    requests: int
    complaints: int
    allowed_rate: float | None
    """Requests a second that they might send; None without a limit."""


@dataclass(frozen=True, slots=True)
class DomainEvent:
    """Something that has happened to a domain."""

    at: str
    kind: str
    reason: str
    tripped_by: str
    seconds: float | None
    rate: float | None


@dataclass(frozen=True, slots=True)
class DomainHistory:
    """What is known of a domain over some time."""

    domain: str
    since: str
    until: str
    minutes: tuple[DomainMinute, ...]
    """The oldest first; minutes without a request are left out."""
    events: tuple[DomainEvent, ...]
    """The latest first."""


def domain_history(
    database: Database, domain: str, *, hours: float = 24, now: datetime | None = None
) -> DomainHistory:
    """Tell how a domain was asked in the last hours."""
    until = datetime.now(UTC) if now is None else now
    since = (until - timedelta(hours=hours)).isoformat()[:16]

    def all_of_it(session: Session) -> DomainHistory:
        return DomainHistory(
            domain,
            since,
            until.isoformat()[:16],
            _minutes(session, domain, since),
            _events(session, domain),
        )

    return database.look(all_of_it)


def _minutes(session: Session, domain: str, since: str) -> tuple[DomainMinute, ...]:
    row = DomainMinuteRow
    query = select(
        row.minute,
        cast(func.sum(row.requests), BigInteger),
        cast(func.sum(row.complaints), BigInteger),
        func.min(row.allowed_rate),
    ).where(row.domain == domain, row.minute >= since)
    rows = session.execute(query.group_by(row.minute).order_by(row.minute))
    return tuple(
        DomainMinute(f"{minute}:00Z", requests, complaints, rate)
        for minute, requests, complaints, rate in rows
    )


def _events(session: Session, domain: str) -> tuple[DomainEvent, ...]:
    row = DomainEventRow
    query = select(row.at, row.kind, row.reason, row.tripped_by, row.seconds, row.rate)
    query = query.where(row.domain == domain).order_by(row.at.desc()).limit(_EVENTS_SHOWN)
    return tuple(DomainEvent(*one) for one in session.execute(query))
