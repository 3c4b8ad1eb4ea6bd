"""Read the stored answers of many items anew, from beginning to end, or on from where it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, TypeVar

from sqlalchemy.orm import Session

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.records.choosing import hold_still
from n8n_scraper.records.rereading import cursor as cursors
from n8n_scraper.records.rereading.blocks import Compared, compare, next_ids, number_of, store
from n8n_scraper.records.rereading.cursor import Cursor
from n8n_scraper.records.rereading.found import Found
from n8n_scraper.records.rereading.selection import Selection

A = TypeVar("A")
T = TypeVar("T")

ITEMS_A_BLOCK = 25
"""So many are in one transaction; a kill costs the work on those that are under way, no more."""


class Each(Protocol):
    """Computes something of each of many things, in their order, perhaps in other processes."""

    def __call__(self, function: Callable[[A], T], given: Iterable[A]) -> Iterator[T]:
        """Give what comes of each."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be read anew."""

    source: Source
    selection: Selection
    unwanted: frozenset[str] = frozenset()
    """The computed fields that are not wanted, and stay left out where a crawl has left them."""
    only_look: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """Some items that are compared at a time, in whatever process."""

    database: str
    source: Source
    ids: Sequence[str]
    unwanted: frozenset[str]


class Rereading:
    """One call of the command: how far it is, and what it has found."""

    def __init__(self, database: Database, order: Order) -> None:
        self.found = Found()
        self.stopping = False
        """Set it, and the rereading ends behind the block under way."""
        self._database = database
        self._order = order
        self._cursor = _cursor(order)
        self.not_stored = self._look(self._missing)
        if not order.only_look:
            self._cursor = database.do(lambda session: cursors.find(session, self._cursor))
        self.before = self._cursor.items
        """How many items an earlier call has read."""
        self.total = self.before + self.left

    @property
    def done(self) -> int:
        """How many items are through, those of an earlier call among them."""
        return self._cursor.items

    @property
    def left(self) -> int:
        """How many items are still to be read."""
        return self._look(
            lambda session: number_of(
                session, self._order.source, self._selection, self._cursor.after
            )
        )

    @property
    def is_stopped(self) -> bool:
        """Whether it has ended before its end."""
        return self.done < self.total

    @property
    def status(self) -> ExitStatus:
        """How a command is to end that has done this."""
        if self.found.errors:
            return ExitStatus.BROKEN
        if self.is_stopped:
            return ExitStatus.WORK_LEFT
        return ExitStatus.FAILURES if self.found.unreadable else ExitStatus.DONE

    def run(self, each: Each, tell: Callable[[Sequence[Compared]], None]) -> None:
        """Read block after block, store what differs, and tell what has come of each."""
        for ids, compared in each(compare_block, self._blocks()):
            cursor = self._cursor.behind(ids)
            told = compared if self._order.only_look else self._stored(compared, cursor)
            self._cursor = cursor
            self.found.add(told)
            tell(told)
            if self.stopping:
                break
        if not self.left:
            self.total = self.done
            self._forget()

    def as_json(self) -> dict[str, Any]:
        """Say for machines what was read, and how far it is."""
        return {
            "source": self._order.source.name,
            "stored": not self._order.only_look,
            **self.found.as_json(),
            "not_stored": list(self.not_stored),
            "done": self.done,
            "total": self.total,
        }

    def _stored(self, compared: Sequence[Compared], cursor: Cursor) -> list[Compared]:
        order = self._order

        def all_of_it(session: Session) -> list[Compared]:
            stored = store(session, order.source, compared, order.unwanted)
            cursors.save(session, cursor)
            return stored

        return self._database.do(all_of_it)

    def _blocks(self) -> Iterator[Block]:
        """Look for the next items only when a process has time for them."""
        order, after = self._order, self._cursor.after
        address = self._database.url.render_as_string(hide_password=False)
        while ids := self._next_ids(after):
            yield Block(address, order.source, ids, order.unwanted)
            after = ids[-1]

    def _next_ids(self, after: str) -> list[str]:
        source, selection = self._order.source, self._selection
        return self._look(
            lambda session: next_ids(session, source, selection, after, ITEMS_A_BLOCK)
        )

    def _missing(self, session: Session) -> tuple[str, ...]:
        """Name the items that were asked for by their ids and are not stored."""
        ids = self._order.selection.ids
        if not ids:
            return ()
        there = set(next_ids(session, self._order.source, self._order.selection, "", len(ids)))
        if not there:
            raise BadInput(f"none of these {self._order.source.noun.many} is stored.")
        return tuple(one for one in ids if one not in there)

    def _forget(self) -> None:
        if not self._order.only_look:
            self._database.do(lambda session: cursors.forget(session, self._order.source.name))

    def _look(self, work: Callable[[Session], T]) -> T:
        return self._database.look(work)

    @property
    def _selection(self) -> Selection:
        """The items that were meant when it began."""
        return Selection(self._order.selection.ids, self._cursor.since)


def compare_block(block: Block) -> tuple[Sequence[str], list[Compared]]:
    """Compare items as they are stored at one moment with what is read today."""

    def compared(session: Session) -> list[Compared]:
        hold_still(session)
        return compare(session, block.source, block.ids, block.unwanted)

    return block.ids, _database_at(block.database).look(compared)


@cache
def _database_at(address: str) -> Database:
    """Open a database once a process."""
    return Database(address)


def _cursor(order: Order) -> Cursor:
    selection = order.selection
    asked = {**selection.typed, "unwanted": sorted(order.unwanted)}
    return Cursor(order.source.name, asked, cursors.readers(), selection.since)
