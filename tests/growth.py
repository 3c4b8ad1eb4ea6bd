"""Measure how work grows with its input, in CPU time, which other processes do not lengthen."""

import gc
from collections.abc import Callable
from time import process_time


def cpu_seconds(work: Callable[[], object], rounds: int = 3) -> float:
    """The best of some rounds, without the clearing away of what earlier work has left."""
    gc.collect()
    gc.disable()
    try:
        return min(_once(work) for _ in range(rounds))
    finally:
        gc.enable()


def _once(work: Callable[[], object]) -> float:
    began = process_time()
    work()
    return process_time() - began
