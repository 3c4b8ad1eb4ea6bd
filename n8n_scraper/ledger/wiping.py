"""Leave nothing in the files of a database of what was deleted in it."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from n8n_scraper.ledger.database import Database

_STILL_READ = "another process still reads it as it was"


def wipe(database: Database) -> str | None:
    """Write a SQLite file anew, and empty what is beside it; say why that could not be done.

    PostgreSQL is left to its operator: there it would lock every table.
    """
    if database.engine.dialect.name != "sqlite":
        return None
    with closing(database.engine.raw_connection()) as connection:
        cursor = connection.cursor()
        try:
            cursor.execute("VACUUM")
            (busy, *_) = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError as error:
            return str(error)
        finally:
            cursor.close()
    return _STILL_READ if busy else None
