"""A browser's own folder, gone with it; one that a killed crawl has left goes with the next."""

from __future__ import annotations

import fcntl
import shutil
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir, mkdtemp

_PREFIX = "n8n-scraper-browser-"
_HELD = "held"


class Profile:
    """An empty folder; a lock in it says that its crawl lives, and the kernel takes it back."""

    def __init__(self) -> None:
        sweep()
        self.path = Path(mkdtemp(prefix=_PREFIX))
        self._lock = (self.path / _HELD).open("w")
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def remove(self) -> None:
        """Delete it."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.close()


def sweep() -> None:
    """Delete the folders that no crawl holds any more."""
    for folder in Path(gettempdir()).glob(f"{_PREFIX}*"):
        # It is held, another user's, or just being made.
        with suppress(OSError), (folder / _HELD).open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
