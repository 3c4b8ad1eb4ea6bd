"""What is planned, under way and done in a run: the only SQL of the queue."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, bindparam, case, delete, func, or_, select, text, update
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.errors import TakenOver, WorkedOn
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.batches import batched
from n8n_scraper.ledger.database import LOCK_PATIENCE_SECONDS
from n8n_scraper.ledger.packing import pack
from n8n_scraper.ledger.statements import insert_for, put, run
from n8n_scraper.ledger.tables import RunAnswerRow, RunItemRow, RunRow, table_of
from n8n_scraper.policies.run.lease import lease_seconds

# Few enough values for the limit of variables that SQLite puts on one statement.
_ROWS_AT_ONCE = 500
_SQLITE_NOW = "(julianday('now') - 2440587.5) * 86400.0"

LEASE_SECONDS = lease_seconds(LOCK_PATIENCE_SECONDS)
"""How long a process that says nothing is believed to be alive, unless its database is given more
patience than a lock."""


class State(StrEnum):
    """Where an item of a run stands."""

    PENDING = "pending"
    CLAIMED = "claimed"
    DONE = "done"
    FAILED = "failed"
    INVALID = "invalid"
    GONE = "gone"
    BLOCKED = "blocked"


STATE_OF_OUTCOME = {
    Outcome.COMPLETE: State.DONE,
    Outcome.PARTIAL: State.DONE,
    Outcome.GONE: State.GONE,
    Outcome.BLOCKED: State.BLOCKED,
    Outcome.FAILED: State.FAILED,
}

UNSETTLED = (State.FAILED, State.INVALID, State.BLOCKED)
"""States of items that asking again could still bring further."""


class RunStatus(StrEnum):
    """How a run stands as a whole."""

    RUNNING = "running"
    FINISHED = "finished"  # every item has its outcome
    STOPPED = "stopped"  # work is left
    FAILED = "failed"  # it could not even find out what to do


@dataclass(frozen=True, slots=True)
class NewRun:
    """What is known about a run before it starts."""

    spider: str
    source: str
    """The name of the source whose items it is about."""
    site: str
    """The address that is crawled."""
    arguments: dict[str, Any]
    settings: dict[str, Any]
    versions: dict[str, Any]
    command: str
    """How a person would give it again."""


@dataclass(frozen=True, slots=True)
class Closing:
    """How one item of a run ended."""

    item_id: str
    state: State
    outcome: Outcome
    category: str | None = None
    reason: str | None = None
    http_status: int | None = None
    requests: int = 0
    duration: float = 0.0


# What is said of every template is built once: that takes longer than SQLite needs to carry it out.
_ITEMS, _ANSWERS = table_of(RunItemRow), table_of(RunAnswerRow)
_OF_RUN = _ITEMS.c.run_id == bindparam("of_run")
_IN_STATE = _ITEMS.c.state == bindparam("in_state")
_OF_ITEM = (_OF_RUN, _ITEMS.c.item_id == bindparam("of_id"))
_FENCE = select(RunRow.fence).where(RunRow.run_id == bindparam("of_run")).with_for_update(read=True)
_FARTHEST = select(func.max(_ITEMS.c.position)).where(_OF_RUN, _IN_STATE)
_PENDING = (
    select(*_ITEMS.c["item_id", "in_inventory", "listing"])
    .where(_OF_RUN, _IN_STATE, _ITEMS.c.position > bindparam("behind"))
    .order_by(_ITEMS.c.position)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
_IN_STATE_OF = select(_ITEMS.c.item_id).where(
    _OF_RUN, _IN_STATE, _ITEMS.c.item_id.in_(bindparam("of_ids", expanding=True))
)
_CLAIM = (
    update(_ITEMS)
    .where(*_OF_ITEM)
    .values(
        attempts=_ITEMS.c.attempts + 1,
        **{
            name: bindparam(name)
            for name in ("state", "claimed_at", "owner", "fence", "lease_until")
        },
    )
)
_CLOSE = (
    update(_ITEMS)
    .where(*_OF_ITEM)
    .values(
        {
            name: bindparam(name)
            for name in (*Closing.__dataclass_fields__, "closed_at", "owner", "lease_until")
            if name != "item_id"
        }
    )
)
_OF_ANSWERS = _ANSWERS.c.run_id == bindparam("of_run")
_KEPT = select(_ANSWERS).where(
    _OF_ANSWERS, _ANSWERS.c.item_id.in_(bindparam("of_ids", expanding=True))
)
_FORGET = delete(_ANSWERS).where(_OF_ANSWERS, _ANSWERS.c.item_id == bindparam("of_id"))
_FORGET_ASKED_FOR = _FORGET.where(_ANSWERS.c.requests > 0)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many items of a run stand where."""

    states: dict[str, int] = field(default_factory=dict)
    outcomes: dict[str, int] = field(default_factory=dict)
    unlisted: int = 0

    @property
    def total(self) -> int:
        """All items of the run."""
        return sum(self.states.values())

    @property
    def left(self) -> int:
        """Items that have no outcome yet."""
        return self.states.get(State.PENDING, 0) + self.states.get(State.CLAIMED, 0)


