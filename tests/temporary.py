"""The folder of a run of the tests for all temporary files, in memory where there is room.

It is gone after the run, with what killed browsers and crawls have left in it. Making and removing
a database of PostgreSQL, some three hundred files, takes a tenth of a processor's time in memory of
what it takes on a disk.
"""

import atexit
import os
import shutil
import tempfile
from collections.abc import MutableMapping
from pathlib import Path

IN_MEMORY = "/dev/shm"  # noqa: S108 - the folder in memory that Linux has
ENOUGH_BYTES = 4_000_000_000
_OURS = "PYTEST_XDIST_WORKER"
"""Tells a process of a run from the one that has begun it."""


def has_room(folder: str, *, enough_bytes: int = ENOUGH_BYTES) -> bool:
    """Whether this folder is there, has room for all that the suite writes, and runs programs."""
    try:
        about = os.statvfs(folder)
    except OSError:
        return False
    free = about.f_bavail * about.f_frsize
    return free >= enough_bytes and os.access(folder, os.W_OK) and not about.f_flag & os.ST_NOEXEC


def use(environment: MutableMapping[str, str] = os.environ) -> Path | None:
    """Let this process and its children have a folder of their own; give it where it is made.

    It is made where somebody has said that temporary files belong. What a test that failed has
    written stays, in pytest's own folder beside it.
    """
    if _OURS in environment:
        return None
    if "TMPDIR" not in environment and has_room(IN_MEMORY):
        environment["TMPDIR"] = IN_MEMORY
    above = environment.get("TMPDIR", tempfile.gettempdir())
    environment.setdefault("PYTEST_DEBUG_TEMPROOT", above)
    folder = tempfile.mkdtemp(prefix="n8n-tests-", dir=above)
    Path(folder).chmod(0o711)  # PostgreSQL runs as another user where we are root
    tempfile.tempdir = environment["TMPDIR"] = folder
    atexit.register(_remove, folder, os.getpid())
    return Path(folder)


def _remove(folder: str, pid: int) -> None:
    if os.getpid() == pid:  # and no fork of it
        shutil.rmtree(folder, ignore_errors=True)
