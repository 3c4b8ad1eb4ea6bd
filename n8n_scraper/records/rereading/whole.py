"""Read the stored answers of many items anew, from beginning to end, or on from where it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol, TypeVar

from sqlalchemy.orm import Session

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.records.choosing import hold_still
from n8n_scraper.records.rereading import cursor as cursors
from n8n_scraper.records.rereading.blocks import Compared, compare, next_ids, number_of, store
from n8n_scraper.records.rereading.cursor import Cursor
from n8n_scraper.records.rereading.found import Found, Standing
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
        self.stopping = False
        """Set it, and the rereading ends behind the block under way."""
        self._database = database
        self._order = order
        self._found = Found()
        self._not_stored = database.look(self._missing)
        self._cursor = _cursor(order)
        if not order.only_look:
            self._cursor = database.do(lambda session: cursors.find(session, self._cursor))
        self._total = self._cursor.items + self._left()

    @property
    def standing(self) -> Standing:
        """How far it is, and what it has found; an earlier call may have come a part of the way."""
        return Standing(
            source=self._order.source.name,
            found=self._found,
            done=self._cursor.items,
            total=max(self._total, self._cursor.items),  # a crawl may bring more meanwhile
            not_stored=self._not_stored,
        )

    def run(self, each: Each, tell: Callable[[Sequence[Compared]], None]) -> None:
        """Read block after block, store what differs, and tell what has come of each."""
        for ids, compared in each(compare_block, self._blocks()):
            cursor = self._cursor.behind(ids)
            told = compared if self._order.only_look else self._stored(compared, cursor)
            self._cursor = cursor
            self._found.add(told)
            tell(told)
            if self.stopping:
                break
        if not self._left():
            self._total = self._cursor.items  # or has taken some away
            self._forget()

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
        return self._database.look(
            lambda session: next_ids(session, source, selection, after, ITEMS_A_BLOCK)
        )

    def _left(self) -> int:
        source, selection, after = self._order.source, self._selection, self._cursor.after
        return self._database.look(lambda session: number_of(session, source, selection, after))

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