@dataclass(frozen=True, slots=True)
class Owner:
    """A process that works on a run: its name, the fence that it was given, and its lease."""

    name: str
    fence: int
    lease_seconds: float = LEASE_SECONDS


def owner_name() -> str:
    """Name this process so that no other one, before or after it, has the same name."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def is_gone(owner: str | None) -> bool:
    """Whether the owner was a process of this machine that is no more; of others nobody knows."""
    host, _, rest = (owner or "").partition(":")
    number = rest.partition(":")[0]
    if host != socket.gethostname() or not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass  # somebody else's, and there
    return False


def start_run(
    session: Session, new: NewRun, owner: str, lease_seconds: float = LEASE_SECONDS
) -> tuple[str, Owner]:
    """Enter a run and give it a name that sorts by age."""
    started_at = utc_now()
    run_id = f"{started_at[:19].replace(':', '').replace('-', '')}-{secrets.token_hex(2)}"
    run = RunRow(
        run_id=run_id,
        started_at=started_at,
        status=RunStatus.RUNNING,
        owner=owner,
        fence=1,
        lease_until=_now(session) + lease_seconds,
        **asdict(new),
    )
    session.add(run)
    return run_id, Owner(owner, 1, lease_seconds)


def is_known(session: Session, run_id: str) -> bool:
    """Whether a run is in this database."""
    return session.get(RunRow, run_id) is not None


def resume_run(
    session: Session, run_id: str, new: NewRun, owner: str, lease_seconds: float = LEASE_SECONDS
) -> RunRow | None:
    """Take a run up again; None when it is finished, unknown, or was asked for something else.

    From here on the former owner, should it still be there, comes too late with everything. Of a
    process on our machine the directory's lock has told that it is gone; one elsewhere keeps its
    run as long as its lease lasts.
    """
    run = session.get(RunRow, run_id, with_for_update=True)
    if run is None or run.status == RunStatus.FINISHED or not is_the_same(run, new):
        return None
    if run.owner and _host(run.owner) != _host(owner) and _is_leased(session, run_id):
        raise WorkedOn(run_id, run.owner)
    run.status, run.ended_at, run.end_reason = RunStatus.RUNNING, None, None
    # Whoever looks at it sees what the process at work was told.
    run.settings, run.versions, run.command = new.settings, new.versions, new.command
    _give(session, run, owner, lease_seconds)
    _give_back_all(session, run_id)
    return run


def is_the_same(run: RunRow, new: NewRun) -> bool:
    """Whether a run was asked for what is asked for now."""
    asked = (new.spider, new.source, new.site, new.arguments)
    return (run.spider, run.source, run.site, run.arguments) == asked


def has_work_left(session: Session, run: RunRow) -> bool:
    """Whether going on with a run would bring more: a template, or the rest of its list."""
    if run.status == RunStatus.FINISHED:
        return False
    counts = tally(session, run.run_id)
    return counts.left > 0 or (counts.total > 0 and run.discovered_at is None)


def take_over(session: Session, run_id: str, owner: str) -> bool:
    """Take a run from an owner that gives no sign of life; False when it, or somebody else, does.

    Looking and taking are one transaction, so that one wins of several that come at once.
    """
    run = session.get(RunRow, run_id, with_for_update=True)
    if run is None or lease_left(session, run_id) is None or _is_leased(session, run_id):
        return False
    _give(session, run, owner, LEASE_SECONDS)
    return True


def check_fence(session: Session, run_id: str, owner: Owner) -> None:
    """Raise TakenOver when the run has another owner by now; else nobody takes it before we end."""
    held = session.info.get("fence")
    if held != (run_id, owner):  # once a transaction: the row is ours until it ends
        if run(session, _FENCE, {"of_run": run_id}).scalar() != owner.fence:
            raise TakenOver(run_id)
        session.info["fence"] = (run_id, owner)


def renew(session: Session, run_id: str, owner: Owner) -> None:
    """Say that the run's owner is alive."""
    until = _now(session) + owner.lease_seconds
    session.execute(update(RunRow).where(RunRow.run_id == run_id).values(lease_until=until))
    session.execute(
        update(RunItemRow)
        .where(RunItemRow.run_id == run_id, RunItemRow.state == State.CLAIMED)
        .values(lease_until=until)
    )


