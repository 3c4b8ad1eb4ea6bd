"""Starts the stand-in of n8n.io as a child process, for tests and for the demo."""

import json
import os
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import n8n_scraper
from n8n_scraper.sources.n8n.replica.catalogue import DEFAULT_SEED, DEFAULT_TEMPLATES, Catalogue
from n8n_scraper.sources.n8n.replica.changes import Changes
from n8n_scraper.sources.n8n.replica.templates import Truth

_REQUEST_TIMEOUT_S = 30
_STOP_TIMEOUT_S = 5
_START_TIMEOUT_S = 30
_LINES_KEPT = 50
_PACKAGE_PARENT = Path(n8n_scraper.__file__).parent.parent
_READY = "The stand-in of n8n.io answers at "


class StandInError(RuntimeError):
    """The stand-in did not start, or refused a switch; the message holds what it said."""


class RunningStandIn:
    """A running stand-in: where it is, what it saw, how to steer it, what is true."""

    def __init__(self, url: str, catalogue: Catalogue) -> None:
        self.url = url
        self.catalogue = catalogue
        self.control_url = url
        self.control_url = self._ask("GET", "/__control")["control_url"]

    @property
    def ids(self) -> Sequence[int]:
        """The ids of the published templates, in order."""
        return self.catalogue.ids

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
        changes = Changes(
            edited={
                int(number): revision for number, revision in told["changes"]["edited"].items()
            },
            added=told["changes"]["added"],
            removed=frozenset(told["changes"]["removed"]),
            renamed={int(number): name for number, name in told["changes"]["renamed"].items()},
        )
        if changes != self.catalogue.changes:
            self.catalogue = Catalogue(self.catalogue.templates, self.catalogue.seed, changes)
        return told

    def truth(self, template_id: int) -> Truth:
        """Tell what an extractor must find for a template."""
        return self.catalogue.truth(template_id)

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        data = json.dumps(body, default=_plain).encode() if method == "POST" else None
        request = urllib.request.Request(self.control_url + path, data, method=method)  # noqa: S310 - our own http address
        try:
            with urllib.request.urlopen(request, timeout=_REQUEST_TIMEOUT_S) as answer:  # noqa: S310 - as above
                return json.load(answer)
        except urllib.error.HTTPError as problem:
            with problem:
                raise StandInError(json.load(problem)["error"]) from None


@contextmanager
def running_stand_in(
    templates: int = DEFAULT_TEMPLATES, seed: int = DEFAULT_SEED, **switches: object
) -> Iterator[RunningStandIn]:
    """Run a stand-in on a free port for as long as the block lasts."""
    command = [
        sys.executable,
        "-m",
        "n8n_scraper.sources.n8n.replica",
        "--port",
        "0",
        "--until-stdin-closes",
    ]
    command += ["--templates", str(templates), "--seed", str(seed)]
    # The child ends when its standard input does, so it cannot outlive this process.
    with subprocess.Popen(  # noqa: S603 - our own command
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
            stand_in = RunningStandIn(output.wait_for_url(), Catalogue(templates, seed))
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
            if line.startswith(_READY):
                self._url = line.removeprefix(_READY).split("/ (")[0]
                self._settled.set()
        self._settled.set()


def _child_environment() -> dict[str, str]:
    # The child must find this very package, wherever the parent has it from.
    paths = [str(_PACKAGE_PARENT), os.environ.get("PYTHONPATH", "")]
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
