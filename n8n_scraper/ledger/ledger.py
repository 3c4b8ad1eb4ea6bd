"""What a worker asks of a ledger, and the words in which it is answered.

A ledger is the queue of a run: what is planned, under way and done, and who works on it. Its SQL
is in `items.py`, `runs.py` and `workers.py`; `n8n_scraper.testing` has one in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from n8n_scraper.core.dossier import Dossier
from n8n_scraper.core.outcomes import Outcome

if TYPE_CHECKING:
    from n8n_scraper.core.dossier import Answer, Planned
    from n8n_scraper.core.item import PartState
    from n8n_scraper.policies.run.ending import Account

T = TypeVar("T")

Also = Callable[[Any], T]
"""Work in the transaction of a ledger: it is handed what its statements are carried out by."""


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
class Process:
    """A process that works on a run, or wants to."""

    name: str
    """Its host, its number there, and a token that no other one has: `host:pid:token`."""
    machine: str
    """Where its number means anything."""
    lease_seconds: float
    """For how long it is believed to be at work after each sign of life."""
    jobdir: str | None = None
    """The directory whose lock it holds."""

    @property
    def host(self) -> str:
        """The machine's name for people."""
        return self.name.partition(":")[0]

    @property
    def pid(self) -> int | None:
        """Its number on its machine."""
        number = self.name.split(":")[1:2]
        return int(number[0]) if number and number[0].isdecimal() else None

    def holds_directory_of(self, other: Process) -> bool:
        """Whether the lock of another's directory is its own, which that one therefore lacks."""
        mine = (self.host, self.jobdir)
        return self.jobdir is not None and mine == (other.host, other.jobdir)


@dataclass(frozen=True, slots=True)
class Kept:
    """A part of a chain under way, as an earlier holder of its item has left it."""

    part: str
    state: PartState
    answer: Answer | None
    requests: int
    """HTTP requests spent on the item by then."""


def brought(planned: Planned) -> tuple[Kept, ...]:
    """Give the parts of an item that its inventory has brought along: they have cost no request."""
    dossier = Dossier.opened(planned, started=0.0)
    return tuple(
        Kept(part, dossier.parts[part], answer, 0) for part, answer in dossier.answers.items()
    )


@dataclass(frozen=True, slots=True)
class Claim:
    """An item that a worker holds.

    Each claim of an item has a higher fence than the one before, so that whoever held it before
    can do nothing to it any more.
    """

    planned: Planned
    fence: int
    kept: tuple[Kept, ...] = ()

    @property
    def item_id(self) -> str:
        """The item's id."""
        return self.planned.item_id


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


@dataclass(frozen=True, slots=True)
class Tally:
    """How many items of a run stand where."""

    states: Mapping[str, int] = field(default_factory=dict)
    outcomes: Mapping[str, int] = field(default_factory=dict)
    unlisted: int = 0

    @property
    def total(self) -> int:
        """All items of the run."""
        return sum(self.states.values())

    @property
    def left(self) -> int:
        """Items that have no outcome yet."""
        return self.states.get(State.PENDING, 0) + self.states.get(State.CLAIMED, 0)

    @property
    def unsettled(self) -> int:
        """Items that have ended, but not for good."""
        return sum(self.states.get(state, 0) for state in UNSETTLED)


@dataclass(frozen=True, slots=True)
class Inventory:
    """How far a run knows what there is to do."""

    is_whole: bool = False
    """Whether it was read in full."""
    error: str | None = None
    """Why it is not whole, and not read any further."""
    refusal: str | None = None
    """Why the site has none for the run's arguments."""
    warning: str | None = None
    """What of it was not believed."""

    @property
    def is_over(self) -> bool:
        """Whether nothing is planned any more."""
        return self.is_whole or self.error is not None or self.refusal is not None


