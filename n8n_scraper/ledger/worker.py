"""A process at work on a run: what to do next, and where to put what came of it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from n8n_scraper.core.dossier import Answer, Dossier, Planned, Written
from n8n_scraper.core.outcomes import Outcome, PartStatus
from n8n_scraper.ledger.batches import batched
from n8n_scraper.ledger.evidence import Evidence
from n8n_scraper.ledger.ledger import (
    STATE_OF_OUTCOME,
    UNSETTLED,
    Batch,
    Claim,
    Closing,
    Inventory,
    Joined,
    Kept,
    Leaving,
    Ledger,
    NewRun,
    Process,
    State,
)
from n8n_scraper.ledger.run import Run
from n8n_scraper.policies.run.ending import Account
from n8n_scraper.policies.run.outcome import cause, is_the_sites_doing, outcome_of

T = TypeVar("T")
logger = logging.getLogger(__name__)

Save = Callable[[Any, Collection[Answer], Written | None], T]
"""Stores an item with its raw answers, in the transaction that closes its line."""

NoteGone = Callable[[Any, str, str], None]
"""Notes in the transaction that closes its line that an item of a run is gone."""

_PLANNED_AT_ONCE = 5_000
_LOOK_EVERY = 1.0
"""Seconds after which a worker that found nothing to do looks again: others may plan more, give
something back, or die."""


class Discovery(Enum):
    """Work on what there is to do."""

    BEGINS = "begins"


@dataclass(slots=True)
class _Held:
    """An item in the worker's hands."""

    claim: Claim
    dossier: Dossier


