"""A ledger in memory: for tests of what speaks to one, without a database.

It keeps to the same specification as the ledger in SQL, `tests/unit/ledger/test_ledger.py`.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.errors import WorkedOn
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.ledger import (
    UNSETTLED,
    Also,
    Batch,
    Claim,
    Closing,
    Heard,
    Inventory,
    Joined,
    Kept,
    Leaving,
    NewRun,
    Process,
    RunStatus,
    State,
    Tally,
    brought,
)
from n8n_scraper.policies.run.ending import Account, exit_status, run_status

T = TypeVar("T")


@dataclass(slots=True)
class _Item:
    planned: Planned
    position: int
    state: State = State.PENDING
    worker: str | None = None
    fence: int = 0
    closing: Closing | None = None
    closed_at: str = ""
    tried: bool = False
    kept: dict[str, Kept] = field(default_factory=dict)

    def forget_asked_for(self) -> None:
        """Keep only what the inventory has brought: nothing else brings that again."""
        self.kept = {name: part for name, part in self.kept.items() if not part.requests}


@dataclass(slots=True)
class _Worker:
    process: Process
    lease_until: float | None
    left: Leaving | None = None


@dataclass(slots=True)
class _Run:
    new: NewRun
    status: RunStatus = RunStatus.RUNNING
    reason: str | None = None
    status_of_exit: int | None = None
    inventory: Inventory = field(default_factory=Inventory)
    discovery_worker: str | None = None
    reserved: int = 0
    items: dict[str, _Item] = field(default_factory=dict)
    workers: dict[str, _Worker] = field(default_factory=dict)


class MemoryLedger:
    """The ledger of all runs of a process; time passes by the given clock.

    Work that is to share a transaction is handed the ledger itself.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.runs: dict[str, _Run] = {}
        self._clock = clock

    async def enter(self, new: NewRun, me: Process) -> Joined:
        """Begin a run, as its first worker."""
        run_id = f"run-{len(self.runs) + 1}"
        run = self.runs[run_id] = _Run(new)
        self._sit_down(run, me)
        return Joined(run_id, new.arguments, Tally(), Inventory(), taken_up=False)

    async def take_up(self, run_id: str, new: NewRun, me: Process) -> Joined | None:
        """Go on with a run by its own command; None when it is another's, finished or unknown."""
        run = self.runs.get(run_id)
        if run is None or _asked(run.new) != _asked(new):
            return None
        for other in self._alive(run, me):
            if other.process.jobdir is not None and other.process.host != me.host:
                raise WorkedOn(run_id, other.process.name)
        return await self.join(run_id, me)

    async def join(self, run_id: str, me: Process) -> Joined | None:
        """Work on a run beside the workers that it has; None when it is finished or unknown."""
        run = self.runs.get(run_id)
        if run is None or run.status is RunStatus.FINISHED:
            return None
        self._go_on(run)
        self._sit_down(run, me)
        self._reclaim(run, me)
        return Joined(run_id, run.new.arguments, _tally(run), run.inventory, taken_up=True)

    async def renew(self, run_id: str, me: Process) -> Heard:
        """Say that a worker is alive, and make pending what lost workers held."""
        run = self.runs[run_id]
        was_alive = self._renew(run, me)
        return Heard(not was_alive, self._reclaim(run, me))

    async def claim(self, run_id: str, me: Process, most: int, *, discover: bool) -> Batch:
        """Take the next pending items, and discovery where that is wanted and open."""
        run = self.runs[run_id]
        was_away = not self._renew(run, me)
        claims = _claim(run, me, most)
        if not claims and self._reclaim(run, me):
            claims = _claim(run, me, most)
        first = _take_discovery(run, me) if discover else None
        if claims or first is not None:
            return Batch(claims, first, was_away=was_away)
        is_over = run.inventory.is_over and not _tally(run).left
        return Batch(inventory=run.inventory, is_over=is_over, was_away=was_away)

    async def held(self, run_id: str, me: Process) -> Mapping[str, int]:
        """Give the fence of each item that a worker still holds."""
        mine = _held_by(self.runs[run_id], me.name)
        return {item.planned.item_id: item.fence for item in mine}

    async def keep(self, run_id: str, me: Process, claim: Claim, parts: Sequence[Kept]) -> bool:
        """Keep what has come of a chain under way, so that its item's next holder has it."""
        item = _mine(self.runs[run_id], me, claim)
        if item is not None:
            item.kept |= {part.part: part for part in parts}
        return item is not None

    async def close(
        self,
        run_id: str,
        me: Process,
        claim: Claim,
        closing: Closing,
        also: Also[T],
        *,
        evidence: Sequence[Kept] = (),
    ) -> T | None:
        """Give an item its outcome, and do `also` with it, all or nothing."""
        item = _mine(self.runs[run_id], me, claim)
        if item is None:
            return None
        done = also(self)
        item.state, item.closing, item.closed_at = closing.state, closing, utc_now()
        item.tried = True
        again = closing.state in UNSETTLED
        item.forget_asked_for()
        item.kept = {**{one.part: one for one in evidence}, **item.kept} if again else {}
        return done

    async def drop_the_rest(
        self, run_id: str, me: Process, claim: Claim, reason: str
    ) -> Tally | None:
        """Take an item, and all that is pending, out of the run."""
        run = self.runs[run_id]
        if _mine(run, me, claim) is None:
            return None
        for item_id, item in list(run.items.items()):
            if item_id != claim.item_id and item.state is not State.PENDING:
                continue
            if not item.tried:
                del run.items[item_id]
                continue
            item.state = State.FAILED
            item.closing = Closing(item_id, State.FAILED, Outcome.FAILED, reason=reason)
        return _tally(run)

    async def plan(
        self, run_id: str, me: Process, entries: Sequence[Planned], *, first: int
    ) -> int | None:
        """Enter items that the run expects, each once; count the new ones."""
        return await self.plan_by(run_id, me, lambda _: self.add(run_id, entries, first=first))

    async def plan_by(self, run_id: str, me: Process, also: Also[T]) -> T | None:
        """Let work of the source's own plan, in one transaction."""
        return also(self) if self.runs[run_id].discovery_worker == me.name else None

    def add(self, run_id: str, entries: Iterable[Planned], *, first: int) -> int:
        """Enter items of a run, each once; count the new ones. For work that plans by itself."""
        run, before = self.runs[run_id], len(self.runs[run_id].items)
        for position, entry in enumerate(entries, first):
            item = run.items.setdefault(entry.item_id, _Item(_without_answers(entry), position))
            if item.state is State.PENDING:
                item.kept |= {part.part: part for part in brought(entry)}
        return len(run.items) - before

    async def end_discovery(self, run_id: str, me: Process, inventory: Inventory) -> bool:
        """Say how the inventory was found; nothing is planned any more."""
        run = self.runs[run_id]
        if run.discovery_worker != me.name:
            return False
        run.discovery_worker, run.inventory = None, inventory
        return True

    async def reserve(self, run_id: str, requests: int, *, budget: int) -> bool:
        """Set requests aside of the run's budget; False when not so many are left."""
        run = self.runs[run_id]
        if requests > 0 and run.reserved + requests > budget:
            return False
        run.reserved += requests
        return True

    async def affordable(self, run_id: str, *, budget: int) -> int:
        """Count the requests of the run's budget that no worker has set aside."""
        return max(0, budget - self.runs[run_id].reserved)

    async def reopen_failed(self, run_id: str, categories: Sequence[str], since: str) -> int:
        """Make items pending again that have failed for these reasons since then."""
        reopened = [
            item
            for item in self.runs[run_id].items.values()
            if item.state is State.FAILED
            and item.closing is not None
            and item.closing.category in categories
            and item.closed_at >= since
        ]
        for item in reopened:
            item.state, item.closing, item.worker = State.PENDING, None, None
            item.forget_asked_for()
        return len(reopened)

    async def tally(self, run_id: str) -> Tally:
        """Count the items of a run by how they stand."""
        return _tally(self.runs[run_id])

    async def note(self, run_id: str, me: Process, counts: Mapping[str, Any]) -> Tally:
        """Count; nobody looks at a run in memory from outside."""
        return _tally(self.runs[run_id])

    async def leave(self, run_id: str, me: Process, leaving: Leaving) -> Account:
        """Give back what a worker holds; end the run when it is over or no other works on it."""
        run = self.runs[run_id]
        _give_back(run, me.name)
        run.workers[me.name] = replace(run.workers[me.name], lease_until=None, left=leaving)
        self._reclaim(run, me)
        account = self._account(run)
        status = RunStatus(run_status(leaving.reason, account))
        if status is not RunStatus.RUNNING:
            run.status, run.status_of_exit = status, int(exit_status(leaving.reason, account))
            run.reason = "finished" if account.is_over else leaving.reason
        return account

    def _sit_down(self, run: _Run, me: Process) -> None:
        run.workers[me.name] = _Worker(me, self._clock() + me.lease_seconds)

    def _renew(self, run: _Run, me: Process) -> bool:
        worker = run.workers[me.name]
        was_alive = self._is_alive(worker)
        worker.lease_until, worker.left = self._clock() + me.lease_seconds, None
        if not was_alive and run.status is not RunStatus.FINISHED:
            self._go_on(run)
        return was_alive

    def _go_on(self, run: _Run) -> None:
        if run.status is not RunStatus.RUNNING:
            run.status, run.reason, run.discovery_worker = RunStatus.RUNNING, None, None
            run.inventory = Inventory(run.inventory.is_whole)

    def _is_alive(self, worker: _Worker) -> bool:
        return worker.lease_until is not None and worker.lease_until > self._clock()

    def _alive(self, run: _Run, me: Process | None = None) -> list[_Worker]:
        return [
            worker
            for worker in run.workers.values()
            if self._is_alive(worker)
            and worker.process is not me
            and not (me is not None and me.holds_directory_of(worker.process))
        ]

    def _reclaim(self, run: _Run, me: Process) -> int:
        at_work = {me.name, *(worker.process.name for worker in self._alive(run, me))}
        lost = [worker for worker in run.workers.values() if worker.process.name not in at_work]
        for worker in lost:
            worker.lease_until = None
        return sum(_give_back(run, worker.process.name) for worker in lost)

    def _account(self, run: _Run) -> Account:
        tally, inventory = _tally(run), run.inventory
        left = [worker.left for worker in run.workers.values() if worker.left is not None]
        return Account(
            outcomes={outcome: tally.outcomes.get(outcome, 0) for outcome in Outcome},
            unsettled=tally.unsettled,
            left=tally.left,
            is_over=inventory.is_over and not tally.left,
            inventory_error=inventory.error,
            inventory_refusal=inventory.refusal,
            inventory_warning=inventory.warning,
            others=len(self._alive(run)),
            feed_lost=any(one.feed_lost for one in left),
            asking_broke_off=any(one.asking_broke_off for one in left),
        )


