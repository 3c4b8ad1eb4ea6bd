"""Looks for garbage seldom, and not among the twelve thousand tests that are collected.

They and all modules stay until the end; going through them again and again took a fifth of the
time of the unit tests, and a quarter of that of collecting them.
"""

import atexit
import gc

import pytest
from _pytest.unraisableexception import gc_collect_iterations_key


def pytest_configure(config: pytest.Config) -> None:
    """Throw nothing away while tests are collected: all of it stays."""
    gc.disable()
    # At the end pytest looks five times for what cannot be thrown away: once shows as much of it.
    config.stash[gc_collect_iterations_key] = 1


def pytest_collection_finish() -> None:
    """Leave alone what is there by now."""
    gc.freeze()
    # The interpreter takes all of it apart at its end; pytest need not look through it before.
    atexit.register(gc.unfreeze)
    gc.set_threshold(50_000, 10, 50)
    gc.enable()
