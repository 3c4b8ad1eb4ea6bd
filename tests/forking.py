"""Start `python -m scrapy …`, a stand-in or a worker, and wait for no import that all of them do.

A process of this session (`tests/fork_server.py`) has done so once and forks. What comes of it is
a child of ours like any other: it has a pid to be signalled, streams, limits, an exit status.
There is a second such process for those that have to import our package themselves, because they
stand in another copy of it; and one for each copy in which many are started.
"""

import ctypes
import json
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from inspect import signature
from pathlib import Path
from typing import Any

SCRAPY = [sys.executable, "-m", "scrapy"]
STAND_INS = (
    "n8n_scraper.sources.n8n.replica",
    "n8n_scraper.sources.hk_events.stand_in",
    "n8n_scraper.sources.events.stand_in",
)
FORKED = ("scrapy", "celery", *STAND_INS, "tests.unit.stack.three_services")
PROJECT = Path(__file__).parents[1]
_ONLY_AT_THE_START = ("PYTHON", "LC_", "LANG", "LD_")
"""Beginnings of variables that an interpreter reads when it starts, and never again."""

_STEP = signature(subprocess.Popen._execute_child)
_PIPES = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
_PR_SET_CHILD_SUBREAPER = 36
wanted = sys.platform == "linux"
"""Whether to fork; a test marked `real_start` says no."""


class Process(subprocess.Popen[str]):
    """A child process, forked where it is one of `FORKED` and nothing speaks against it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        largest_file_bytes: int = resource.RLIM_INFINITY,
        **options: Any,
    ) -> None:
        self._largest_file_bytes = largest_file_bytes
        always: dict[str, Any] = {"text": True, "start_new_session": True}
        if largest_file_bytes != resource.RLIM_INFINITY:
            # Only where it is wanted: to call anything there, all of this process is forked.
            always["preexec_fn"] = lambda: resource.setrlimit(
                resource.RLIMIT_FSIZE, (largest_file_bytes, resource.RLIM_INFINITY)
            )
        super().__init__(command, **always | options)

    def _execute_child(self, args: Sequence[str], *others: Any) -> None:
        """Take the place of the one private step of Popen that starts an interpreter."""
        given = _STEP.bind(self, args, *others).arguments
        env = os.environ if given["env"] is None else given["env"]
        is_known = args[:2] == SCRAPY[:2] and args[2] in FORKED
        if not wanted or not is_known or _at_the_start(env) != _at_the_start(os.environ):
            super()._execute_child(args, *others)
            return
        request = {
            "module": args[2],
            "arguments": args[3:],
            "cwd": str(given["cwd"] or Path.cwd()),
            "env": dict(env),
            "largest_file_bytes": self._largest_file_bytes,
        }
        streams = [given["p2cread"], given["c2pwrite"], given["errwrite"]]
        self.pid = _fork(request, [own if it == -1 else it for own, it in enumerate(streams)])
        self._child_created = True
        self._close_pipe_fds(*(given[name] for name in _PIPES))


def _at_the_start(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(_ONLY_AT_THE_START)}


def _fork(request: dict[str, Any], streams: list[int]) -> int:
    connection, _ = _server(_prepared(Path(request["cwd"])))
    socket.send_fds(connection, [json.dumps(request).encode()], streams)
    pid = connection.recv(20)
    assert pid, "the fork server has ended"
    return int(pid)


def _prepared(folder: Path) -> Path | None:
    """Give where the package stands that a process in this folder finds imported, if one does."""
    if folder in copies:
        return folder
    is_elsewhere = folder != PROJECT and (folder / "n8n_scraper").is_dir()
    return None if is_elsewhere else PROJECT


def end() -> None:
    """End the servers that there are."""
    while _begun:
        connection, server = _begun.pop()
        connection.close()
        server.wait()
    _server.cache_clear()


copies: set[Path] = set()
"""Copies of the tree in which many processes are started, so that one imports their package."""
_begun: list[tuple[socket.socket, subprocess.Popen[bytes]]] = []


@cache
def _server(project: Path | None) -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """Start a server of this process; it ends when nobody holds the connection any more."""
    # Orphans below us become our children: that is how a fork of the server becomes ours.
    assert ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    server = subprocess.Popen(
        [
            *(sys.executable, str(PROJECT / "tests/fork_server.py")),
            *(str(theirs.fileno()), str(project or "")),
        ],
        pass_fds=[theirs.fileno()],
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        env={k: v for k, v in os.environ.items() if not k.startswith("COVERAGE_")},
    )
    theirs.close()
    _begun.append((ours, server))
    return _begun[-1]