def _without_answers(planned: Planned) -> Planned:
    return replace(planned, answers=())


def _asked(new: NewRun) -> tuple[object, ...]:
    return new.spider, new.source, new.site, new.arguments


def _claim(run: _Run, me: Process, most: int) -> list[Claim]:
    under_way = [item.position for item in run.items.values() if item.state is State.CLAIMED]
    farthest = max(under_way, default=-1)
    pending = sorted(
        (item for item in run.items.values() if item.state is State.PENDING),
        key=lambda item: (item.position <= farthest, item.position),
    )
    if pending and pending[0].position > farthest:  # what was given back comes when these are out
        pending = [item for item in pending if item.position > farthest]
    for item in pending[:most]:
        item.state, item.worker, item.fence = State.CLAIMED, me.name, item.fence + 1
    return [Claim(item.planned, item.fence, tuple(item.kept.values())) for item in pending[:most]]


def _take_discovery(run: _Run, me: Process) -> int | None:
    if run.discovery_worker is not None or run.inventory.is_over:
        return None
    run.discovery_worker = me.name
    return 1 + max((item.position for item in run.items.values()), default=-1)


def _mine(run: _Run, me: Process, claim: Claim) -> _Item | None:
    item = run.items.get(claim.item_id)
    if item is None or item.state is not State.CLAIMED:
        return None
    return item if (item.worker, item.fence) == (me.name, claim.fence) else None


def _held_by(run: _Run, worker: str) -> Iterator[_Item]:
    held = (item for item in run.items.values() if item.state is State.CLAIMED)
    return (item for item in held if item.worker == worker)


def _give_back(run: _Run, worker: str) -> int:
    given = list(_held_by(run, worker))
    for item in given:
        item.state, item.worker = State.PENDING, None
    if run.discovery_worker == worker:
        run.discovery_worker = None
    return len(given)


def _tally(run: _Run) -> Tally:
    items = run.items.values()
    states = Counter(str(item.state) for item in items)
    outcomes = Counter(str(item.closing.outcome) for item in items if item.closing)
    return Tally(states, outcomes, sum(not item.planned.listed for item in items))