@dataclass(frozen=True, slots=True)
class Joined:
    """A run as a worker finds it that joins."""

    run_id: str
    arguments: Mapping[str, Any]
    tally: Tally
    inventory: Inventory
    taken_up: bool
    """Whether it was there before."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What asking for work has brought."""

    claims: Sequence[Claim] = ()
    first: int | None = None
    """Where the plan goes on, if the worker holds discovery from now on."""
    inventory: Inventory | None = None
    """How discovery stands, where that was asked and somebody else holds it."""
    is_over: bool = False
    """Whether nothing is left to do, for this worker or any other."""
    was_away: bool = False
    """Whether the worker's lease had run out, so that others may have its items by now."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What a sign of life has brought."""

    was_away: bool
    """Whether it came too late: others may have the worker's items by now."""
    reclaimed: int = 0
    """How many items of workers that are lost are pending again."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """What a worker says of itself when it leaves."""

    reason: str
    """Why its spider was closed."""
    counts: Mapping[str, Any] = field(default_factory=dict)
    """What it has done."""
    feed_lost: bool = False
    asking_broke_off: bool = False
    """Whether an error of our own has ended the asking for transcripts."""


class Listener(Protocol):
    """Hears, in the very transaction, what becomes of runs and their items."""

    def begun(self, session: Any, run_id: str) -> None:
        """A worker has entered a run, or joined it."""

    def planned(self, session: Any, run_id: str) -> None:
        """Nothing is planned any more."""

    def closed(self, session: Any, run_id: str, closing: Closing) -> None:
        """An item has its outcome."""

    def left(self, session: Any, run_id: str) -> None:
        """A worker has left a run, which may be over by that."""


class Ledger(Protocol):
    """The queue of a run, shared by all its workers: each call is one transaction.

    What a worker does to an item it does as the holder of a claim, and where another worker has
    the item by now nothing is done: then the answer is False, or None.
    """

    async def enter(self, new: NewRun, me: Process) -> Joined:
        """Begin a run, as its first worker."""

    async def take_up(self, run_id: str, new: NewRun, me: Process) -> Joined | None:
        """Go on with a run by its own command; None when it is another's, finished or unknown.

        Raises WorkedOn when a process on another machine works on it in a directory of its own.
        """

    async def join(self, run_id: str, me: Process) -> Joined | None:
        """Work on a run beside the workers that it has; None when it is finished or unknown."""

    async def renew(self, run_id: str, me: Process) -> Heard:
        """Say that a worker is alive, and make pending what lost workers held."""

    async def claim(self, run_id: str, me: Process, most: int, *, discover: bool) -> Batch:
        """Take the next pending items, those that were given back last.

        With `discover` take discovery as well, if that is open.
        """

    async def held(self, run_id: str, me: Process) -> Mapping[str, int]:
        """Give the fence of each item that a worker still holds."""

    async def keep(self, run_id: str, me: Process, claim: Claim, parts: Sequence[Kept]) -> bool:
        """Keep what has come of a chain under way, so that its item's next holder has it."""

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
        """Give an item its outcome, and do `also` with it, all or nothing.

        The evidence of one that is not had is kept until it is tried again.
        """

    async def drop_the_rest(
        self, run_id: str, me: Process, claim: Claim, reason: str
    ) -> Tally | None:
        """Take an item, and all that is pending, out of the run."""

    async def plan(
        self, run_id: str, me: Process, entries: Sequence[Planned], *, first: int
    ) -> int | None:
        """Enter items that the run expects, each once; count the new ones."""

    async def plan_by(self, run_id: str, me: Process, also: Also[T]) -> T | None:
        """Let work of the source's own plan, in one transaction."""

    async def end_discovery(self, run_id: str, me: Process, inventory: Inventory) -> bool:
        """Say how the inventory was found; nothing is planned any more."""

    async def reserve(self, run_id: str, requests: int, *, budget: int) -> bool:
        """Set requests aside of the run's budget; False when not so many are left.

        A negative number gives back what was set aside and not sent.
        """

    async def affordable(self, run_id: str, *, budget: int) -> int:
        """Count the requests of the run's budget that no worker has set aside."""

    async def reopen_failed(self, run_id: str, categories: Sequence[str], since: str) -> int:
        """Make items pending again that have failed for these reasons since then."""

    async def tally(self, run_id: str) -> Tally:
        """Count the items of a run by how they stand."""

    async def note(self, run_id: str, me: Process, counts: Mapping[str, Any]) -> Tally:
        """Note how far a run is, for whoever looks from outside, and what a worker has done."""

    async def leave(self, run_id: str, me: Process, leaving: Leaving) -> Account:
        """Give back what a worker holds; end the run when it is over or no other works on it.

        Given is how the run stands then, which is what every worker tells that leaves it.
        """
