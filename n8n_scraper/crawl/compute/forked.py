"""Fork the process that computes from a crawl that has just been told what to do.

There is no start to wait for, and what both need is imported once. It is safe only before a crawl
has threads; and only on Linux, because system libraries elsewhere do not survive it.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import NoReturn

from n8n_scraper.crawl.compute.process import serve

_LONGEST_NAP = 0.05


class ForkedProcess:
    """A child of ours that was forked, with as much of `Popen` as is asked of it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def kill(self) -> None:
        """End it at once."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, and give its status."""
        deadline, nap = time.monotonic() + (timeout or 0.0), 0.001
        while not self._has_ended(wait=timeout is None):
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("compute", timeout or 0.0)
            time.sleep(nap)
            nap = min(nap * 2, _LONGEST_NAP)
        assert self.returncode is not None
        return self.returncode

    def _has_ended(self, *, wait: bool) -> bool:
        if self.returncode is None:
            try:
                pid, status = os.waitpid(self.pid, 0 if wait else os.WNOHANG)
            except ChildProcessError:  # somebody else has waited for it
                pid, status = self.pid, 0
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode is not None


def can_fork() -> bool:
    """Whether a fork is safe here and now."""
    return sys.platform == "linux" and threading.active_count() == 1


def fork() -> tuple[ForkedProcess, socket.socket]:
    """Fork a process that computes; give it with our end of the way to it."""
    ours, theirs = socket.socketpair()
    with theirs:
        pid = os.fork()
        if pid == 0:
            _be_the_child(theirs)
    return ForkedProcess(pid), ours


def _be_the_child(channel: socket.socket) -> NoReturn:
    """Serve, and never return to what the crawl was about to do."""
    status = 1
    try:
        os.setsid()  # the terminal's Ctrl-C is for the crawl
        _let_go_of_all_but(channel)
        serve(socket.socket(fileno=0))
        status = 0
    finally:
        os._exit(status)


def _let_go_of_all_but(channel: socket.socket) -> None:
    """Leave nothing of the crawl's open: no lock outlives it here, and no end of its sockets."""
    os.dup2(channel.fileno(), 0)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    logging.getLogger().handlers.clear()  # their files may just have been closed
