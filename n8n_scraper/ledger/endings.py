"""How a worker leaves its run, and how the run ends with the last of them.

All of it is read from the ledger, so that every worker tells the same of a run that is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy.orm import Session

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger import items, runs, workers
from n8n_scraper.ledger.ledger import Leaving, Process, RunStatus
from n8n_scraper.ledger.tables import RunRow
from n8n_scraper.policies.run.ending import Account, exit_status, run_status

_SPOILT = ("feed_lost", "asking_broke_off")


def leave(session: Session, run_id: str, me: Process, leaving: Leaving) -> Account:
    """Let a worker go, and end its run if it is over or nobody is left to go on with it."""
    run = runs.locked(session, run_id)
    assert run is not None, "a worker leaves a run that is there"
    spoilt = {name: True for name in _SPOILT if getattr(leaving, name)}
    workers.leave(session, run_id, me, leaving.reason, {**leaving.counts, **spoilt})
    workers.reclaim(session, run_id, me)
    session.flush()
    session.expire_all()
    account = account_of(session, run)
    _end(session, run, leaving.reason, account)
    return account


def end_if_over(session: Session, run: RunRow) -> bool:
    """End a run of which nothing is left, though none of its workers is there to do it."""
    if items.is_left(session, run.run_id) or not runs.inventory_of(run).is_over:
        return False
    _end(session, run, "finished", account_of(session, run))
    return True


def _end(session: Session, run: RunRow, reason: str, account: Account) -> None:
    """End a run if it is over or nobody is left to go on with it."""
    status = run_status(reason, account)
    if status != RunStatus.RUNNING:
        totals = _totals(session, run, account)
        totals["exit_status"] = int(exit_status(reason, account))
        runs.end(run, RunStatus(status), "finished" if account.is_over else reason, totals)
        session.flush()


def account_of(session: Session, run: RunRow) -> Account:
    """Say how a run stands, by its ledger alone."""
    tally, inventory = items.tally(session, run.run_id), runs.inventory_of(run)
    those = workers.of_run(session, run.run_id)
    return Account(
        outcomes={outcome: tally.outcomes.get(outcome, 0) for outcome in Outcome},
        unsettled=tally.unsettled,
        left=tally.left,
        is_over=inventory.is_over and not tally.left,
        inventory_error=inventory.error,
        inventory_refusal=inventory.refusal,
        inventory_warning=inventory.warning,
        others=len(workers.alive(session, run.run_id)),
        **{name: any((one.counts or {}).get(name) for one in those) for name in _SPOILT},
    )


def _totals(session: Session, run: RunRow, account: Account) -> dict[str, Any]:
    those = workers.of_run(session, run.run_id)
    return {
        **{str(outcome): number for outcome, number in account.outcomes.items()},
        "left": account.left,
        "pace": paces((worker.counts or {}).get("pace", {}) for worker in those),
    }


def paces(of_workers: Iterable[Mapping[str, Mapping[str, float]]]) -> dict[str, dict[str, float]]:
    """Add up what keeping to each domain's pace has cost the workers of a run."""
    found: dict[str, dict[str, float]] = {}
    for worker in of_workers:
        for domain, one in worker.items():
            so_far = found.get(domain)
            found[domain] = dict(one) if so_far is None else _sum(so_far, one)
    return found


def _sum(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    requests = one["requests"] + other["requests"]
    waited = one["requests"] * one["mean_wait"] + other["requests"] * other["mean_wait"]
    return {
        "requests": requests,
        "waits": one["waits"] + other["waits"],
        "mean_wait": round(waited / requests, 3) if requests else 0.0,
        "rate": max(one["rate"], other["rate"]),
    }
