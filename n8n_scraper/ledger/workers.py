"""The workers of a run: their names, their leases, and what becomes of one that is lost.

A worker is lost when its lease has run out, when its process on this machine is gone, or when the
lock of its directory is ours. Whatever it held may then be taken by others; should it wake up, it
finds that out item by item.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Float, bindparam, func, select, update
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import Session
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from n8n_scraper.core.clock import utc_now
from n8n_scraper.ledger import items, runs
from n8n_scraper.ledger.ledger import Process, RunStatus
from n8n_scraper.ledger.statements import run
from n8n_scraper.ledger.tables import WorkerRow, table_of


class _Now(FunctionElement[float]):
    """The database's own time in seconds since 1970: processes may disagree about theirs."""

    type = Float()
    inherit_cache = True


@compiles(_Now)
def _now_in_sqlite(_element: _Now, _compiler: SQLCompiler, **_options: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(_Now, "postgresql")
def _now_in_postgresql(_element: _Now, _compiler: SQLCompiler, **_options: Any) -> str:
    return "CAST(extract(epoch FROM clock_timestamp()) AS double precision)"


_WORKERS = table_of(WorkerRow)
_ME = _WORKERS.c.worker == bindparam("of_worker")
_RENEWED = {"lease_until": _Now() + bindparam("lease_seconds", type_=Float())}
_RENEW = update(_WORKERS).where(_ME, _WORKERS.c.lease_until > _Now()).values(_RENEWED)
_REVIVE = update(_WORKERS).where(_ME).values(**_RENEWED, ended_at=None, end_reason=None)


_OURS: set[str] = set()
"""The workers that this process has been: whatever else had its number is gone."""


def this_process(lease_seconds: float, jobdir: str | None = None) -> Process:
    """Name this process so that no other one, before or after it, has the same name."""
    name = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
    _OURS.add(name)
    return Process(name, machine(), lease_seconds, jobdir)


@cache
def machine() -> str:
    """Name the space in which a process id means one process.

    Two containers may share the name of their host, and no process.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}:{Path('/proc/self/ns/pid').readlink()}"
    except OSError:  # not every system tells
        return socket.gethostname()


def is_gone(worker: WorkerRow, me: Process | None = None) -> bool:
    """Whether a worker was a process of this machine that is no more; of others nobody knows.

    So it is when its number belongs to us, or the lock of its directory does.
    """
    former = Process(worker.worker, worker.machine or "", 0.0, worker.jobdir)
    if me is not None and me.name != former.name and me.holds_directory_of(former):
        return True
    return has_died(former)


def has_died(process: Process) -> bool:
    """Whether it was a process of this machine that is no more; of others nobody knows."""
    if not _is_here(process) or process.pid is None or process.name in _OURS:
        return False
    return process.pid == os.getpid() or not _runs(process.pid)


def _is_here(process: Process) -> bool:
    if process.machine:
        return process.machine == machine()
    # An earlier version knew a machine by its host's name.
    return process.host == socket.gethostname()


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # somebody else's, and there
    return not _is_dead_and_unread(pid)


def _is_dead_and_unread(pid: int) -> bool:
    """Whether a process has ended, and keeps its number only until its parent looks.

    Where nobody looks, as in many containers, that is for ever.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:  # not every system tells
        return False
    return stat.rpartition(")")[2].split()[0] in "ZX"


def enter(session: Session, run_id: str, me: Process) -> None:
    """Enter a worker of a run, alive from now on."""
    session.add(
        WorkerRow(
            worker=me.name,
            run_id=run_id,
            machine=me.machine,
            jobdir=me.jobdir,
            since=utc_now(),
            lease_until=None,
        )
    )
    session.flush()
    run(session, _REVIVE, {"of_worker": me.name, "lease_seconds": me.lease_seconds})


def renew(session: Session, run_id: str, me: Process) -> bool:
    """Say that a worker is alive; False when its lease had run out, so that it is one anew."""
    values = {"of_worker": me.name, "lease_seconds": me.lease_seconds}
    if run(session, _RENEW, values).rowcount:
        return True
    run(session, _REVIVE, values)
    former = runs.locked(session, run_id)
    if former is not None and former.status != RunStatus.FINISHED:
        runs.go_on(former)  # whoever believed to be the last has stopped it
    session.flush()
    return False


def of_run(session: Session, run_id: str) -> list[WorkerRow]:
    """Give all workers that a run has had, in the order in which they came."""
    rows = select(WorkerRow).where(WorkerRow.run_id == run_id)
    return list(session.scalars(rows.order_by(WorkerRow.since, WorkerRow.worker)))


def lease_left(session: Session, worker: WorkerRow) -> float | None:
    """Seconds until a worker is given up for lost; None when it has left."""
    return None if worker.lease_until is None else worker.lease_until - now(session)


def now(session: Session) -> float:
    """The database's own time."""
    return float(session.scalar(select(_Now())) or 0.0)


def alive(session: Session, run_id: str, me: Process | None = None) -> list[WorkerRow]:
    """Give the workers of a run that are believed to be at work, the asking one left out."""
    at_work = select(WorkerRow).where(WorkerRow.run_id == run_id, WorkerRow.lease_until > _Now())
    rows = session.scalars(at_work.order_by(WorkerRow.since, WorkerRow.worker))
    return [row for row in rows if (me is None or row.worker != me.name) and not is_gone(row, me)]


def number_alive(session: Session) -> int:
    """Say how many workers, of all runs, are believed to be at work."""
    at_work = select(func.count()).where(WorkerRow.lease_until > _Now())
    return session.scalar(at_work) or 0


def reclaim(session: Session, run_id: str, me: Process) -> int:
    """Make pending what lost workers of a run held, and open discovery if one held that.

    A worker that says at this very moment that it is alive is not lost. What one that is frozen
    in the middle of a transaction has locked stays its own as long as that lasts: whoever waited
    for it would stand still as well.
    """
    lost = list(_lost(session, run_id, me))
    if not lost:
        return 0
    runs.give_discovery_back(session, run_id, *lost)
    return items.give_back(session, run_id, *lost)


def _lost(session: Session, run_id: str, me: Process) -> Iterator[str]:
    others = (
        select(WorkerRow, (WorkerRow.lease_until <= _Now()).label("is_over"))
        .where(
            WorkerRow.run_id == run_id,
            WorkerRow.worker != me.name,
            WorkerRow.lease_until.is_not(None),
        )
        .with_for_update(skip_locked=True)
    )
    for row, is_over in session.execute(others):
        if not is_over and is_gone(row, me):
            row.lease_until = 0.0  # for those who cannot see that from where they are
        if is_over or row.lease_until == 0.0:
            yield row.worker


def leave(
    session: Session, run_id: str, me: Process, reason: str, counts: Mapping[str, Any]
) -> None:
    """Let a worker go: what it holds is pending again, and discovery open."""
    items.give_back(session, run_id, me.name)
    runs.give_discovery_back(session, run_id, me.name)
    session.execute(
        update(WorkerRow)
        .where(WorkerRow.worker == me.name)
        .values(lease_until=None, ended_at=utc_now(), end_reason=reason, counts=dict(counts))
    )


def take_directory(session: Session, run_id: str, jobdir: str) -> bool:
    """Take a directory from a worker whose lease has run out; of several that come, one gets it."""
    taken = session.connection().execute(
        update(_WORKERS)
        .where(
            _WORKERS.c.run_id == run_id,
            _WORKERS.c.jobdir == jobdir,
            _WORKERS.c.lease_until <= _Now(),
        )
        .values(jobdir=None)
    )
    return bool(taken.rowcount)
