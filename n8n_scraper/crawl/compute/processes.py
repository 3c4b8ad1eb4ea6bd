"""Compute in several processes side by side, where nothing else is to be done meanwhile."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from typing import Any, Self, TypeVar

from n8n_scraper.crawl.compute.forked import ForkedProcess, can_fork, fork
from n8n_scraper.crawl.compute.frames import Frames, frame
from n8n_scraper.crawl.compute.pool import ComputeLost
from n8n_scraper.crawl.compute.process import READY
from n8n_scraper.crawl.compute.starting import start

A = TypeVar("A")
T = TypeVar("T")

_AHEAD = 2
"""How many results a process may be ahead of those that wait for another one."""
_PIECE_BYTES = 1024 * 1024


def cores() -> int:
    """Say how many processes can compute at the same time here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Processes:
    """So many processes, each at work on one thing at a time; they end with this one.

    What is computed must be a function of a module of ours, so that a process finds it. They may be
    forked: no connection to SQLite may be open then, because their own would not work.
    """

    def __init__(self, number: int) -> None:
        self._all = [_Process() for _ in range(number)]
        self._idle = list(self._all)
        self._at_work: dict[_Process, int] = {}
        self._selector = DefaultSelector()
        for one in self._all:
            self._selector.register(one.channel, EVENT_READ, one)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()
        for one in self._all:
            one.end()

    def each(self, function: Callable[[A], T], given: Iterable[A]) -> Iterator[T]:
        """Compute something of each; give what comes of it in the order in which it was given.

        Whatever there is to do, only a few results are in memory at a time. What is raised there
        is raised here, in its turn; ComputeLost where a process has ended in the middle of it.
        """
        left, turn = enumerate(given), 0
        results: dict[int, tuple[bool, Any]] = {}
        while True:
            self._hand_out(function, left, room=_AHEAD * len(self._all) - len(results))
            if turn in results:
                yield _unpacked(*results.pop(turn))
                turn += 1
            elif self._at_work:
                results.update(self._heard())
            else:
                return

    def _hand_out(
        self, function: Callable[[A], object], left: Iterator[tuple[int, A]], room: int
    ) -> None:
        while self._idle and len(self._at_work) < room and (task := next(left, None)):
            number, given = task
            process = self._idle.pop()
            self._at_work[process] = number
            process.give(function, given)

    def _heard(self) -> dict[int, tuple[bool, Any]]:
        """Wait until a process has computed something; give it by its number."""
        found = {}
        for key, _ in self._selector.select():
            process: _Process = key.data
            if (answer := process.hear()) is None:
                continue
            if process in self._at_work:
                found[self._at_work.pop(process)] = answer
            if process.has_ended:
                self._selector.unregister(process.channel)
                self._idle = [one for one in self._idle if one is not process]
            else:
                self._idle.append(process)
        return found


class _Process:
    """A process that computes, and our end of the way to it."""

    def __init__(self) -> None:
        self._process, self.channel = _begun()
        self._frames = Frames()
        self.has_ended = False

    def give(self, function: object, given: object) -> None:
        with suppress(OSError):  # that it has ended is heard of soon
            self.channel.sendall(frame((function, (given,))))

    def hear(self) -> tuple[bool, Any] | None:
        """Take in a piece of what it says; give its answer when that is whole."""
        try:
            piece = self.channel.recv(_PIECE_BYTES)
        except ConnectionError:  # it was killed before it had heard all
            piece = b""
        if not piece:
            self.has_ended = True
            return False, ComputeLost(f"a process has ended with status {self._process.wait()}")
        whole = [one for one in self._frames.feed(piece) if one != READY]
        return whole[0] if whole else None

    def end(self) -> None:
        self.channel.close()
        self._process.kill()
        self._process.wait()


def _begun() -> tuple[ForkedProcess | subprocess.Popen[bytes], socket.socket]:
    return fork() if can_fork() else start()


def _unpacked(went_well: bool, result: Any) -> Any:
    if not went_well:
        raise result
    return result
