"""Archives in PostgreSQL that one test has after another: to make one takes longer than most tests.

Each test finds its archive as a new one would be. One whose tables a test has changed is thrown
away: nobody can say how to get back from there.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import psycopg
from psycopg.sql import SQL, Identifier
from sqlalchemy import make_url

from tests.every_table import METADATA

_OTHERS_ARE_ENDED = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
_NUMBERS_BEGIN_ANEW = """
SELECT setval(oid::regclass, 1, false) FROM pg_class
WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace
"""
_TABLES = """
SELECT md5(string_agg(concat_ws(' ', oid, xmin, relname), ',' ORDER BY oid)) FROM pg_class
WHERE relnamespace = 'public'::regnamespace
"""
_VERSIONS = "SELECT tablename FROM pg_tables WHERE tablename LIKE 'alembic_version%' ORDER BY 1"

Shape = list[object]
"""What no test leaves as it was that has changed the tables, or which version they are of."""


class UsedAgain:
    """Gives a test an archive that no other has just now, and makes one where there is none."""

    def __init__(self, made: Callable[[], AbstractContextManager[str]]) -> None:
        self._made = made
        self._all = ExitStack()
        self._free: list[tuple[str, Shape]] = []

    @contextmanager
    def archive(self) -> Iterator[str]:
        """The address of one with all tables and nothing in them."""
        url, shape = self._free.pop() if self._free else self._another()
        yield url
        with _connected(url) as connection:
            _empty(connection)
            if _shape(connection) == shape:
                self._free.append((url, shape))

    def close(self) -> None:
        """Throw all of them away."""
        self._all.close()

    def _another(self) -> tuple[str, Shape]:
        url = self._all.enter_context(self._made())
        with _connected(url) as connection:
            return url, _shape(connection)


def _connected(url: str) -> psycopg.Connection:
    address = make_url(url).set(drivername="postgresql")
    return psycopg.connect(address.render_as_string(hide_password=False), autocommit=True)


def _empty(connection: psycopg.Connection) -> None:
    connection.execute(_OTHERS_ARE_ENDED)
    there = {name for (name,) in connection.execute("SELECT tablename FROM pg_tables")}
    tables = [one.name for one in reversed(METADATA.sorted_tables) if one.name in there]
    connection.execute(
        SQL("; ").join(SQL("DELETE FROM {}").format(Identifier(one)) for one in tables)
    )
    connection.execute(_NUMBERS_BEGIN_ANEW)


def _shape(connection: psycopg.Connection) -> Shape:
    versions = [
        connection.execute(SQL("SELECT * FROM {}").format(Identifier(name))).fetchall()
        for (name,) in connection.execute(_VERSIONS).fetchall()
    ]
    return [*connection.execute(_TABLES), *versions]
