"""Read a SQLite archive that this process may not write: a mount, a copy, another person's.

SQLite reads an archive by way of two files beside it, `-wal` and `-shm`, and makes them where they
are missing. Where it may not, there are two cases. They are there, because a crawl is writing:
`mode=ro` reads what is committed. They are not: nobody is writing, and `immutable=1` takes the file
as it stands. Should a crawl begin meanwhile, what was read is thrown away and read again.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sqlalchemy import URL, Engine, NullPool, create_engine
from sqlalchemy.exc import DBAPIError

T = TypeVar("T")


def may_be_written(path: Path) -> bool:
    """Whether SQLite can keep its two files beside the archive."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


class ReadOnlyArchive:
    """A file that is opened anew for each look, in the way that fits at that moment."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._as_it_stands = True

    def engine(self, url: URL) -> Engine:
        """SQLAlchemy's engine on this file."""
        return create_engine(url, creator=self.connect, poolclass=NullPool)

    def connect(self) -> sqlite3.Connection:
        """Open the file so that nothing is written beside it."""
        self._as_it_stands = not self._is_in_use()
        how = "immutable=1" if self._as_it_stands else "mode=ro"
        address = f"{self.path.absolute().as_uri()}?{how}"
        connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        connection.isolation_level = None  # SQLAlchemy says BEGIN itself
        return connection

    def look(self, read: Callable[[], T]) -> T:
        """Read, again and again until nobody has written meanwhile what SQLite did not know of."""
        while True:
            before = self._stamp()
            try:
                found = read()
            except DBAPIError:
                if not self._has_moved(before):
                    raise
            else:
                if not self._has_moved(before):
                    return found

    def _has_moved(self, before: object) -> bool:
        return self._as_it_stands and self._stamp() != before

    def _is_in_use(self) -> bool:
        wal, shm = (Path(f"{self.path}{end}") for end in ("-wal", "-shm"))
        return shm.exists() or (wal.exists() and wal.stat().st_size > 0)

    def _stamp(self) -> object:
        stat = self.path.stat()
        return self._is_in_use(), stat.st_mtime_ns, stat.st_size, stat.st_ino
