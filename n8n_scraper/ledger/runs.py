"""Runs: how they begin and end, how far their inventory is known, what their budget allows."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.web_address import host_of
from n8n_scraper.ledger.items import next_position, tally
from n8n_scraper.ledger.ledger import Inventory, NewRun, RunStatus
from n8n_scraper.ledger.tables import RunRow, table_of

_RUNS = table_of(RunRow)


def enter(session: Session, new: NewRun) -> str:
    """Enter a run and give it a name that sorts by age."""
    started_at = utc_now()
    run_id = f"{started_at[:19].replace(':', '').replace('-', '')}-{secrets.token_hex(2)}"
    begun = {"run_id": run_id, "started_at": started_at, "status": RunStatus.RUNNING}
    session.add(RunRow(**begun, domain=host_of(new.site), **asdict(new)))
    session.flush()
    return run_id


def is_known(session: Session, run_id: str) -> bool:
    """Whether a run is in this database."""
    return session.get(RunRow, run_id) is not None


def is_the_same(run: RunRow, new: NewRun) -> bool:
    """Whether a run was asked for what is asked for now."""
    asked = (new.spider, new.source, new.site, new.arguments)
    return (run.spider, run.source, run.site, run.arguments) == asked


def has_work_left(session: Session, run: RunRow) -> bool:
    """Whether going on with a run would bring more: an item, or the rest of its list."""
    if run.status == RunStatus.FINISHED:
        return False
    counts = tally(session, run.run_id)
    return counts.left > 0 or (counts.total > 0 and run.discovered_at is None)


def locked(session: Session, run_id: str) -> RunRow | None:
    """Give a run that no other transaction changes until this one ends; None when unknown."""
    return session.scalars(_the_row(run_id)).first()


def _the_row(run_id: str) -> Select[RunRow]:
    # What only refers to the row, such as an item that is planned, need not wait for it.
    return select(RunRow).where(RunRow.run_id == run_id).with_for_update(key_share=True)


def go_on(run: RunRow) -> None:
    """Let a run that had ended before its work was done be one that is worked on.

    What its inventory has kept from being read is tried again.
    """
    if run.status != RunStatus.RUNNING:
        run.status, run.ended_at, run.end_reason = RunStatus.RUNNING, None, None
        run.inventory_error = run.inventory_refusal = run.inventory_warning = None
        run.discovery_worker = None


def inventory_of(run: RunRow) -> Inventory:
    """Say how far a run knows what there is to do."""
    return Inventory(
        run.discovered_at is not None,
        run.inventory_error,
        run.inventory_refusal,
        run.inventory_warning,
    )


def take_discovery(session: Session, run_id: str, worker: str) -> int | None:
    """Claim discovery for a worker, and say where the plan goes on; None when it is not open."""
    taken = session.connection().execute(
        update(_RUNS)
        .where(
            _RUNS.c.run_id == run_id,
            _RUNS.c.discovery_worker.is_(None),
            _RUNS.c.discovered_at.is_(None),
            _RUNS.c.inventory_error.is_(None),
            _RUNS.c.inventory_refusal.is_(None),
        )
        .values(discovery_worker=worker)
    )
    return next_position(session, run_id) if taken.rowcount else None


def is_discovering(session: Session, run_id: str, worker: str) -> bool:
    """Whether a worker holds discovery; if so, nobody takes it before the transaction ends."""
    run = locked(session, run_id)
    return run is not None and run.discovery_worker == worker


def give_discovery_back(session: Session, run_id: str, *workers: str) -> None:
    """Open discovery again if one of these workers holds it, and does not plan just now."""
    held = (
        select(_RUNS.c.run_id)
        .where(_RUNS.c.run_id == run_id, _RUNS.c.discovery_worker.in_(workers))
        .with_for_update(skip_locked=True)
    )
    session.connection().execute(
        update(_RUNS).where(_RUNS.c.run_id.in_(held)).values(discovery_worker=None)
    )


def end_discovery(session: Session, run_id: str, worker: str, inventory: Inventory) -> bool:
    """Note how the inventory was found; False when another worker holds discovery."""
    ended = session.connection().execute(
        update(_RUNS)
        .where(_RUNS.c.run_id == run_id, _RUNS.c.discovery_worker == worker)
        .values(
            discovery_worker=None,
            discovered_at=utc_now() if inventory.is_whole else None,
            inventory_error=inventory.error,
            inventory_refusal=inventory.refusal,
            inventory_warning=inventory.warning,
        )
    )
    return bool(ended.rowcount)


def note_discovery(session: Session, run_id: str) -> None:
    """Note that the run's inventory is whole."""
    session.execute(update(RunRow).where(RunRow.run_id == run_id).values(discovered_at=utc_now()))


def reserve(session: Session, run_id: str, requests: int, *, budget: int) -> bool:
    """Set requests aside of the run's budget; False when not so many are left."""
    reserved = _RUNS.c.requests_reserved
    fits = (reserved + requests <= budget,) if requests > 0 else ()
    done = session.connection().execute(
        update(_RUNS)
        .where(_RUNS.c.run_id == run_id, *fits)
        .values(requests_reserved=reserved + requests)
    )
    return bool(done.rowcount)


def affordable(session: Session, run_id: str, *, budget: int) -> int:
    """Count the requests of the run's budget that no worker has set aside."""
    query = select(RunRow.requests_reserved).where(RunRow.run_id == run_id)
    return max(0, budget - (session.scalar(query) or 0))


def end(run: RunRow, status: RunStatus, reason: str, totals: Mapping[str, Any]) -> None:
    """Close a run; one that is closed already keeps the moment at which it was."""
    if run.status == RunStatus.RUNNING:
        run.ended_at = utc_now()
    run.status, run.end_reason, run.totals = status, reason, dict(totals)
