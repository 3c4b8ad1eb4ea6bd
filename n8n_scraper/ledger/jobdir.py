"""Tie a directory to a run, so that the same command goes on where it was."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import IO

from n8n_scraper.core.errors import BadInput


class InUse(BadInput):
    """Another process works in the directory."""


class JobDirectory:
    """The directory that `JOBDIR` names: which run it belongs to, and who works in it."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self._lock: IO[str] | None = None

    def lock(self) -> None:
        """Take the directory for as long as this object lives; a second process is refused."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = (self.path / "lock").open("a+")
        except OSError as error:
            raise BadInput(f"JOBDIR {self.path} cannot be used: {error.strerror}.") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            owner = lock.read().strip() or "unknown"
            lock.close()
            raise InUse(
                f"JOBDIR {self.path} is in use by process {owner}: "
                "wait for it, or give this crawl a directory of its own."
            ) from None
        if not self._is_in_place(lock):
            lock.close()
            self.lock()
            return
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        self._lock = lock

    def take_over(self) -> None:
        """Take the directory from a process that is held up: what it holds is no longer here."""
        (self.path / "lock").unlink(missing_ok=True)
        self.lock()

    def _is_in_place(self, lock: IO[str]) -> bool:
        """Whether this is the directory's lock still: while we came, others may have changed it."""
        try:
            return os.path.samestat(os.fstat(lock.fileno()), (self.path / "lock").stat())
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let somebody else have the directory; the end of the process does the same."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def run_id(self) -> str | None:
        """The run that this directory belongs to; None for a new or a damaged directory."""
        return self._noted("run_id")

    def database(self) -> str | None:
        """The database that the run is in; None where an older version has tied the directory."""
        return self._noted("database")

    def _noted(self, name: str) -> str | None:
        try:
            noted = json.loads((self.path / "run.json").read_text())
        except (OSError, ValueError):
            return None
        value = noted.get(name) if isinstance(noted, dict) else None
        return value if isinstance(value, str) else None

    def tie(self, run_id: str, database: str) -> None:
        """Note the run, in one step that a kill can only leave undone, never half done."""
        self.path.mkdir(parents=True, exist_ok=True)
        new = self.path / "run.json.new"
        with new.open("w") as file:
            json.dump({"run_id": run_id, "database": database}, file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.path / "run.json")


def holder_of(path: Path) -> int | None:
    """Name the process that holds a directory, without a touch of its lock; None if there is none.

    Only Linux tells; elsewhere there seems to be none.
    """
    try:
        number = (path / "lock").stat().st_ino
        locks = Path("/proc/locks").read_text()
    except OSError:
        return None
    for line in locks.splitlines():
        # 1: FLOCK  ADVISORY  WRITE 4711 fe:01:1234 0 EOF
        words = line.split()
        if words[1] == "FLOCK" and words[5].rpartition(":")[2] == str(number):
            return int(words[4])
    return None