def lease_left(session: Session, run_id: str) -> float | None:
    """Seconds until the run's owner is given up for lost; None when nobody owns it."""
    run = session.get(RunRow, run_id)
    if run is None or run.status != RunStatus.RUNNING or run.lease_until is None:
        return None
    return run.lease_until - _now(session)


def alive_besides(session: Session, run_id: str) -> list[RunRow]:
    """Give the other runs that a process is at work on at the moment."""
    rows = session.scalars(
        select(RunRow)
        .where(
            RunRow.run_id != run_id,
            RunRow.status == RunStatus.RUNNING,
            RunRow.lease_until > _now(session),
        )
        .order_by(RunRow.run_id)
    )
    return [run for run in rows if not is_gone(run.owner)]


def note_discovery(session: Session, run_id: str) -> None:
    """Note that the run's inventory is whole."""
    session.execute(update(RunRow).where(RunRow.run_id == run_id).values(discovered_at=utc_now()))


def reopen_failed(
    session: Session, run_id: str, categories: Sequence[str], since: str
) -> list[str]:
    """Make items pending again that failed for these reasons; return the outcomes they had."""
    rows = session.scalars(
        select(RunItemRow).where(
            RunItemRow.run_id == run_id,
            RunItemRow.state == State.FAILED,
            RunItemRow.category.in_(categories),
            RunItemRow.closed_at >= since,
        )
    ).all()
    outcomes = [str(row.outcome) for row in rows]
    for row in rows:
        row.state = State.PENDING
        row.outcome = row.category = row.reason = row.http_status = row.closed_at = None
    return outcomes


def plan(session: Session, run_id: str, entries: Iterable[Planned], *, first: int) -> int:
    """Enter items that the run expects, each once; return how many were new.

    The answers that the inventory has brought along are kept for all that has not been begun.
    """
    added = 0
    for chunk in batched(enumerate(entries, first), _ROWS_AT_ONCE):
        rows = [_planned_row(run_id, position, entry) for position, entry in chunk]
        statement = insert_for(session, _ITEMS).on_conflict_do_nothing()
        done = session.connection().execute(
            statement, rows, execution_options={"preserve_rowcount": True}
        )
        added += done.rowcount
        _keep_brought(session, run_id, [entry for _, entry in chunk if entry.answers])
    return added


