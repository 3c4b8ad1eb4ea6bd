"""The process that computes: it does what it is given, one thing after the other, until EOF.

It ends with the crawl however that ends: a stream whose other side has died is at its end. A
signal that stops the crawl is none of its business, because what is in flight is still finished.
"""

from __future__ import annotations

import signal
import socket
import sys
from io import BytesIO

from n8n_scraper.core.garbage import look_seldomer
from n8n_scraper.crawl.compute.frames import frame, read_frame

READY = "ready"
_NOT_OURS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> None:
    """Serve the process at the other end of standard input."""
    serve(socket.socket(fileno=sys.stdin.fileno()))


def serve(channel: socket.socket) -> None:
    """Compute for the process at the other end until there is none any more."""
    for number in _NOT_OURS:
        signal.signal(number, signal.SIG_IGN)
    look_seldomer()
    with channel, channel.makefile("rb") as given:
        try:
            channel.sendall(frame(READY))
            while True:
                channel.sendall(_answer(*read_frame(given)))
        except (EOFError, ConnectionError):
            return  # the crawl has ended


def _answer(function: object, arguments: tuple[object, ...]) -> bytes:
    try:
        return frame((True, function(*arguments)))  # type: ignore[operator]
    except Exception as error:  # noqa: BLE001 - it is for who asked
        return _failure(error)


def _failure(error: Exception) -> bytes:
    try:
        told = frame((False, error))
        read_frame(BytesIO(told))
    except Exception:  # noqa: BLE001 - an error that cannot travel is told in words
        return frame((False, RuntimeError(repr(error))))
    return told
