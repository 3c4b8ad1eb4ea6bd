"""How the domains stand, in the table that all share who ask them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.ledger.tables import DomainRow, table_of
from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.policies.pace.learned_rate import LearnedRate

TABLE = table_of(DomainRow)


def reset_circuit(session: Session, domain: str) -> bool:
    """Close a domain's circuit at a person's word; False when the domain is unknown.

    All crawls under way see it when they look next.
    """
    row = session.get(DomainRow, domain, with_for_update=True)
    if row is None:
        return False
    for name, value in columns_of_circuit(CircuitState(closed_at=row.noted_at)).items():
        setattr(row, name, value)
    row.reset_at = utc_now()
    row.revision += 1
    return True


def load(session: Session) -> dict[str, DomainState]:
    """Give how every domain stands."""
    return {row.domain: state_of(row) for row in session.execute(select(TABLE))}


def state_of(row: Row[Any]) -> DomainState:
    """Read a row."""
    return DomainState(
        next_at=row.next_at,
        held_until=row.held_until,
        learned=LearnedRate(
            row.learned_rate, row.learned_borne, row.learned_price, row.answers, row.answers_since
        ),
        circuit=CircuitState(
            failures=row.circuit_failures,
            failed_paths=row.circuit_failed_paths,
            opened_at=row.circuit_opened_at,
            closed_at=row.circuit_closed_at,
            hold_seconds=row.circuit_hold_seconds,
            reason=row.circuit_reason,
            tripped_by=row.circuit_tripped_by,
            host=row.circuit_host,
            witnessed=row.circuit_witnessed,
            probe=row.circuit_probe,
            probe_at=row.circuit_probe_at,
        ),
        epoch=row.epoch,
        noted_at=row.noted_at,
        reset_at=row.reset_at,
    )


def columns_of(state: DomainState) -> dict[str, Any]:
    """Write a state as the columns of a row."""
    learned = state.learned
    return {
        "next_at": state.next_at,
        "held_until": state.held_until,
        "learned_rate": learned.rate,
        "learned_borne": learned.borne,
        "learned_price": learned.price,
        "answers": learned.answers,
        "answers_since": learned.since,
        "epoch": state.epoch,
        "noted_at": state.noted_at,
        "reset_at": state.reset_at,
        **columns_of_circuit(state.circuit),
    }


def columns_of_circuit(circuit: CircuitState) -> dict[str, Any]:
    """Write a circuit as the columns of a row."""
    return {
        "circuit_failures": circuit.failures,
        "circuit_failed_paths": circuit.failed_paths,
        "circuit_opened_at": circuit.opened_at,
        "circuit_closed_at": circuit.closed_at,
        "circuit_hold_seconds": circuit.hold_seconds,
        "circuit_reason": circuit.reason,
        "circuit_tripped_by": circuit.tripped_by,
        "circuit_host": circuit.host,
        "circuit_witnessed": circuit.witnessed,
        "circuit_probe": circuit.probe,
        "circuit_probe_at": circuit.probe_at,
    }