def _keep_brought(session: Session, run_id: str, entries: Sequence[Planned]) -> None:
    if not entries:
        return
    ids = [entry.item_id for entry in entries]
    which = {"of_run": run_id, "in_state": State.PENDING, "of_ids": ids}
    not_begun = set(run(session, _IN_STATE_OF, which).scalars())
    dossiers = [Dossier.opened(one, started=0.0) for one in entries if one.item_id in not_begun]
    rows = [_kept_row(run_id, one, part) for one in dossiers for part in one.answers]
    if rows:
        put(session, _ANSWERS, rows)


def claim(session: Session, run_id: str, most: int, owner: Owner) -> list[Planned]:
    """Take the next pending templates of the run; those that were given back come last.

    Looking behind what is under way spares PostgreSQL the way past all that is done already,
    whose old lines stay in the index until the next vacuum.
    """
    farthest = run(session, _FARTHEST, {"of_run": run_id, "in_state": State.CLAIMED}).scalar()
    rows = _pending(session, run_id, most, behind=-1 if farthest is None else farthest)
    if not rows and farthest is not None:
        rows = _pending(session, run_id, most, behind=-1)
    if rows:
        lease = {
            "state": State.CLAIMED,
            "claimed_at": utc_now(),
            "owner": owner.name,
            "fence": owner.fence,
            "lease_until": _now(session) + owner.lease_seconds,
        }
        run(session, _CLAIM, [{"of_run": run_id, "of_id": row.item_id, **lease} for row in rows])
    return [_planned(row) for row in rows]


def _pending(session: Session, run_id: str, most: int, *, behind: int) -> Sequence[Row[Any]]:
    return run(
        session,
        _PENDING,
        {"of_run": run_id, "in_state": State.PENDING, "behind": behind, "most": most},
    ).all()


def close_item(session: Session, run_id: str, closing: Closing) -> None:
    """Give an item its outcome, and forget the answers that were kept for it.

    What the inventory has brought is kept until an item has ended for good: if it is tried again,
    nothing else brings that.
    """
    values = asdict(closing)
    which = {"of_run": run_id, "of_id": values.pop("item_id")}
    ended = {"closed_at": utc_now(), "owner": None, "lease_until": None}
    run(session, _CLOSE, which | values | ended)
    run(session, _FORGET_ASKED_FOR if closing.state in UNSETTLED else _FORGET, which)


def keep_answers(session: Session, run_id: str, dossier: Dossier, parts: Iterable[str]) -> None:
    """Keep what has come of a chain under way, so that nobody need ask for it again."""
    rows = [_kept_row(run_id, dossier, part) for part in parts]
    if rows:
        put(session, _ANSWERS, rows)


def kept_answers(
    session: Session, run_id: str, item_ids: Sequence[str]
) -> dict[str, list[Row[Any]]]:
    """Give what was kept of these templates' chains."""
    kept: dict[str, list[Row[Any]]] = {}
    if not item_ids:
        return kept
    for row in run(session, _KEPT, {"of_run": run_id, "of_ids": item_ids}):
        kept.setdefault(row.item_id, []).append(row)
    return kept


def drop_the_rest(session: Session, run_id: str, item_id: str, reason: str) -> tuple[int, int]:
    """Take a claimed item and all that is pending out of a run; count them.

    What had failed before, and was to be tried again, is failed as it was: that is counted apart.
    """
    rest = or_(RunItemRow.item_id == item_id, RunItemRow.state == State.PENDING)
    tried = RunItemRow.requests.is_not(None)
    failed = session.connection().execute(
        update(RunItemRow)
        .where(RunItemRow.run_id == run_id, rest, tried)
        .values(state=State.FAILED, outcome=Outcome.FAILED, reason=reason, closed_at=utc_now())
    )
    dropped = session.connection().execute(
        delete(RunItemRow).where(RunItemRow.run_id == run_id, rest, ~tried)
    )
    return dropped.rowcount, failed.rowcount


