"""Let so many crawls run at once, each as a process, until all have had their turn.

A place that becomes free is taken at once by whoever is next: the slowest of them holds nobody
back but whoever comes after the last place.
"""

from __future__ import annotations

import os
import select
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")

_ENDED_BY = (signal.SIGINT, signal.SIGTERM)


class Process(Protocol):
    """What a round has to know of a child."""

    def fileno(self) -> int:
        """Give what can be read of as soon as it has ended."""

    def stop(self) -> None:
        """Ask it to end."""

    def kill(self) -> None:
        """End it at once."""

    def close(self) -> object:
        """Leave nothing of it behind."""


class Round(Generic[T]):
    """Things to be done, each as a child of this process."""

    def __init__(
        self,
        at_once: int,
        begin: Callable[[T], Process | None],
        end: Callable[[T, Process], None],
    ) -> None:
        self.left_over: Sequence[T] = ()
        """What has not begun, because the round was ended."""
        self.was_ended = False
        self._at_once = at_once
        self._begin = begin
        self._end = end
        self._at_work: dict[int, tuple[T, Process]] = {}

    def go(self, things: Iterable[T]) -> None:
        """Do all of them; Ctrl-C lets no other one begin and ends the others, twice at once."""
        to_come = deque(things)
        with _heard() as heard:
            try:
                while to_come or self._at_work:
                    self._fill(to_come)
                    if self._at_work:
                        for thing, process in self._wait(heard, to_come):
                            self._end(thing, process)
            except BaseException:
                self._leave(heard)
                raise

    def _fill(self, to_come: deque[T]) -> None:
        while to_come and len(self._at_work) < self._at_once:
            thing = to_come.popleft()
            if (process := self._begin(thing)) is not None:
                self._at_work[process.fileno()] = (thing, process)

    def _wait(self, heard: int, to_come: deque[T]) -> list[tuple[T, Process]]:
        """Give those that have ended, as soon as some have; one that we heard of may have."""
        poll = select.poll()
        for descriptor in (heard, *self._at_work):
            poll.register(descriptor, select.POLLIN)
        found = [descriptor for descriptor, _ in poll.poll()]
        if heard in found:
            self._hear(os.read(heard, 64), to_come)
        return [self._at_work.pop(one) for one in found if one != heard]

    def _hear(self, signals: bytes, to_come: deque[T]) -> None:
        for _ in signals:
            for _, process in self._at_work.values():
                process.kill() if self.was_ended else process.stop()
            self.was_ended = True
        self.left_over = (*self.left_over, *to_come)
        to_come.clear()

    def _leave(self, heard: int) -> None:
        """Ask all to end where something has broken, and wait until they have."""
        for _, process in self._at_work.values():
            process.stop()
        self.was_ended = True
        while self._at_work:
            for _, process in self._wait(heard, deque()):
                process.close()


@contextmanager
def _heard() -> Iterator[int]:
    """Give what a byte is written to for each signal that asks this process to end."""
    reading, writing = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    before = {number: signal.signal(number, lambda *_: None) for number in _ENDED_BY}
    waker = signal.set_wakeup_fd(writing)
    try:
        yield reading
    finally:
        signal.set_wakeup_fd(waker)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(reading)
        os.close(writing)
