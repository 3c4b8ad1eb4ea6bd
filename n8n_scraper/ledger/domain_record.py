"""Write down how domains were asked, and what happened to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete
from sqlalchemy.orm import Session

from n8n_scraper.ledger.statements import insert_for, insert_new
from n8n_scraper.ledger.tables import DomainEventRow, DomainMinuteRow, table_of
from n8n_scraper.policies.pace.circuit import CircuitState

KEPT_FOR = timedelta(days=90)

_MINUTES, _EVENTS = table_of(DomainMinuteRow), table_of(DomainEventRow)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a process has sent to a domain since it last said so."""

    domain: str
    requests: int
    complaints: int
    allowed_rate: float | None


def note(session: Session, worker: str, asked: Iterable[Asked], now: datetime) -> None:
    """Add to this minute what a process has sent."""
    minute = now.isoformat()[:16]
    for one in asked:
        statement = insert_for(session, _MINUTES).values(
            domain=one.domain,
            minute=minute,
            worker=worker,
            requests=one.requests,
            complaints=one.complaints,
            allowed_rate=one.allowed_rate,
        )
        there, new = _MINUTES.c, statement.excluded
        session.execute(
            statement.on_conflict_do_update(
                index_elements=["domain", "minute", "worker"],
                set_={
                    "requests": there.requests + new.requests,
                    "complaints": there.complaints + new.complaints,
                    "allowed_rate": new.allowed_rate,
                },
            )
        )


def note_opened(session: Session, domain: str, circuit: CircuitState, seconds: float) -> None:
    """Note that a domain is left alone, and what has tripped its circuit."""
    _note(session, domain, "opened", circuit.opened_at or 0.0, circuit, seconds=seconds)


def note_closed(session: Session, domain: str, circuit: CircuitState) -> None:
    """Note that a domain may be asked again."""
    _note(session, domain, "closed", circuit.closed_at, circuit)


def note_slowed(session: Session, domain: str, rate: float, now: datetime) -> None:
    """Note that a domain's complaints have taught a lower rate."""
    minute = now.replace(second=0, microsecond=0).timestamp()
    _note(session, domain, "slowed", minute, CircuitState(), rate=rate)


def forget_old(session: Session, now: datetime) -> None:
    """Forget what was longer ago than is kept."""
    before = (now - KEPT_FOR).isoformat()[:16]
    session.execute(delete(DomainMinuteRow).where(DomainMinuteRow.minute < before))


def _note(
    session: Session,
    domain: str,
    kind: str,
    at: float,
    circuit: CircuitState,
    *,
    seconds: float | None = None,
    rate: float | None = None,
) -> None:
    """Note it once: all who share a domain's pace see the same moment."""
    moment = datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
    insert_new(
        session,
        _EVENTS,
        {
            "domain": domain,
            "at": moment.replace("+00:00", "Z"),
            "kind": kind,
            "reason": circuit.reason,
            "tripped_by": circuit.tripped_by,
            "seconds": seconds,
            "rate": rate,
        },
    )
