"""The ledger in a database: each call is one transaction, which others may share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from sqlalchemy.orm import Session

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.errors import WorkedOn
from n8n_scraper.ledger import endings, items, noted, runs, workers
from n8n_scraper.ledger.ledger import (
    Also,
    Batch,
    Claim,
    Closing,
    Heard,
    Inventory,
    Joined,
    Kept,
    Leaving,
    Listener,
    NewRun,
    Process,
    RunStatus,
    Tally,
)
from n8n_scraper.ledger.once import Work
from n8n_scraper.ledger.tables import RunRow
from n8n_scraper.policies.run.ending import Account

T = TypeVar("T")


class Transactions(Protocol):
    """What runs work in a database, one transaction at a time."""

    async def run(self, work: Work[T]) -> T:
        """Run work in one transaction."""


class SqlLedger:
    """The ledger of all runs of a database.

    Nothing here raises to say that an item is lost: a work that fails would have all others
    repeated that share its transaction. A listener is told within the transaction itself, so that
    what it writes is there exactly if what it was told is.
    """

    def __init__(self, store: Transactions, listener: Listener | None = None) -> None:
        self._store = store
        self._listener = listener

    async def enter(self, new: NewRun, me: Process) -> Joined:
        """Begin a run, as its first worker."""

        def work(session: Session) -> Joined:
            run_id = runs.enter(session, new)
            workers.enter(session, run_id, me)
            self._begun(session, run_id)
            return Joined(run_id, new.arguments, Tally(), Inventory(), taken_up=False)

        return await self._store.run(work)

    async def take_up(self, run_id: str, new: NewRun, me: Process) -> Joined | None:
        """Go on with a run by its own command; None when it is another's, finished or unknown."""

        def work(session: Session) -> Joined | None:
            run = runs.locked(session, run_id)
            if run is None or run.status == RunStatus.FINISHED or not runs.is_the_same(run, new):
                return None
            _refuse_the_directory_of_another_machine(session, run_id, me)
            # Whoever looks at it sees what its newest process was told.
            run.settings, run.versions, run.command = new.settings, new.versions, new.command
            self._begun(session, run_id)
            return _join(session, run, me)

        return await self._store.run(work)

    async def join(self, run_id: str, me: Process) -> Joined | None:
        """Work on a run beside the workers that it has; None when it is finished or unknown."""

        def work(session: Session) -> Joined | None:
            run = runs.locked(session, run_id)
            if run is None or run.status == RunStatus.FINISHED:
                return None
            self._begun(session, run_id)
            return _join(session, run, me)

        return await self._store.run(work)

    async def renew(self, run_id: str, me: Process) -> Heard:
        """Say that a worker is alive, and make pending what lost workers held."""

        def work(session: Session) -> Heard:
            was_alive = workers.renew(session, run_id, me)
            return Heard(not was_alive, workers.reclaim(session, run_id, me))

        return await self._store.run(work)

    async def claim(self, run_id: str, me: Process, most: int, *, discover: bool) -> Batch:
        """Take the next pending items, and discovery where that is wanted and open."""

        def work(session: Session) -> Batch:
            was_away = not workers.renew(session, run_id, me)
            claims = items.claim(session, run_id, me.name, most)
            if not claims and workers.reclaim(session, run_id, me):
                claims = items.claim(session, run_id, me.name, most)
            first = runs.take_discovery(session, run_id, me.name) if discover else None
            if claims or first is not None:
                return Batch(claims, first, was_away=was_away)
            inventory = _inventory(session, run_id)
            is_over = inventory.is_over and not items.is_left(session, run_id)
            return Batch(inventory=inventory, is_over=is_over, was_away=was_away)

        return await self._store.run(work)

    async def held(self, run_id: str, me: Process) -> Mapping[str, int]:
        """Give the fence of each item that a worker still holds."""
        return await self._store.run(lambda session: items.held(session, run_id, me.name))

    async def keep(self, run_id: str, me: Process, claim: Claim, parts: Sequence[Kept]) -> bool:
        """Keep what has come of a chain under way, so that its item's next holder has it."""
        return await self._store.run(
            lambda session: items.keep(session, run_id, me.name, claim, parts)
        )

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

        def work(session: Session) -> T | None:
            if not items.close(session, run_id, me.name, claim.fence, closing, evidence):
                return None
            if self._listener is not None:
                self._listener.closed(session, run_id, closing)
            return also(session)

        return await self._store.run(work)

    async def drop_the_rest(
        self, run_id: str, me: Process, claim: Claim, reason: str
    ) -> Tally | None:
        """Take an item, and all that is pending, out of the run."""

        def work(session: Session) -> Tally | None:
            is_mine = items.drop_the_rest(session, run_id, me.name, claim, reason)
            return items.tally(session, run_id) if is_mine else None

        return await self._store.run(work)

    async def plan(
        self, run_id: str, me: Process, entries: Sequence[Planned], *, first: int
    ) -> int | None:
        """Enter items that the run expects, each once; count the new ones."""
        return await self.plan_by(
            run_id, me, lambda session: items.plan(session, run_id, entries, first=first)
        )

    async def plan_by(self, run_id: str, me: Process, also: Also[T]) -> T | None:
        """Let work of the source's own plan, in one transaction."""

        def work(session: Session) -> T | None:
            is_mine = runs.is_discovering(session, run_id, me.name)
            return also(session) if is_mine else None

        return await self._store.run(work)

    async def end_discovery(self, run_id: str, me: Process, inventory: Inventory) -> bool:
        """Say how the inventory was found; nothing is planned any more."""

        def work(session: Session) -> bool:
            is_mine = runs.end_discovery(session, run_id, me.name, inventory)
            if is_mine and self._listener is not None:
                self._listener.planned(session, run_id)
            return is_mine

        return await self._store.run(work)

    async def reserve(self, run_id: str, requests: int, *, budget: int) -> bool:
        """Set requests aside of the run's budget; False when not so many are left."""
        return await self._store.run(
            lambda session: runs.reserve(session, run_id, requests, budget=budget)
        )

    async def affordable(self, run_id: str, *, budget: int) -> int:
        """Count the requests of the run's budget that no worker has set aside."""
        return await self._store.run(
            lambda session: runs.affordable(session, run_id, budget=budget)
        )

    async def reopen_failed(self, run_id: str, categories: Sequence[str], since: str) -> int:
        """Make items pending again that have failed for these reasons since then."""
        return await self._store.run(
            lambda session: items.reopen_failed(session, run_id, categories, since)
        )

    async def tally(self, run_id: str) -> Tally:
        """Count the items of a run by how they stand."""
        return await self._store.run(lambda session: items.tally(session, run_id))

    async def note(self, run_id: str, me: Process, counts: Mapping[str, Any]) -> Tally:
        """Note how far a run is, for whoever looks from outside, and what a worker has done."""
        return await self._store.run(lambda session: noted.note(session, run_id, me.name, counts))

    async def leave(self, run_id: str, me: Process, leaving: Leaving) -> Account:
        """Give back what a worker holds; end the run when it is over or no other works on it."""

        def work(session: Session) -> Account:
            account = endings.leave(session, run_id, me, leaving)
            if self._listener is not None:
                self._listener.left(session, run_id)
            return account

        return await self._store.run(work)

    def _begun(self, session: Session, run_id: str) -> None:
        if self._listener is not None:
            self._listener.begun(session, run_id)


def _join(session: Session, run: RunRow, me: Process) -> Joined:
    runs.go_on(run)
    workers.enter(session, run.run_id, me)
    session.flush()
    workers.reclaim(session, run.run_id, me)
    return Joined(
        run.run_id,
        run.arguments,
        items.tally(session, run.run_id),
        runs.inventory_of(run),
        taken_up=True,
    )


def _inventory(session: Session, run_id: str) -> Inventory:
    run = session.get(RunRow, run_id)
    return Inventory() if run is None else runs.inventory_of(run)


def _refuse_the_directory_of_another_machine(session: Session, run_id: str, me: Process) -> None:
    """The lock of a directory tells nothing of other machines; one that works there keeps it."""
    for worker in workers.alive(session, run_id, me):
        if worker.jobdir is not None and worker.worker.partition(":")[0] != me.host:
            raise WorkedOn(run_id, worker.worker)
