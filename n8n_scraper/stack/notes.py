"""Note which processes are ours, so that whoever comes next can tell, whatever has been killed.

The note is written before its process is started, with a secret that the process then carries in
its environment. So none is ever lost: where we were killed in between, the secret finds it.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.errors import BadInput
from n8n_scraper.stack.processes import Process, all_processes, this_boot

MARK = "N8N_SCRAPER_STACK"
"""The variable in which a process of ours, and whatever it starts, carries its note's secret."""


@dataclass(frozen=True, slots=True)
class Note:
    """What is noted of one service that we have started."""

    service: str
    secret: str
    written_at: str
    boot: str
    pid: int | None = None
    began: int | None = None

    @classmethod
    def new(cls, service: str) -> Self:
        """Begin one: of a process that is about to be started."""
        return cls(service, secrets.token_hex(16), utc_now(), this_boot())

    def started(self, process: Process) -> Self:
        """Say which process it has become."""
        return replace(self, pid=process.pid, began=process.began)

    @property
    def mark(self) -> bytes:
        """What the environment of a process of ours has in it."""
        return f"{MARK}={self.secret}".encode()

    def names(self, process: Process) -> bool:
        """Whether this is the process that the note speaks of, as far as numbers can tell."""
        same = (process.pid, process.began) == (self.pid, self.began)
        return same and self.boot == this_boot()


@dataclass(frozen=True, slots=True)
class Ours:
    """The living processes of a note."""

    main: Process | None
    others: tuple[Process, ...]
    """What it has started, even where it has ended itself."""
    unclear: Process | None = None
    """One that has number and beginning of ours, but not to be looked at or without the mark."""

    @property
    def all(self) -> tuple[Process, ...]:
        """All of which it is certain."""
        return (*((self.main,) if self.main else ()), *self.others)


def find(note: Note, processes: Iterable[Process] | None = None) -> Ours:
    """Look for the processes of a note; what does not carry its mark is none of ours."""
    seen = list(all_processes() if processes is None else processes)
    carrying = [one for one in seen if one.carries(note.mark)]
    mains = (one for one in carrying if _is_main(one, note, carrying))
    main = next(mains, None)
    others = tuple(one for one in carrying if one != main)
    unclear = (one for one in seen if note.names(one) and one not in carrying)
    return Ours(main, others, next(unclear, None))


def _is_main(process: Process, note: Note, carrying: Iterable[Process]) -> bool:
    """Whether we have started it ourselves; before that is noted, its parent tells."""
    if note.pid is not None:
        return note.names(process)
    return process.parent not in {one.pid for one in carrying}


class Notes:
    """The folder of the notes: one file a service, each written in one step."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, note: Note) -> None:
        """Keep a note in the place of the one before."""
        path = self._path(note.service)
        new = path.with_suffix(".new")
        with new.open("w") as file:
            json.dump(asdict(note), file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)

    def read(self, service: str) -> Note | None:
        """Give the note of a service, if there is one; of another user's there is none."""
        path = self._path(service)
        try:
            return Note(**json.loads(path.read_text()))
        except (FileNotFoundError, PermissionError):
            return None
        except (OSError, ValueError, TypeError):
            raise BadInput(
                f"{path} cannot be read, so it is not known which process it is about: "
                "look for that yourself, then remove the file."
            ) from None

    def remove(self, service: str) -> None:
        """Forget a service: nothing of it lives any more."""
        self._path(service).unlink(missing_ok=True)

    def _path(self, service: str) -> Path:
        return self._folder / f"{service}.json"