def requests_spent(session: Session, run_id: str) -> int:
    """Say how many requests for items earlier processes of a run may have sent, at the most.

    A claim that came to no end may have left one request that nobody has heard of.
    """
    kept = (
        select(func.max(RunAnswerRow.requests))
        .where(
            RunAnswerRow.run_id == RunItemRow.run_id,
            RunAnswerRow.item_id == RunItemRow.item_id,
        )
        .scalar_subquery()
    )
    known = func.coalesce(RunItemRow.requests, kept, 0)
    unheard_of = RunItemRow.attempts - case((RunItemRow.closed_at.is_not(None), 1), else_=0)
    query = select(func.coalesce(func.sum(known + unheard_of), 0))
    return int(session.scalar(query.where(RunItemRow.run_id == run_id)) or 0)


def tally(session: Session, run_id: str) -> Tally:
    """Count the items of a run by state and by outcome."""
    rows = session.execute(
        select(RunItemRow.state, RunItemRow.outcome, RunItemRow.in_inventory, func.count())
        .where(RunItemRow.run_id == run_id)
        .group_by(RunItemRow.state, RunItemRow.outcome, RunItemRow.in_inventory)
    )
    states: dict[str, int] = {}
    outcomes: dict[str, int] = {}
    unlisted = 0
    for state, outcome, in_inventory, number in rows:
        states[state] = states.get(state, 0) + number
        unlisted += 0 if in_inventory else number
        if outcome:
            outcomes[outcome] = outcomes.get(outcome, 0) + number
    return Tally(states, outcomes, unlisted)


def end_run(
    session: Session, run_id: str, status: RunStatus, reason: str, totals: dict[str, Any]
) -> None:
    """Give back what was not finished, and close the book of a run."""
    _give_back_all(session, run_id)
    session.execute(
        update(RunRow)
        .where(RunRow.run_id == run_id)
        .values(
            status=status, end_reason=reason, ended_at=utc_now(), totals=totals, lease_until=None
        )
    )


def _give_back_all(session: Session, run_id: str) -> None:
    """Make claimed items pending again: they were not finished, and nothing went wrong."""
    session.execute(
        update(RunItemRow)
        .where(RunItemRow.run_id == run_id, RunItemRow.state == State.CLAIMED)
        .values(state=State.PENDING, claimed_at=None, owner=None, lease_until=None)
    )


def _now(session: Session) -> float:
    """The database's own time: processes of one run may disagree about theirs."""
    on_postgres = session.get_bind().dialect.name == "postgresql"
    clock = "extract(epoch FROM clock_timestamp())" if on_postgres else _SQLITE_NOW
    return float(session.scalar(text(f"SELECT {clock}")))


def _is_leased(session: Session, run_id: str) -> bool:
    left = lease_left(session, run_id)
    return left is not None and left > 0


def _give(session: Session, run: RunRow, owner: str, lease_seconds: float) -> None:
    run.owner, run.fence, run.lease_until = owner, run.fence + 1, _now(session) + lease_seconds


def _host(owner: str) -> str:
    return owner.partition(":")[0]


def _kept_row(run_id: str, dossier: Dossier, part: str) -> dict[str, Any]:
    answer = dossier.answers.get(part)
    return {
        "run_id": run_id,
        "item_id": dossier.item_id,
        "part": part,
        "state": dossier.parts[part].model_dump(mode="json"),
        "url": answer.url if answer else None,
        "http_status": answer.http_status if answer else None,
        "fetched_at": answer.fetched_at if answer else None,
        "body": pack(answer.body) if answer else None,
        "requests": dossier.requests,
    }


def _planned_row(run_id: str, position: int, entry: Planned) -> dict[str, Any]:
    return {
        "run_id": run_id,
        "item_id": entry.item_id,
        "position": position,
        "in_inventory": entry.listed,
        "listing": dict(entry.listing) or None,
        "state": State.PENDING,
    }


def _planned(row: Row[Any]) -> Planned:
    return Planned(row.item_id, row.in_inventory, row.listing or {})
