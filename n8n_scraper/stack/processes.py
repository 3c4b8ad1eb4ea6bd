"""Look at the processes of this machine, and hold one so that it cannot be mistaken for another.

A number (pid) is given to another process once its own has ended. So one is never signalled by its
number: it is held first, then recognised, then signalled.
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_PROC = Path("/proc")
_STATE, _PARENT, _BEGAN = 0, 1, 19
"""Places of fields in /proc/<pid>/stat behind the name, which may hold anything."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process; number and beginning name it for as long as the machine runs."""

    pid: int
    began: int
    """In ticks since the machine started."""
    parent: int = field(compare=False)

    @classmethod
    def of(cls, pid: int) -> Process | None:
        """Give the living process with a number; one whose parent has not looked yet is dead."""
        try:
            stat = (_PROC / str(pid) / "stat").read_text(errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            return None
        fields = stat.rpartition(")")[2].split()
        if fields[_STATE] in "ZX":
            return None
        return cls(pid, int(fields[_BEGAN]), int(fields[_PARENT]))

    @property
    def command(self) -> str:
        """What it was started as, for a person; empty where it is not to be seen."""
        try:
            words = (_PROC / str(self.pid) / "cmdline").read_bytes().split(b"\0")
        except OSError:
            return ""
        return b" ".join(words).decode(errors="replace").strip()

    def carries(self, mark: bytes) -> bool | None:
        """Whether its environment had this `NAME=value`; None where that cannot be looked at."""
        try:
            environment = (_PROC / str(self.pid) / "environ").read_bytes()
        except PermissionError:
            return None
        except OSError:
            return False
        return mark in environment.split(b"\0")


def all_processes() -> Iterator[Process]:
    """Give every process that is to be seen."""
    for folder in _PROC.iterdir():
        if folder.name.isdecimal() and (process := Process.of(int(folder.name))):
            yield process


def this_boot() -> str:
    """Name the time since the machine was started: at the next start, ticks are counted anew."""
    return (_PROC / "sys/kernel/random/boot_id").read_text().strip()


class Held:
    """A process whose number means nothing else for as long as it is held."""

    def __init__(self, process: Process, descriptor: int) -> None:
        self.process = process
        self._descriptor = descriptor

    def signal(self, number: signal.Signals) -> None:
        """Signal it; one that has ended takes no notice."""
        try:
            signal.pidfd_send_signal(self._descriptor, number)
        except ProcessLookupError:
            return

    def has_ended(self, seconds: float) -> bool:
        """Wait for its end, for no longer than this."""
        ended = select.poll()
        ended.register(self._descriptor, select.POLLIN)
        return bool(ended.poll(max(0.0, seconds) * 1000))


@contextmanager
def held(process: Process) -> Iterator[Held | None]:
    """Hold a process for as long as the block lasts; None where it has ended."""
    try:
        descriptor = os.pidfd_open(process.pid)
    except ProcessLookupError:
        yield None
        return
    try:
        yield Held(process, descriptor) if Process.of(process.pid) == process else None
    finally:
        os.close(descriptor)
