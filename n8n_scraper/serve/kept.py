"""Keep a figure that takes its time for a while, and say how old it is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Dated(Generic[T]):
    """A value, and when it was computed."""

    value: T
    at: float


class Kept(Generic[T]):
    """Computes a value when it is too old; meanwhile others are given the old one."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.time) -> None:
        self._seconds = seconds
        self._clock = clock
        self._values: dict[Hashable, Dated[T]] = {}
        self._locks: dict[Hashable, threading.Lock] = {}

    def get(self, key: Hashable, make: Callable[[], T]) -> Dated[T]:
        """Give the value of a key, made anew where that is due."""
        lock = self._locks.setdefault(key, threading.Lock())
        known = self._values.get(key)
        if known is not None and self._clock() - known.at < self._seconds:
            return known
        if lock.acquire(blocking=known is None):
            try:
                newer = self._values.get(key)
                if newer is known:
                    newer = self._values[key] = Dated(make(), self._clock())
                assert newer is not None
                return newer
            finally:
                lock.release()
        assert known is not None
        return known
