"""Keeps the exact record of every request the stand-in was asked."""

import re
import time
from collections import Counter
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any

_RECENT_S = 10.0
_WINDOW_S = 1.0

PathKinds = tuple[tuple[str, re.Pattern[str]], ...]


@dataclass(slots=True)
class Record:
    """One request and what became of it; times are seconds of the monotonic clock."""

    seq: int
    t: float
    host: str
    method: str
    path: str
    user_agent: str
    status: int | None = None
    fault: str | None = None
    bytes: int = 0
    ended: float | None = None
    late: float = 0.0
    """For how long it may have waited until this stand-in had a processor."""


class Journal:
    """All records since the last reset, in the order the requests came."""

    def __init__(self, kinds: PathKinds = ()) -> None:
        self._kinds = kinds
        self.records: list[Record] = []
        self._numbers = count(1)

    def open(
        self, t: float, host: str, method: str, path: str, user_agent: str, late: float = 0.0
    ) -> Record:
        """Note that a request has come."""
        record = Record(next(self._numbers), t, host, method, path, user_agent, late=late)
        self.records.append(record)
        return record

    def clear(self) -> None:
        """Forget all requests; numbering goes on, so that no ``seq`` is used twice."""
        self.records.clear()

    def since(self, seq: int) -> list[dict[str, Any]]:
        """Return the records after a number, the newest last."""
        if not self.records:
            return []
        skipped = max(0, seq - self.records[0].seq + 1)
        return [asdict(record) for record in self.records[skipped:]]

    def stats(self) -> dict[str, Any]:
        """Count the records by what they asked and got, and measure their pace."""
        times = [record.t for record in self.records]
        recent = sum(t > time.monotonic() - _RECENT_S for t in times)
        return {
            "requests": len(self.records),
            "open": sum(record.ended is None for record in self.records),
            "by_status": Counter(str(record.status) for record in self.records if record.status),
            "by_kind": Counter(path_kind(record.path, self._kinds) for record in self.records),
            "by_fault": Counter(record.fault for record in self.records if record.fault),
            "rate_last_10_s": recent / _RECENT_S,
            "max_in_1_s": most_in_window(times),
            "first_t": times[0] if times else None,
            "last_t": times[-1] if times else None,
        }


def path_kind(path: str, kinds: PathKinds) -> str:
    """Name the kind of answer a path asks for."""
    return next((name for name, pattern in kinds if pattern.match(path)), "other")


def most_in_window(times: list[float], window_s: float = _WINDOW_S) -> int:
    """Count the most requests in any window of this length; times must grow."""
    most = start = 0
    for end, t in enumerate(times):
        while t - times[start] >= window_s:
            start += 1
        most = max(most, end - start + 1)
    return most
