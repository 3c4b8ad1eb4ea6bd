"""Looks for garbage seldom, and not among the fourteen thousand tests that were collected.

They and all modules stay until the end; going through them again and again took a fifth of the
time of the unit tests.
"""

import atexit
import gc


def pytest_collection_finish() -> None:
    """Leave alone what is there by now."""
    gc.freeze()
    # The interpreter takes all of it apart at its end; pytest need not look through it before.
    atexit.register(gc.unfreeze)
    gc.set_threshold(10_000, 10, 50)
