"""Measure how work grows with its input, in CPU time, which other processes do not lengthen."""

import gc
from collections.abc import Callable
from time import process_time


def cpu_seconds(work: Callable[[], object], rounds: int = 3) -> float:
    """The best of some rounds, without the clearing away of what earlier work has left."""
    gc.disable()
    try:
        return min(_once(work) for _ in range(rounds))
    finally:
        gc.enable()


def times_as_long(work: Callable[[], object], other: Callable[[], object], limit: float) -> float:
    """How many times as long as another work it takes, each at its best.

    Once that is less than the limit, no further round could say otherwise.
    """
    least = cpu_seconds(other)
    best = cpu_seconds(work, rounds=1)
    for _ in range(2):
        if best < limit * least:
            break
        best = min(best, cpu_seconds(work, rounds=1))
    return best / least


def _once(work: Callable[[], object]) -> float:
    began = process_time()
    work()
    return process_time() - began