class Worker:
    """Claims items of a run, a few at a time, and closes them; others may work beside it.

    Thirteen thousand items, or a million, never sit in memory. Storing an item and closing its
    line is one transaction. An item that another worker has by now is dropped, and nothing else:
    a worker that was held up for longer than its lease goes on with what it has left.
    """

    def __init__(
        self,
        ledger: Ledger,
        process: Process,
        note_gone: NoteGone | None = None,
        *,
        look_every_seconds: float = _LOOK_EVERY,
    ) -> None:
        self.ledger = ledger
        self.process = process
        self.look_every_seconds = look_every_seconds
        self.lost_items = 0
        """How many items others have taken from it."""
        self.ended: dict[Outcome, int] = {}
        """How many items it has ended, by their outcomes."""
        self._note_gone = note_gone
        self._evidence = Evidence()
        self._run: Run | None = None
        self._first: int | None = None  # where the plan goes on, while it holds discovery
        self._under_way: dict[str, _Held] = {}
        self._ahead: deque[_Held] = deque()
        self._lost: set[str] = set()
        self._changed = asyncio.Event()

    @property
    def run(self) -> Run:
        """The run that it works on."""
        if self._run is None:
            raise RuntimeError("the worker has no run yet")
        return self._run

    @property
    def run_id(self) -> str | None:
        """The id of its run, as soon as it has one."""
        return None if self._run is None else self._run.run_id

    @property
    def discovers(self) -> bool:
        """Whether it holds discovery, so that it alone plans."""
        return self._first is not None

    async def enter(self, new: NewRun) -> None:
        """Begin a run."""
        self._has_joined(await self.ledger.enter(new, self.process))

    async def take_up(self, run_id: str, new: NewRun) -> bool:
        """Go on with a run by its own command; False when no such run is to be gone on with."""
        return self._has_joined(await self.ledger.take_up(run_id, new, self.process))

    async def join(self, run_id: str) -> bool:
        """Work on a run beside the workers that it has; False when it is finished or unknown."""
        return self._has_joined(await self.ledger.join(run_id, self.process))

    async def plan(self, entries: Iterable[Planned]) -> None:
        """Add items to what the run expects; one that is there already stays as it is."""
        for chunk in batched(entries, _PLANNED_AT_ONCE):
            if self._first is None:
                return
            first = self._first
            self._planned(await self.ledger.plan(self._id, self.process, chunk, first=first))
            if self._first is not None:
                self._first = first + len(chunk)

    async def plan_by(self, work: Callable[[Any, int], T]) -> T | None:
        """Let the source plan in its own way; it is told at which position the plan goes on.

        None, and nothing is planned, when another worker holds discovery.
        """
        if (first := self._first) is None:
            return None
        done = await self.ledger.plan_by(
            self._id, self.process, lambda session: (work(session, first),)
        )
        if done is None:
            self._lose_discovery()
            return None
        self.run.heard(await self.ledger.tally(self._id))
        self._changed.set()
        return done[0]

    async def discovery_is_over(
        self, error: str | None = None, *, refusal: str | None = None, warning: str | None = None
    ) -> None:
        """Plan nothing more; `error` says why the list is not whole, `refusal` why it is none."""
        if self._first is None:
            return
        whole = error is None and refusal is None
        inventory = Inventory(whole, error, refusal, warning)
        if await self.ledger.end_discovery(self._id, self.process, inventory):
            self._first = None
            self.run.inventory = inventory
        else:
            self._lose_discovery()
        self._changed.set()

    async def work(
        self, most_under_way: int, *, ahead: int = 0, at_most: int | None = None
    ) -> AsyncIterator[Dossier | Discovery]:
        """Give what is to be done, until the run is over.

        That is discovery, when no worker holds it, and a dossier for each planned item. Never more
        than `most_under_way` items are out at a time, and no more than `at_most` in all. `ahead`
        more are claimed with them, which spares most of the claims that come after. Their claims
        are counted as attempts, though nothing was asked for them if the crawl is killed.
        """
        more = float("inf") if at_most is None else at_most
        while True:
            self._changed.clear()
            batch = None
            while more > 0 and (room := most_under_way - len(self._under_way)) > 0:
                if not self._ahead:
                    batch = await self._claim(int(min(room + ahead, more)))
                    if batch.first is not None:
                        yield Discovery.BEGINS
                if not self._ahead:
                    break
                more -= 1
                yield self._begin(self._ahead.popleft())
            is_over = batch.is_over if batch is not None else more <= 0
            if is_over and not self._under_way:
                return
            await self._wait(self.look_every_seconds if batch is not None else None)

    def is_under_way(self, item_id: str) -> bool:
        """Whether the worker has given an item out that has not ended."""
        return item_id in self._under_way

    def has_lost(self, item_id: str) -> bool:
        """Whether the worker had an item that another one has by now."""
        return item_id in self._lost

    async def keep(self, dossier: Dossier) -> bool:
        """Keep what has come of a chain since the last time, so that a kill costs no repeat.

        What failed is not kept: a later holder asks for it again. False when the item is lost.
        """
        held = self._held(dossier)
        if held is None:
            return False
        new = [
            part
            for part, state in dossier.parts.items()
            if part not in dossier.kept and state.status is not PartStatus.FAILED
        ]
        if new:
            parts = [_kept(dossier, part) for part in new]
            if not await self.ledger.keep(self._id, self.process, held.claim, parts):
                self._lose(held)
                return False
            dossier.kept.update(new)
        return True

    async def renew(self) -> None:
        """Say that this process is alive and at work on its run."""
        heard = await self.ledger.renew(self._id, self.process)
        if heard.was_away:
            await self._look_what_is_left()
        if heard.reclaimed:
            self._changed.set()

    async def save(self, item_id: str, save: Save[T]) -> T | None:
        """Store an item with its raw answers and close its line: all or nothing.

        Given back is what is stored: with older values of what could not be had this time. None
        when the item is lost.
        """
        held = self._under_way.get(item_id)
        if held is None or not held.dossier.through:
            return None
        dossier = held.dossier
        answers, written = list(dossier.answers.values()), dossier.written
        return await self._close(
            held, _closing(dossier), lambda session: save(session, answers, written)
        )

    async def close(self, dossier: Dossier) -> None:
        """Close the item of a dossier of which nothing could be had."""
        if held := self._held(dossier):
            closing = _closing(dossier)
            await self._close_without(held, closing)

    async def fail(self, item_id: str, state: State, reason: str) -> None:
        """Close an item that our own code could not bring to an end."""
        if held := self._under_way.get(item_id):
            dossier = held.dossier
            closing = Closing(
                item_id,
                state,
                Outcome.FAILED,
                category=state,
                reason=reason,
                requests=dossier.requests,
                duration=time.monotonic() - dossier.started,
            )
            await self._close_without(held, closing)

    async def drop(self, dossier: Dossier, reason: str) -> None:
        """Take an item out of the run, and with it all that nobody has begun."""
        if held := self._held(dossier):
            tally = await self.ledger.drop_the_rest(self._id, self.process, held.claim, reason)
            if tally is None:
                self._lose(held)
                return
            del self._under_way[dossier.item_id]
            self.run.heard(tally)
            self._changed.set()

    async def reserve(self, requests: int, *, budget: int) -> bool:
        """Set requests aside of the run's budget; False when not so many are left."""
        return await self.ledger.reserve(self._id, requests, budget=budget)

    async def affordable(self, *, budget: int) -> int:
        """Count the requests of the run's budget that no worker has set aside."""
        return await self.ledger.affordable(self._id, budget=budget)

    async def reopen_failed(self, categories: Sequence[str], since: str) -> int:
        """Make items pending again that failed for these reasons; return how many."""
        number = await self.ledger.reopen_failed(self._id, categories, since)
        if number:
            self.run.heard(await self.ledger.tally(self._id))
            self._changed.set()
        return number

    def ask_again(self, categories: Sequence[str]) -> None:
        """Ask again for the parts of the chains under way that failed for these reasons."""
        for held in self._under_way.values():
            if not held.dossier.through:  # one that is through is reopened instead
                held.dossier.reopen(categories)

    async def note(self, **counts: Any) -> None:
        """Note how far the run is and what this worker has done, for whoever looks from outside."""
        tally = await self.ledger.note(self._id, self.process, self._counts(counts))
        self.run.heard(tally)

    async def leave(self, leaving: Leaving) -> Account:
        """Give back what is not finished, and say how the run stands then."""
        leaving = replace(leaving, counts=self._counts(leaving.counts))
        return await self.ledger.leave(self._id, self.process, leaving)

    def note_end(self, closing: Closing) -> None:
        """Count an item that has ended, and make room for the next."""
        self._under_way.pop(closing.item_id, None)
        self.ended[closing.outcome] = self.ended.get(closing.outcome, 0) + 1
        self.run.ended(closing)
        self._changed.set()

    def note_loss(self, item_id: str) -> None:
        """Count an item that another worker has by now, and make room for the next."""
        self.lost_items += 1
        logger.warning(
            "%s was taken down, or another process has taken it up while this one was held up: "
            "nothing of it is stored here",
            item_id,
        )

    @property
    def _id(self) -> str:
        return self.run.run_id

    def _has_joined(self, joined: Joined | None) -> bool:
        if joined is not None:
            self._run = Run(joined)
        return joined is not None

    def _counts(self, more: Any) -> dict[str, Any]:
        outcomes = {str(outcome): number for outcome, number in self.ended.items()}
        return {"outcomes": outcomes, "lost": self.lost_items, **more}

    async def _claim(self, most: int) -> Batch:
        run = self.run
        discover = not run.inventory.is_over and self._first is None
        batch = await self.ledger.claim(run.run_id, self.process, most, discover=discover)
        if batch.inventory is not None:
            run.inventory = batch.inventory
        if batch.first is not None:
            self._first = batch.first
        if batch.was_away:
            await self._look_what_is_left()
        for claim in batch.claims:
            self._lost.discard(claim.item_id)
            self._ahead.append(_Held(claim, _dossier(claim)))
        return batch

    def _begin(self, held: _Held) -> Dossier:
        held.dossier.started = time.monotonic()
        self._under_way[held.dossier.item_id] = held
        return held.dossier

    async def _wait(self, seconds: float | None) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()

    def _held(self, dossier: Dossier) -> _Held | None:
        """Give the claim that a dossier belongs to; an item may have been claimed anew since."""
        held = self._under_way.get(dossier.item_id)
        return held if held is not None and held.dossier is dossier else None

    async def _close_without(self, held: _Held, closing: Closing) -> None:
        """Close an item of which nothing is stored, with what there is to see of why."""
        evidence = self._evidence.of(held.dossier) if closing.state in UNSETTLED else ()
        await self._close(
            held, closing, lambda session: self._noted(session, closing), evidence=evidence
        )

    async def _close(
        self,
        held: _Held,
        closing: Closing,
        also: Callable[[Any], T],
        *,
        evidence: Sequence[Kept] = (),
    ) -> T | None:
        done = await self.ledger.close(
            self._id,
            self.process,
            held.claim,
            closing,
            lambda session: (also(session),),
            evidence=evidence,
        )
        if done is None:
            self._lose(held)
            return None
        self.note_end(closing)
        return done[0]

    def _noted(self, session: Any, closing: Closing) -> None:
        if closing.outcome is Outcome.GONE and self._note_gone is not None:
            self._note_gone(session, self._id, closing.item_id)

    def _lose(self, held: _Held) -> None:
        item_id = held.claim.item_id
        if self._under_way.get(item_id) is held:
            del self._under_way[item_id]
            self._lost.add(item_id)
            self.note_loss(item_id)
        self._changed.set()

    async def _look_what_is_left(self) -> None:
        """Find out what others have taken while this worker was believed to be dead."""
        fences = await self.ledger.held(self._id, self.process)

        def is_mine(held: _Held) -> bool:
            return fences.get(held.claim.item_id) == held.claim.fence

        self._ahead = deque(filter(is_mine, self._ahead))
        for held in [one for one in self._under_way.values() if not is_mine(one)]:
            self._lose(held)

    def _planned(self, added: int | None) -> None:
        if added is None:
            self._lose_discovery()
        else:
            self.run.added(added)
        self._changed.set()

    def _lose_discovery(self) -> None:
        if self._first is not None:
            self._first = None
            logger.warning("Another process reads the inventory: it is left to that one")


def _dossier(claim: Claim) -> Dossier:
    """Open a dossier, with what an earlier holder of the item had got."""
    dossier = Dossier(claim.planned, started=time.monotonic())
    for part in claim.kept:
        if part.answer is not None:
            dossier.answers[part.part] = part.answer
        dossier.parts[part.part] = part.state
        dossier.kept.add(part.part)
        dossier.requests = max(dossier.requests, part.requests)
    return dossier


def _kept(dossier: Dossier, part: str) -> Kept:
    return Kept(part, dossier.parts[part], dossier.answers.get(part), dossier.requests)


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
