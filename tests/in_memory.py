"""Puts what the tests write into memory, where the machine has a folder for that with room in it.

Of the time of a processor, a database of PostgreSQL costs a tenth of what it costs on a disk: it
is some three hundred files, made and removed for one test.
"""

import os
import tempfile
from collections.abc import MutableMapping

FOLDER = "/dev/shm"  # noqa: S108 - the folder in memory that Linux has
ENOUGH_BYTES = 4_000_000_000


def has_room(folder: str, *, enough_bytes: int = ENOUGH_BYTES) -> bool:
    """Whether this folder is there, has room for all that the suite writes, and runs programs."""
    try:
        about = os.statvfs(folder)
    except OSError:
        return False
    free = about.f_bavail * about.f_frsize
    return free >= enough_bytes and os.access(folder, os.W_OK) and not about.f_flag & os.ST_NOEXEC


def use(environment: MutableMapping[str, str] = os.environ) -> None:
    """Let this process and its children have their temporary files there; a person's word wins."""
    if "TMPDIR" not in environment and has_room(FOLDER):
        tempfile.tempdir = environment["TMPDIR"] = FOLDER
