"""Let signals end a block as exceptions do, and no signal break off its end."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

_ENDING = (signal.SIGTERM, signal.SIGHUP)
"""Those that would end the process without a word; Ctrl-C is an exception already."""


@contextmanager
def as_exceptions() -> Iterator[None]:
    """Let a signal that would end this process end the block first."""
    unheeded = [one for one in _ENDING if signal.getsignal(one) is signal.SIG_DFL]
    with _handled(dict.fromkeys(unheeded, _leave)):
        yield


@contextmanager
def held_off() -> Iterator[None]:
    """Let no signal break the block off, short of those that nothing withstands."""
    with _handled(dict.fromkeys((*_ENDING, signal.SIGINT), signal.SIG_IGN)):
        yield


@contextmanager
def _handled(
    handlers: Mapping[signal.Signals, Callable[..., Any] | signal.Handlers],
) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are the main thread's
        return
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)
