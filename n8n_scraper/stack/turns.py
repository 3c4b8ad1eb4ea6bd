"""Let only one process at a time start and stop what a folder is about."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from n8n_scraper.core.console import warn
from n8n_scraper.core.errors import BadInput


@contextmanager
def usable(folder: Path) -> Iterator[None]:
    """Say in one line what keeps a folder from being written to."""
    try:
        yield
    except OSError as error:
        raise BadInput(f"STACK_DIR {folder} cannot be used: {error.strerror}.") from None


@contextmanager
def turn(folder: Path) -> Iterator[None]:
    """Wait until no other process is at it, and keep others away for as long as the block lasts."""
    with usable(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (folder / "lock").open("a+")
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            warn(f"process {lock.read()} is starting or stopping this stack; waiting for it.")
            fcntl.flock(lock, fcntl.LOCK_EX)
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield
