"""Starts a stand-in as a child process, for tests and for the demo."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import n8n_scraper
from n8n_scraper.testing.replica.script import Script

T = TypeVar("T")

_REQUEST_TIMEOUT_S = 30
_STOP_TIMEOUT_S = 5
_START_TIMEOUT_S = 30
_LINES_KEPT = 50
_PACKAGE_PARENT = Path(n8n_scraper.__file__).parent.parent
_READY = " answers at "

start: type[subprocess.Popen[str]] = subprocess.Popen
"""What starts the child; where many are started, one that takes less time may stand here."""


class StandInError(RuntimeError):
    """The stand-in did not start, or refused a switch; the message holds what it said."""


class Running(Generic[T]):
    """A running stand-in: where it is, what it saw, how to steer it, what it has in stock."""

    def __init__(self, url: str, script: Script[T], size: int, seed: int) -> None:
        self.url = url
        self._script = script
        self._size, self._seed = size, seed
        self._switches = script.switches()
        self.stock = script.stock(size, seed, self._switches)
        """What it serves by now, the very same as it has invented itself."""
        self.control_url = url
        self.control_url = self._ask("GET", "/__control")["control_url"]

    def log(self, since: int = 0) -> list[dict[str, Any]]:
        """Return the record of every request after the given ``seq``."""
        records: list[dict[str, Any]] = self._ask("GET", f"/__log?since={since}")
        return records

    def stats(self) -> dict[str, Any]:
        """Return the counts and the pace of all requests since the last reset."""
        counts: dict[str, Any] = self._ask("GET", "/__stats")
        return counts

    def reset(self) -> None:
        """Clear the log, and let healed paths fail anew."""
        self._ask("POST", "/__reset")

    def control(self, **switches: object) -> dict[str, Any]:
        """Set some switches, leave the others, and return all of them."""
        told: dict[str, Any] = self._ask("POST", "/__control", switches)
        names = self._script.switches.model_fields
        self._switches = self._script.switches.model_validate({one: told[one] for one in names})
        self.stock = self._script.stock(self._size, self._seed, self._switches)
        return told

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        data = json.dumps(body, default=_plain).encode() if method == "POST" else None
        request = urllib.request.Request(self.control_url + path, data, method=method)  # noqa: S310 - our own http address
        try:
            with urllib.request.urlopen(request, timeout=_REQUEST_TIMEOUT_S) as answer:  # noqa: S310 - as above
                return json.load(answer)
        except urllib.error.HTTPError as problem:
            with problem:
                raise StandInError(json.load(problem)["error"]) from None


R = TypeVar("R", bound=Running[Any])


@contextmanager
def running(
    script: Script[Any],
    size: int | None = None,
    seed: int | None = None,
    *,
    kind: type[R],
    **switches: object,
) -> Iterator[R]:
    """Run a stand-in on a free port for as long as the block lasts."""
    size, seed = size or script.size, script.seed if seed is None else seed
    command = [sys.executable, "-m", script.module, "--port", "0", "--until-stdin-closes"]
    command += [f"--{script.noun}", str(size), "--seed", str(seed)]
    # The child ends when its standard input does, so it cannot outlive this process.
    with start(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,  # the terminal's Ctrl-C is for whoever uses it
        env=_child_environment(),
        text=True,
    ) as child:
        output = _Output(child)
        try:
            stand_in = kind(output.wait_for_url(), script, size, seed)
            if switches:
                stand_in.control(**switches)
            yield stand_in
        finally:
            _stop(child)
            output.close()


class _Output:
    """Reads all that the child says, so that it never blocks, and keeps the last of it."""

    def __init__(self, child: subprocess.Popen[str]) -> None:
        self._child = child
        self._lines: deque[str] = deque(maxlen=_LINES_KEPT)
        self._url = ""
        self._settled = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait_for_url(self) -> str:
        """Return the address the child tells, or fail with what it said instead."""
        self._settled.wait(_START_TIMEOUT_S)
        if not self._url:
            raise StandInError("the stand-in did not start: " + "".join(self._lines))
        return self._url

    def close(self) -> None:
        """Wait for the last line."""
        self._reader.join(_STOP_TIMEOUT_S)

    def _read(self) -> None:
        for line in self._child.stdout or ():
            self._lines.append(line)
            if _READY in line:
                self._url = line.split(_READY)[1].split("/ (")[0]
                self._settled.set()
        self._settled.set()


def _child_environment() -> dict[str, str]:
    # The child must find this very package, wherever the parent has it from.
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if paths[0] != str(_PACKAGE_PARENT):
        paths.insert(0, str(_PACKAGE_PARENT))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def _stop(child: subprocess.Popen[str]) -> None:
    child.terminate()
    try:
        child.wait(_STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        child.kill()


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return {name: _plain(part) for name, part in asdict(value).items()}
    return sorted(value) if isinstance(value, (set, frozenset)) else value
