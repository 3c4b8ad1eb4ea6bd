"""Keep the book of an account's sessions where all processes that use the database see it.

Each change is worked out by the policy and written by one UPDATE, if nothing has come between. So
no process waits for another one that has gone to sleep, or is killed, in the middle of something.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, Double, bindparam, cast, func, select, update

from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.statements import insert_into
from n8n_scraper.ledger.tables import BrowserSessionsRow, table_of
from n8n_scraper.policies.sessions.book import Lease, SessionBook, Standing

_TABLE = table_of(BrowserSessionsRow)

Change = Callable[[SessionBook, float], SessionBook]
"""What happens to a book at a time."""


@dataclass(frozen=True, slots=True)
class SeenBook:
    """A book, and the time at which it was so."""

    book: SessionBook
    now: float
    tag: str
    """What the sessions in it carry."""


class SessionBooks:
    """The book of one account, by the database's own clock unless there is another one."""

    def __init__(
        self, database: Database, account: str, clock: Callable[[], float] | None = None
    ) -> None:
        self._database = database
        self._account = account
        self._clock = clock

    def look(self) -> SeenBook:
        """Say how it stands."""
        return self.change(lambda book, now: book)

    def change(self, change: Change) -> SeenBook:
        """Let something happen; `change` may be asked again, of a book that is another then."""
        while True:
            seen = self._database.patiently(lambda: self._attempt(change))
            if seen is not None:
                return seen

    def _attempt(self, change: Change) -> SeenBook | None:
        """Give None when something has come between."""
        with self._engine.begin() as connection:
            row = connection.execute(self._find, self._at_this_moment()).one()
            if row.account is None:
                self._enter(connection)
                return None
            before = _book(row)
            after = change(before, row.now)
            if after != before and not self._written(connection, row, after):
                return None
            return SeenBook(after, row.now, row.tag)

    def _enter(self, connection: Connection) -> None:
        first = {"account": self._account, "tag": secrets.token_hex(8), "revision": 1}
        row = first | _columns(SessionBook())
        enter = insert_into(_TABLE, connection.dialect.name).on_conflict_do_nothing()
        connection.execute(enter, row)

    def _written(self, connection: Connection, row: Any, book: SessionBook) -> bool:
        found = (_TABLE.c.account == self._account, _TABLE.c.revision == row.revision)
        values = _columns(book) | {"revision": row.revision + 1}
        return bool(connection.execute(update(_TABLE).where(*found).values(values)).rowcount)

    @cached_property
    def _find(self) -> Any:
        now: Any = bindparam("now", type_=Double)
        if self._has_clock:
            now = cast(func.extract("epoch", func.clock_timestamp()), Double)
        asked = select(now.label("now")).subquery()
        found = asked.outerjoin(_TABLE, _TABLE.c.account == self._account)
        return select(_TABLE, asked.c.now).select_from(found)

    @property
    def _has_clock(self) -> bool:
        return self._clock is None and self._database.engine.dialect.name == "postgresql"

    def _at_this_moment(self) -> dict[str, float]:
        return {} if self._has_clock else {"now": (self._clock or time.time)()}

    @cached_property
    def _engine(self) -> Any:
        engine = self._database.engine
        if engine.dialect.name == "postgresql":
            return engine.execution_options(isolation_level="AUTOCOMMIT")
        return engine


def _book(row: Any) -> SessionBook:
    leases = (Lease(**{**one, "standing": Standing(one["standing"])}) for one in row.leases)
    return SessionBook(tuple(leases), tuple(row.begun), row.held_until)


def _columns(book: SessionBook) -> dict[str, Any]:
    return {
        "leases": [asdict(one) for one in book.leases],
        "begun": list(book.begun),
        "held_until": book.held_until,
    }
