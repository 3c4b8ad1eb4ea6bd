"""Tell whether a port of this machine is taken, and by which process."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from n8n_scraper.stack.processes import Process, all_processes

_LISTENING = "0A"
_STATE, _INODE = 3, 9
"""Columns of /proc/net/tcp; the second one is the address, with the port behind its colon."""


def is_taken(host: str, port: int) -> bool:
    """Whether another program listens where one of ours would."""
    family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family) as trial:
        # As servers do: what only lingers of a connection that has ended takes no port.
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(place)
        except OSError:
            return True
    return False


def holder(port: int) -> str:
    """Name the process that listens on a port, as far as that is to be seen."""
    inodes = set(_listening(port))
    for process in all_processes():
        if inodes & set(_sockets(process)):
            return f"process {process.pid} ({process.command})"
    return "a process of another user"


def _listening(port: int) -> Iterator[str]:
    for table in ("tcp", "tcp6"):
        with suppress(FileNotFoundError):
            for line in Path("/proc/net", table).read_text().splitlines()[1:]:
                columns = line.split()
                here = int(columns[1].rpartition(":")[2], 16) == port
                if here and columns[_STATE] == _LISTENING:
                    yield columns[_INODE]


def _sockets(process: Process) -> Iterator[str]:
    with suppress(OSError):
        for opened in Path(f"/proc/{process.pid}/fd").iterdir():
            with suppress(OSError):
                if found := re.fullmatch(r"socket:\[(\d+)\]", str(opened.readlink())):
                    yield found[1]
