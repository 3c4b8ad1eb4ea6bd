"""Have the garbage collector look seldomer in a process that makes much and keeps little."""

from __future__ import annotations

import gc

_OBJECTS_UNTIL_A_LOOK = 5_000


def look_seldomer() -> None:
    """Take what is there by now out of the collector's sight, and let more be made between looks.

    What is loaded stays for good, and walking it takes some sixty milliseconds each time. What is
    made of an answer is gone soon without the collector.
    """
    gc.freeze()
    first, *others = gc.get_threshold()
    gc.set_threshold(max(first, _OBJECTS_UNTIL_A_LOOK), *others)
