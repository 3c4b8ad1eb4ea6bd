"""What an earlier crawl knew of each domain: its bucket, its circuit, the rate it was taught."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.ledger.statements import insert_for
from n8n_scraper.ledger.tables import Base, DomainRow
from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.policies.pace.pace import PaceState
from n8n_scraper.policies.pace.token_bucket import BucketState

if TYPE_CHECKING:
    from n8n_scraper.ledger.sql_ledger import Transactions


class DatabasePaceStore:
    """Keeps the states of all domains in the table `domains`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    async def load(self) -> Mapping[str, PaceState]:
        """Give what is known of every domain."""
        return await self._store.run(load)

    async def save(self, states: Mapping[str, PaceState]) -> None:
        """Note how the domains stand."""
        await self._store.run(lambda session: save(session, states))


def load(session: Session) -> dict[str, PaceState]:
    """Give what is known of every domain."""
    return {row.domain: _state(row) for row in session.scalars(select(DomainRow))}


def save(session: Session, states: Mapping[str, PaceState]) -> None:
    """Note how things stand; who comes later goes on from there."""
    table = Base.metadata.tables[DomainRow.__tablename__]
    for domain, state in states.items():
        values = {"domain": domain, "updated_at": utc_now(), **_columns(state)}
        statement = insert_for(session, table).values(**values)
        changed = {name: statement.excluded[name] for name in values if name != "domain"}
        session.execute(statement.on_conflict_do_update(index_elements=["domain"], set_=changed))


def reset_circuit(session: Session, domain: str) -> bool:
    """Close a domain's circuit at a person's word; False when the domain is unknown.

    A crawl that is under way looks at `reset_at` now and then, and closes its own.
    """
    result = session.execute(
        update(DomainRow)
        .where(DomainRow.domain == domain)
        .values(
            circuit_failures=0,
            circuit_opened_at=None,
            circuit_hold_seconds=0.0,
            circuit_reason="",
            circuit_tripped_by="",
            reset_at=utc_now(),
        )
        .returning(DomainRow.domain)
    )
    return result.first() is not None


def resets(session: Session) -> dict[str, str]:
    """When each domain's circuit was last reset by hand."""
    query = select(DomainRow.domain, DomainRow.reset_at).where(DomainRow.reset_at.is_not(None))
    return {domain: str(reset_at) for domain, reset_at in session.execute(query)}


def _columns(state: PaceState) -> dict[str, Any]:
    return {
        "tokens": state.bucket.tokens,
        "tokens_at": state.bucket.at,
        "held_until": state.bucket.held_until,
        "learned_rate": state.learned_rate,
        "circuit_failures": state.circuit.failures,
        "circuit_opened_at": state.circuit.opened_at,
        "circuit_hold_seconds": state.circuit.hold_seconds,
        "circuit_reason": state.circuit.reason,
        "circuit_tripped_by": state.circuit.tripped_by,
    }


def _state(row: DomainRow) -> PaceState:
    return PaceState(
        BucketState(row.tokens, row.tokens_at, row.held_until),
        CircuitState(
            row.circuit_failures,
            row.circuit_opened_at,
            row.circuit_hold_seconds,
            row.circuit_reason,
            row.circuit_tripped_by,
        ),
        row.learned_rate,
    )
