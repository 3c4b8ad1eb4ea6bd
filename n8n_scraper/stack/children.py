"""Start and end the processes that are ours, and no others."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from n8n_scraper.core.project_folder import in_project
from n8n_scraper.core.tied import end_with
from n8n_scraper.stack.notes import MARK, Note, Notes, Ours, find
from n8n_scraper.stack.processes import Held, Process, held
from n8n_scraper.stack.turns import usable

_JUST_BEGUN_SECONDS = 0.5
"""More than any process needs from its fork to its program; only then its mark can be seen."""

_KILLED_SECONDS = 10.0
"""How long the kernel may take to end a process that it was told to kill."""


@dataclass(frozen=True, slots=True)
class Program:
    """What is run as a child of ours."""

    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    prepare: Callable[[], None] = lambda: None
    """What has to be done before, such as writing its configuration."""


class _Child(subprocess.Popen[bytes]):
    """A child that may outlive its starter: that is no oversight to be warned of."""

    def __del__(self) -> None:
        """Let it live."""


@dataclass(frozen=True, slots=True)
class _Started:
    """A child of this very process."""

    process: _Child
    log_begins: int
    """Behind what earlier ones have said."""


class Children:
    """The processes that are started for services, each in a session of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._notes = Notes(folder)
        self._started: dict[str, _Started] = {}

    def log_of(self, service: str) -> Path:
        """Where a service writes what it says."""
        return self._folder / f"{service}.log"

    def start(self, service: str, program: Program, *, tied: bool) -> None:
        """Start a program; where this process is killed at any moment, it can still be found.

        What is tied is asked to end by the kernel when the thread that has started it is gone.
        """
        note = Note.new(service)
        with usable(self._folder):
            self._notes.write(note)
            program.prepare()
            opened = self.log_of(service).open("ab")
        with opened as log:
            begin = log.tell()
            child = _Child(
                program.words,
                env={**os.environ, **program.environment, **_marked(note)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=in_project("."),
                start_new_session=True,
                preexec_fn=end_with(os.getpid()) if tied else None,
            )
        self._started[service] = _Started(child, begin)
        if process := Process.of(child.pid):
            self._notes.write(note.started(process))
            _wait_for_mark(process, note)

    def end_of(self, service: str) -> str | None:
        """Say how a process that was started here has ended; None while it lives."""
        started, log = self._started[service], self.log_of(service)
        status = started.process.poll()
        if status is None:
            return None
        said = log.read_bytes()[started.log_begins :].decode(errors="replace").split("\n")
        *_, last = ["without a word", *filter(None, map(str.strip, said))]
        return f"it has ended with status {status}: {last} ({log})"

    def find(self, service: str) -> Ours | None:
        """Look for what of ours lives of a service; None where nothing was noted of it."""
        note = self._notes.read(service)
        return None if note is None else find(note)

    def end(self, service: str, patience_seconds: float) -> Process | None:
        """End what of ours lives of a service; give what may be ours and still lives.

        The process that was started is asked to end, and given time; what it leaves behind is not.
        """
        note = self._notes.read(service)
        if note is None:
            return None
        ours = _find_surely(note)
        if ours.main:
            _end(ours.main, patience_seconds)
        left = _kill_all(note)
        if started := self._started.pop(service, None):
            started.process.poll()  # so that nothing of it stays
        if left is None:
            self._notes.remove(service)
        return left


def _marked(note: Note) -> dict[str, str]:
    # A program that writes its title over its environment would wipe the mark out.
    return {MARK: note.secret, "SPT_NOENV": "1"}


def _wait_for_mark(process: Process, note: Note) -> None:
    """Wait until its environment can be seen: the kernel lays it down after our call returns."""
    deadline = time.monotonic() + _JUST_BEGUN_SECONDS
    while process.carries(note.mark) is False and time.monotonic() < deadline:
        if Process.of(process.pid) != process:
            return
        time.sleep(0.001)


def _find_surely(note: Note) -> Ours:
    ours = find(note)
    if note.pid is None and not ours.all:
        time.sleep(_JUST_BEGUN_SECONDS)
        ours = find(note)
    return ours


def _end(process: Process, patience_seconds: float) -> None:
    """Ask it to end, wait, and kill it where it does not."""
    with held(process) as one:
        if one is None:
            return
        one.signal(signal.SIGTERM)
        if not one.has_ended(patience_seconds):
            _kill(one)


def _kill_all(note: Note) -> Process | None:
    """Kill whatever of ours lives, and what that has started meanwhile; give what does not end."""
    deadline = time.monotonic() + _KILLED_SECONDS
    while (ours := find(note)).all and time.monotonic() < deadline:
        for process in ours.all:
            with held(process) as one:
                if one is not None:
                    _kill(one)
    return next(iter(ours.all), ours.unclear)


def _kill(one: Held) -> None:
    one.signal(signal.SIGKILL)
    one.has_ended(_KILLED_SECONDS)
