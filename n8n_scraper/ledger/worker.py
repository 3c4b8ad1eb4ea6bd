"""A process at work on a run: what to do next, and where to put what came of it."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any, Protocol, TypeVar

from sqlalchemy import Row
from sqlalchemy.orm import Session

from n8n_scraper.core.dossier import Answer, Dossier, Planned, Written
from n8n_scraper.core.item import PartState
from n8n_scraper.core.outcomes import Outcome, PartStatus
from n8n_scraper.ledger import ledger
from n8n_scraper.ledger.batches import batched
from n8n_scraper.ledger.jobdir import JobDirectory
from n8n_scraper.ledger.ledger import (
    STATE_OF_OUTCOME,
    UNSETTLED,
    Closing,
    NewRun,
    Owner,
    RunStatus,
    State,
    Tally,
)
from n8n_scraper.ledger.once import Work
from n8n_scraper.ledger.packing import unpack
from n8n_scraper.policies.run.counts import Counts
from n8n_scraper.policies.run.lease import lease_seconds
from n8n_scraper.policies.run.outcome import cause, is_the_sites_doing, outcome_of

T = TypeVar("T")

Save = Callable[[Session, Collection[Answer], Written | None], T]
"""Stores an item with its raw answers, in the transaction that closes its line."""

NoteGone = Callable[[Session, str, str], None]
"""Notes in the transaction that closes its line that an item of a run is gone."""

_PLANNED_AT_ONCE = 5_000


class Transactions(Protocol):
    """What runs work in a database, one transaction at a time."""

    @property
    def longest_wait_seconds(self) -> float:
        """For how long a process may have to wait there."""

    async def run(self, work: Work[T]) -> T:
        """Run work in one transaction."""


class Worker:
    """A process at work on a run.

    The run's items are claimed a few at a time, so that thirteen thousand of them, or a million,
    never sit in memory. Storing an item and closing its line is one transaction.
    """

    def __init__(self, store: Transactions, note_gone: NoteGone | None = None) -> None:
        self.store = store
        self._note_gone = note_gone
        self.run_id: str | None = None
        self.owner: Owner | None = None
        self.lease_seconds = lease_seconds(store.longest_wait_seconds)
        self.planned = 0
        self.discovering = True
        self.trouble: str | None = None
        self.refusal: str | None = None
        self.doubt: str | None = None  # what of the inventory was not believed
        self.ended: dict[Outcome, int] = {}
        self.taken_up = False
        self.unsettled = 0  # ended, but asking again could still bring more
        self._under_way: dict[str, Dossier] = {}
        self._changed = asyncio.Event()

    @property
    def counts(self) -> Counts:
        """How far the run is, as far as this process knows."""
        outcomes = {str(outcome): number for outcome, number in self.ended.items()}
        left = self.planned - sum(outcomes.values())
        return Counts(outcomes, self.unsettled, max(0, left))

    async def do(self, work: Work[T]) -> T:
        """Run work in one transaction of the database, as long as the run is ours."""
        if self.owner is None:
            return await self.store.run(work)
        run_id, owner = self._run, self.owner

        def fenced(session: Session) -> T:
            ledger.check_fence(session, run_id, owner)
            return work(session)

        return await self.store.run(fenced)

    async def begin(self, new: NewRun, job: JobDirectory | None = None, database: str = "") -> None:
        """Take up the run that the job directory belongs to, or enter a new one.

        `database` is what the directory is to call the database of the run.
        """
        name = ledger.owner_name()
        earlier = job.run_id() if job else None
        if earlier is None or not await self._take_up(earlier, new, name):
            self.run_id, self.owner = await self.do(
                lambda session: ledger.start_run(session, new, name, self.lease_seconds)
            )
        if job:
            job.tie(self._run, database)

    async def _take_up(self, run_id: str, new: NewRun, name: str) -> bool:
        lease = self.lease_seconds
        run = await self.do(lambda session: ledger.resume_run(session, run_id, new, name, lease))
        if run is None:
            return False
        self.run_id, self.owner = run_id, Owner(name, run.fence, lease)
        self.discovering = run.discovered_at is None
        tally = await self.tally()
        self.planned = tally.total
        self.ended = {Outcome(name): number for name, number in tally.outcomes.items()}
        self.unsettled = sum(tally.states.get(state, 0) for state in UNSETTLED)
        self.taken_up = True
        return True

    async def plan(self, entries: Iterable[Planned]) -> None:
        """Add templates to what the run expects; one that is there already stays as it is."""
        for chunk in batched(entries, _PLANNED_AT_ONCE):
            work = partial(ledger.plan, run_id=self._run, entries=chunk, first=self.planned)
            self.planned += await self.do(work)
            self._changed.set()

    async def discovery_is_over(
        self, trouble: str | None = None, *, refusal: str | None = None
    ) -> None:
        """Plan nothing more; `trouble` says why the list is not whole, `refusal` why it is none."""
        if trouble is None and refusal is None:
            await self.do(lambda session: ledger.note_discovery(session, self._run))
        self.discovering = False
        self.trouble, self.refusal = trouble, refusal
        self._changed.set()

    async def work(self, most_under_way: int, *, ahead: int = 0) -> AsyncIterator[Dossier]:
        """Open a dossier for each planned template, never more at a time than `most_under_way`.

        So many more are claimed with them, which spares most of the claims that come after. Their
        claims are counted as attempts, though nothing was asked for them if the crawl is killed.
        """
        claimed: deque[Dossier] = deque()
        while True:
            self._changed.clear()
            while (room := most_under_way - len(self._under_way)) > 0:
                if not claimed:
                    claimed.extend(await self._claim(room + ahead))
                if not claimed:
                    break
                yield self._begun(claimed.popleft())
            if not self.discovering and not self._under_way:
                return
            await self._changed.wait()

    def is_under_way(self, item_id: str) -> bool:
        """Whether a template was given out in this run and has not ended."""
        return item_id in self._under_way

    async def keep(self, dossier: Dossier) -> None:
        """Keep what has come of a chain since the last time, so that a kill costs no repeat.

        What failed is not kept: a later process asks for it again.
        """
        new = [
            part
            for part, state in dossier.parts.items()
            if part not in dossier.kept and state.status is not PartStatus.FAILED
        ]
        if new and self.is_under_way(dossier.item_id):
            await self.do(lambda session: ledger.keep_answers(session, self._run, dossier, new))
            dossier.kept.update(new)

    async def renew(self) -> None:
        """Say that this process is alive and at work on its run."""
        await self.do(lambda session: ledger.renew(session, self._run, self._owner))

    async def save(self, item_id: str, save: Save[T]) -> T:
        """Store an item with its raw answers and close its line: all or nothing.

        Given back is what is stored: with older values of what could not be had this time.
        """
        dossier = self._under_way[item_id]
        answers = list(dossier.answers.values())
        closing, written = _closing(dossier), dossier.written

        def all_of_it(session: Session) -> T:
            stored = save(session, answers, written)
            ledger.close_item(session, self._run, closing)
            return stored

        stored = await self.do(all_of_it)
        self.note_end(closing)
        return stored

    async def close(self, dossier: Dossier) -> None:
        """Close the item of a template of which nothing could be had."""
        if self.is_under_way(dossier.item_id):
            await self._close(_closing(dossier))

    async def fail(self, item_id: str, state: State, reason: str) -> None:
        """Close the item of a template that our own code could not bring to an end."""
        if dossier := self._under_way.get(item_id):
            await self._close(
                Closing(
                    item_id,
                    state,
                    Outcome.FAILED,
                    category=state,
                    reason=reason,
                    requests=dossier.requests,
                    duration=time.monotonic() - dossier.started,
                )
            )

    async def drop(self, dossier: Dossier, reason: str) -> None:
        """Take a template out of the run, and with it all that nobody has begun."""
        dropped, failed = await self.do(
            lambda session: ledger.drop_the_rest(session, self._run, dossier.item_id, reason)
        )
        self.planned -= dropped
        self.ended[Outcome.FAILED] = self.ended.get(Outcome.FAILED, 0) + failed
        self.unsettled += failed
        self._under_way.pop(dossier.item_id, None)
        self._changed.set()

    async def reopen_failed(self, categories: Sequence[str], since: str) -> int:
        """Make templates pending again that failed for these reasons; return how many."""
        outcomes = await self.do(
            lambda session: ledger.reopen_failed(session, self._run, categories, since)
        )
        for outcome in outcomes:
            self.ended[Outcome(outcome)] -= 1
        self.unsettled -= len(outcomes)
        self._changed.set()
        return len(outcomes)

    def ask_again(self, categories: Sequence[str]) -> None:
        """Ask again for the parts of the chains under way that failed for these reasons."""
        for dossier in self._under_way.values():
            if not dossier.through:  # one that is through is reopened instead
                dossier.reopen(categories)

    async def tally(self) -> Tally:
        """Count how many items of the run stand where."""
        return await self.do(lambda session: ledger.tally(session, self._run))

    async def end(self, status: RunStatus, reason: str, totals: dict[str, Any]) -> None:
        """Give back what was not finished, and close the run's book."""
        await self.do(lambda session: ledger.end_run(session, self._run, status, reason, totals))

    @property
    def _run(self) -> str:
        if self.run_id is None:
            raise RuntimeError("the worker has no run yet")
        return self.run_id

    @property
    def _owner(self) -> Owner:
        if self.owner is None:
            raise RuntimeError("the worker has no run yet")
        return self.owner

    async def _claim(self, most: int) -> list[Dossier]:
        def batch(session: Session) -> list[Dossier]:
            planned = ledger.claim(session, self._run, most, self._owner)
            kept = ledger.kept_answers(session, self._run, [one.item_id for one in planned])
            return [_dossier(one, kept.get(one.item_id, [])) for one in planned]

        return await self.do(batch)

    def _begun(self, dossier: Dossier) -> Dossier:
        dossier.started = time.monotonic()
        self._under_way[dossier.item_id] = dossier
        return dossier

    async def _close(self, closing: Closing) -> None:
        def all_of_it(session: Session) -> None:
            ledger.close_item(session, self._run, closing)
            if closing.outcome is Outcome.GONE and self._note_gone is not None:
                self._note_gone(session, self._run, closing.item_id)

        await self.do(all_of_it)
        self.note_end(closing)

    def note_end(self, closing: Closing) -> None:
        """Count a template that has ended, and make room for the next."""
        self._under_way.pop(closing.item_id, None)
        self.ended[closing.outcome] = self.ended.get(closing.outcome, 0) + 1
        if closing.state in UNSETTLED:
            self.unsettled += 1
        self._changed.set()


def _dossier(planned: Planned, kept: Iterable[Row[Any]]) -> Dossier:
    """Open a dossier, with what an earlier process had got before it was killed."""
    dossier = Dossier(planned, started=time.monotonic())
    for row in kept:
        if row.body is not None and row.url and row.http_status and row.fetched_at:
            body = unpack(row.body)
            dossier.answers[row.part] = Answer(
                row.part, row.url, row.http_status, body, row.fetched_at
            )
        dossier.parts[row.part] = PartState.model_validate(row.state)
        dossier.kept.add(row.part)
        dossier.requests = max(dossier.requests, row.requests)
    return dossier


def _closing(dossier: Dossier) -> Closing:
    outcome = outcome_of(dossier.parts)
    settled = is_the_sites_doing(dossier.parts) or outcome is Outcome.BLOCKED
    why = cause(dossier.parts)
    return Closing(
        dossier.item_id,
        # What asking again could still bring is kept apart from what is settled for good.
        STATE_OF_OUTCOME[outcome] if settled else State.FAILED,
        outcome,
        category=why.category if why else None,
        reason=why.reason if why else None,
        http_status=why.http_status if why else None,
        requests=dossier.requests,
        duration=round(time.monotonic() - dossier.started, 3),
    )
