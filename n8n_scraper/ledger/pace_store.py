"""One pace for all processes that share a database: each thing they do to it is one statement.

Reserving tokens is the frequent one, an UPDATE that says when they are due. Whatever else happens
is worked out here, by the policies, and written if nothing has come between. So no process ever
waits for another one that has gone to sleep, or is killed, in the middle of something.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, TypeVar

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Double,
    Executable,
    bindparam,
    case,
    cast,
    func,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError

from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.domains import TABLE, columns_of, state_of
from n8n_scraper.ledger.statements import insert_into
from n8n_scraper.policies.pace.domain_state import (
    MOST_AHEAD_SECONDS,
    SET_BACK_SECONDS,
    DomainState,
    Step,
    Wish,
)
from n8n_scraper.policies.pace.pace_store import Seen
from n8n_scraper.policies.pace.token_bucket import Reservation

T = TypeVar("T")


class Statements:
    """What is said to the database, in its own words."""

    def __init__(self, dialect: str) -> None:
        self.has_clock = dialect == "postgresql"
        greatest = func.greatest if self.has_clock else func.max
        self._now: ColumnElement[float] = bindparam("now", type_=Double)
        if self.has_clock:
            self._now = cast(func.extract("epoch", func.clock_timestamp()), Double)
        self.find = self._find()
        self.reserve = self._reserve(greatest)
        self.change = (
            update(TABLE)
            .where(TABLE.c.domain == bindparam("of"))
            .where(TABLE.c.revision == bindparam("known_revision"))
            .returning(TABLE.c.revision)
        )
        enter = insert_into(TABLE, dialect).on_conflict_do_nothing()
        self.enter = enter.returning(TABLE.c.revision)

    def _find(self) -> Executable:
        asked = select(self._now.label("now")).subquery()
        found = asked.outerjoin(TABLE, TABLE.c.domain == bindparam("of"))
        return select(TABLE, asked.c.now).select_from(found)

    def _reserve(self, greatest: Any) -> Executable:
        """Reserve tokens as `DomainState.reserved` does."""
        known, number = TABLE.c, bindparam("more_answers", type_=BigInteger)
        is_unused = known.next_at == bindparam("unused_next_at", type_=Double)
        next_at = case((is_unused, bindparam("back_to", type_=Double)), else_=known.next_at)
        due = greatest(next_at, self._now + bindparam("earliest", type_=Double))
        since = case((number > 0, func.coalesce(known.answers_since, self._now)))
        return (
            update(TABLE)
            .where(known.domain == bindparam("of"))
            .where(known.epoch == bindparam("known_epoch"))
            .where(due <= self._now + MOST_AHEAD_SECONDS)
            .where(known.noted_at <= self._now + SET_BACK_SECONDS)
            .values(
                next_at=due + bindparam("cost", type_=Double),
                answers=known.answers + number,
                answers_since=func.coalesce(since, known.answers_since),
                noted_at=self._now,
                revision=known.revision + 1,
            )
            .returning(*known, self._now.label("now"))
        )


class DatabasePaceStore:
    """Keeps the states of domains in the table `domains`, by the database's own clock.

    It has a connection of its own, so that no reservation waits behind an item being stored. It
    belongs to one thread at a time.
    """

    blocks = True

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Connection | None = None

    def look(self, domain: str) -> Seen:
        """Say how a domain stands."""
        return self._do(lambda connection: self._seen(connection, domain), only_reads=True)

    def reserve(self, domain: str, wish: Wish) -> Seen:
        """Reserve tokens, if that may be."""
        while True:
            seen = self._do(lambda connection: self._reserved(connection, domain, wish))
            if seen is not None:
                return seen
            known = self.look(domain)
            if not known.revision or known.state.settled(known.now) is not known.state:
                # It is asked for the first time, or the clock was set back.
                self.change(domain, lambda state, _: state)
            elif known.state.reserved(known.now, wish)[1] is None:
                return known

    def change(self, domain: str, step: Step) -> Seen:
        """Let something happen to a domain; what changes nothing is not written."""
        while True:
            seen = self._do(lambda connection: self._changed(connection, domain, step))
            if seen is not None:
                return seen

    def close(self) -> None:
        """Disconnect."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _seen(self, connection: Connection, domain: str) -> Seen:
        row = connection.execute(self._ask.find, self._at_this_moment(of=domain)).one()
        if row.domain is None:
            return Seen(DomainState(), row.now, 0)
        return Seen(state_of(row), row.now, row.revision)

    def _reserved(self, connection: Connection, domain: str, wish: Wish) -> Seen | None:
        unused = wish.unused
        values = self._at_this_moment(
            of=domain,
            known_epoch=wish.epoch,
            earliest=wish.lead - wish.tempo.slack,
            cost=wish.tokens * wish.tempo.interval,
            unused_next_at=unused and unused.next_at,
            back_to=unused and unused.back_to,
            more_answers=wish.answers,
        )
        row = connection.execute(self._ask.reserve, values).first()
        if row is None:
            return None
        reservation = Reservation(row.next_at, wish.tokens, wish.tempo, row.epoch)
        return Seen(state_of(row), row.now, row.revision, reservation)

    def _changed(self, connection: Connection, domain: str, step: Step) -> Seen | None:
        """Give None when something has come between."""
        seen = self._seen(connection, domain)
        state = step(seen.state.settled(seen.now), seen.now)
        if state == seen.state and seen.revision:
            return seen
        values = columns_of(state) | {"revision": seen.revision + 1}
        if seen.revision:
            write = self._ask.change, {"of": domain, "known_revision": seen.revision} | values
        else:
            write = self._ask.enter, {"domain": domain} | values
        if connection.execute(*write).first() is None:
            return None
        return Seen(state, seen.now, seen.revision + 1)

    def _do(self, work: Callable[[Connection], T], *, only_reads: bool = False) -> T:
        """Work on our own connection; what broke is done again on a new one."""

        def attempt() -> T:
            with self._connected(only_reads) as connection, connection.begin():
                return work(connection)

        return self._database.patiently(attempt)

    @cached_property
    def _ask(self) -> Statements:
        return Statements(self._database.engine.dialect.name)

    def _at_this_moment(self, **values: object) -> dict[str, object]:
        # SQLite has no clock of its own. All who use it are on one machine, and by now we have
        # waited for its lock.
        return values if self._ask.has_clock else {"now": time.time()} | values

    def _connect(self) -> Connection:
        connection = self._database.engine.connect()
        if self._ask.has_clock:
            connection = connection.execution_options(isolation_level="AUTOCOMMIT")
        connection.detach()
        if not self._ask.has_clock:
            # What is stored is copied into the file at the expense of those who store it.
            connection.exec_driver_sql("PRAGMA wal_autocheckpoint=0")
            connection.rollback()
        return connection

    @contextmanager
    def _connected(self, only_reads: bool) -> Iterator[Connection]:
        if self._connection is None:
            self._connection = self._connect()
        try:
            yield self._connection.execution_options(only_reads=only_reads)
        except DBAPIError:
            self.close()
            raise
