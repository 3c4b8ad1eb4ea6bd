"""What the site saw: measures taken from the stand-in's own log, never from our counters."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Any

Log = Sequence[dict[str, Any]]


def overdraft(log: Log, rate: float, burst: float) -> float:
    """By how many tokens a bucket of this size would have been overdrawn at the worst moment.

    What came while a busy machine held the site up comes in a crowd, which is no hurry of ours: a
    bucket would have given its tokens meanwhile. Below one is not one request too many: a fraction
    is by what our own process was held up with its first request. Where a crawl can be had again,
    and by `make bench`, for which nothing else runs, a twentieth is allowed.
    """
    tokens, last, worst = float(burst), log[0]["t"], 0.0
    for record in log:
        full = burst + record.get("late", 0.0) * rate
        tokens = min(full, tokens + (record["t"] - last) * rate) - 1
        last = record["t"]
        worst = max(worst, -tokens)
    return worst


def achieved(log: Log, rate: float, burst: float) -> float:
    """The requests that came, as a share of those that the bucket allows in that time."""
    seconds = log[-1]["t"] - log[0]["t"]
    return len(log) / (burst + rate * seconds)


def most_in_a_second(log: Log) -> int:
    """Count the requests of the worst second."""
    times = sorted(record["t"] for record in log)
    return max(index + 1 - bisect_left(times, at - 1) for index, at in enumerate(times))


def longest_pause(log: Log) -> float:
    """The seconds in which nothing came, where they were most."""
    return max(later["t"] - earlier["t"] for earlier, later in pairwise(log))


def usual_gap(log: Log) -> float:
    """The seconds from one request to the next, as half of them are: one hiccup tells nothing."""
    return median(later["t"] - earlier["t"] for earlier, later in pairwise(log))


ON_THE_WIRE = 0.25
"""Seconds in which a busy machine brings a request to the site; it left before what came since."""


def inside_windows(log: Log, seconds: float, heard: Sequence[float]) -> int:
    """How many requests came within so many seconds after an answer 429 that was `heard` before.

    A window begins at the moment at which the crawl says that it has heard, which a busy machine
    may put off, and ends so many seconds after the site was asked what it refused.
    """
    refused = [record["t"] for record in log if record["status"] == 429]
    windows = [
        (moment + ON_THE_WIRE, max(t for t in refused if t < moment) + seconds) for moment in heard
    ]
    return sum(any(begin < record["t"] < end for begin, end in windows) for record in log)


def statuses(log: Log) -> dict[int, int]:
    """How often each status was answered."""
    found: dict[int, int] = {}
    for record in log:
        found[record["status"]] = found.get(record["status"], 0) + 1
    return found
