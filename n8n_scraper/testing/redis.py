"""Start a Redis for the tests from the binary that is installed."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

from n8n_scraper.testing.postgres import free_port

_START_SECONDS = 10.0


class NoRedis(Exception):
    """There is no way to start one; its text says what to do."""


class OwnRedis:
    """A Redis of the tests' own, which they may kill and start again, empty then."""

    def __init__(self, program: str, folder: str) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._command = [program, "--port", str(self.port), "--bind", "127.0.0.1"]
        self._command += ["--save", "", "--dir", folder]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start, and wait until it answers."""
        self._process = subprocess.Popen(  # noqa: S603 - the binary that was found
            self._command, stdout=subprocess.DEVNULL, start_new_session=True
        )
        deadline = time.monotonic() + _START_SECONDS
        while not self.answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise NoRedis(f"no Redis: {self._command[0]} does not start")
            time.sleep(0.01)

    def stop(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Stop; SIGKILL is what a power failure looks like."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()

    def answers(self) -> bool:
        """Whether it is there."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as wire:
                wire.sendall(b"PING\r\n")
                return wire.recv(7) == b"+PONG\r\n"
        except OSError:
            return False


def find_redis() -> str:
    """Give the program that is installed."""
    program = shutil.which("redis-server")
    if program is None:
        raise NoRedis("no Redis: install one (Debian: apt install redis-server)")
    return program


@contextmanager
def own_redis() -> Iterator[OwnRedis]:
    """Run a Redis of our own on a free port for as long as the block lasts."""
    program = find_redis()
    with tempfile.TemporaryDirectory(prefix="redis") as folder:
        server = OwnRedis(program, folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()
