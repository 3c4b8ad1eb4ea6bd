"""Measure how work grows with its input, in CPU time, which other processes do not lengthen."""

import gc
from collections.abc import Callable
from math import inf
from time import process_time


def cpu_seconds(work: Callable[[], object], rounds: int = 3) -> float:
    """The best of some rounds, without the clearing away of what earlier work has left."""
    gc.disable()
    try:
        return min(_once(work) for _ in range(rounds))
    finally:
        gc.enable()


def times_as_long(work: Callable[[], object], other: Callable[[], object], limit: float) -> float:
    """How many times as long as another work it takes, where that shows it at its best.

    The other one is done before it and after it, as fast as the processor is just then. Once it is
    less than the limit, no further round could say otherwise.
    """
    best = inf
    for _ in range(5):
        before, own, after = (cpu_seconds(one, rounds=1) for one in (other, work, other))
        best = min(best, own / min(before, after))
        if best < limit:
            break
    return best


def _once(work: Callable[[], object]) -> float:
    began = process_time()
    work()
    return process_time() - began
