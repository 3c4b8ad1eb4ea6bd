"""Start an interpreter that computes, where none can be forked."""

from __future__ import annotations

import socket
import subprocess
import sys

_PROGRAM = (
    "import sys; sys.path[:] = {path!r}; from n8n_scraper.crawl.compute.process import main; main()"
)


def start() -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start one; give it with our end of the way to it, before it is ready."""
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            return _started(theirs), ours
        except OSError:
            ours.close()
            raise


def _started(channel: socket.socket) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", _PROGRAM.format(path=sys.path)],
        stdin=channel.fileno(),
        stdout=subprocess.DEVNULL,
        start_new_session=True,  # the terminal's Ctrl-C is for the crawl
    )
