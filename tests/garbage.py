"""Looks for garbage seldom, and not among the twelve thousand tests that are collected.

They and all modules stay until the end; going through them again and again took a fifth of the
time of the unit tests, and a quarter of that of collecting them.
"""

import atexit
import gc


def pytest_configure() -> None:
    """Throw nothing away while tests are collected: all of it stays."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Leave alone what is there by now."""
    gc.freeze()
    # The interpreter takes all of it apart at its end; pytest need not look through it before.
    atexit.register(gc.unfreeze)
    gc.set_threshold(10_000, 10, 50)
    gc.enable()
