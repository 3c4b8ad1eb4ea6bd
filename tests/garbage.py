"""Looks for garbage seldom, and not among the fourteen thousand tests that were collected.

They and all modules stay until the end; going through them again and again took a fifth of the
time of the unit tests.
"""

import gc


def pytest_collection_finish() -> None:
    """Leave alone what is there by now."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 50)


def pytest_unconfigure() -> None:
    """Let the interpreter take all of it apart at the end."""
    gc.unfreeze()
