"""Let the kernel end a child whose parent is gone, by whatever way that went."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable

_PR_SET_PDEATHSIG = 1


def end_with(
    parent: int, number: signal.Signals = signal.SIGTERM, *, heeds: tuple[signal.Signals, ...] = ()
) -> Callable[[], None]:
    """Give what a child does before its program begins, so that it gets a signal at that end.

    The kernel tells it when the thread that has started it is gone. A signal that the parent takes
    no notice of is one that the child does not hear either, unless it is named as one it `heeds`.
    """
    tie = _tie_to(parent, number)

    def prepare() -> None:
        for one in heeds:
            signal.signal(one, signal.SIG_DFL)
        tie()

    return prepare


def _tie_to(parent: int, number: signal.Signals) -> Callable[[], None]:
    if sys.platform != "linux":
        return lambda: None
    libc = ctypes.CDLL(None)

    def tie() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0)
        if os.getppid() != parent:  # it was gone before
            os._exit(1)

    return tie
