"""Hold what only looks to looking, and to a time, so that no reader is in a writer's way for long.

In SQLite a reader that never ends keeps the write-ahead log from being emptied; in PostgreSQL it
keeps old rows from being cleared away.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import TookTooLong

_STEPS_BETWEEN = 20_000
"""How much SQLite does between two looks at the clock: about a millisecond's worth."""

_CANCELLED = "57014"
"""What PostgreSQL calls a statement that it has ended for its time."""


class Bound:
    """How long one look may take; breaks off all that are under way when it is told to."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.is_over = False

    @contextmanager
    def on(self, session: Session) -> Iterator[None]:
        """Let a session read, and nothing more, for as long as that."""
        is_sqlite = session.get_bind().dialect.name == "sqlite"
        try:
            with self._sqlite(session) if is_sqlite else self._postgresql(session):
                yield
        except DBAPIError as error:
            if _is_ours(error):
                raise TookTooLong(self.seconds) from error
            raise

    @contextmanager
    def _sqlite(self, session: Session) -> Iterator[None]:
        deadline = time.monotonic() + self.seconds
        connection = session.connection().connection.dbapi_connection
        assert connection is not None
        connection.set_progress_handler(
            lambda: self.is_over or time.monotonic() > deadline, _STEPS_BETWEEN
        )
        try:
            connection.execute("PRAGMA query_only=ON").close()
            yield
        finally:
            connection.set_progress_handler(None, 0)
            connection.execute("PRAGMA query_only=OFF").close()

    @contextmanager
    def _postgresql(self, session: Session) -> Iterator[None]:
        session.execute(text("SET TRANSACTION READ ONLY"))
        session.execute(text(f"SET LOCAL statement_timeout = {round(self.seconds * 1000)}"))
        yield


def _is_ours(error: DBAPIError) -> bool:
    name = getattr(error.orig, "sqlite_errorname", "")
    return name == "SQLITE_INTERRUPT" or getattr(error.orig, "sqlstate", None) == _CANCELLED
