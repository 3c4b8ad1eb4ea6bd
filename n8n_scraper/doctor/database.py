"""Look at the archive's database."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from n8n_scraper.core.errors import NoArchive, StoreError, TookTooLong
from n8n_scraper.doctor.finding import Finding, bad, ok, warn
from n8n_scraper.doctor.judging import of_clock, of_disk, of_soundness, size
from n8n_scraper.ledger.condition import condition, problems
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.database_settings import DatabaseSettings

LOOK_SECONDS = 10.0
"""How long a database may look for damage in itself."""


def look(settings: DatabaseSettings) -> Iterator[Finding]:
    """Say whether it can be reached, what it is, and whether it has room and is sound."""
    with closing(Database(settings.url, patience_seconds=0, look_seconds=LOOK_SECONDS)) as database:
        folder = _folder(database)
        try:
            found = database.look(condition)
        except NoArchive:
            yield _not_yet(database, folder)
            if folder is not None:
                yield _room(folder, 0)
            return
        except StoreError as error:
            yield bad("database", str(error).rstrip("."), "see DATABASE_URL, or what it names")
            return
        words = f"{database.name}, {found.version}, {size(found.bytes)}, the newest tables"
        yield ok("database", words)
        yield of_clock("the database", time.time() - found.now)
        yield _soundness(database)
    if folder is not None:
        yield _room(folder, found.bytes)


def _soundness(database: Database) -> Finding:
    try:
        return of_soundness(database.look(problems))
    except TookTooLong:
        words = f"not looked through in full: that takes longer than {LOOK_SECONDS:g} s"
        return ok("soundness", words)
    except StoreError as error:
        return bad("soundness", str(error).rstrip("."), "restore a copy; docs/how-to/operate.md")


def _not_yet(database: Database, folder: Path | None) -> Finding:
    if folder is not None and not os.access(folder, os.W_OK):
        return bad("database", f"{folder} cannot be written", "make it, or name a DATABASE_URL")
    return warn("database", f"no archive is in {database.name} yet", "the first crawl makes it")


def _folder(database: Database) -> Path | None:
    """Give the folder of a file, or the one in which that would be made; None of a server."""
    if database.url.get_backend_name() != "sqlite":
        return None
    folder = Path(str(database.url.database)).absolute().parent
    return folder if folder.is_dir() else folder.parent


def _room(folder: Path, database_bytes: int) -> Finding:
    if not folder.is_dir():
        return bad("disk", f"there is no folder {folder}", "make it or mount it")
    return of_disk(str(folder), shutil.disk_usage(folder).free, database_bytes)
