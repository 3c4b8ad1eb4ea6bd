"""Real programs that do next to nothing, for as long as a test wants them."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

from n8n_scraper.stack.children import Program
from n8n_scraper.stack.health import Health
from n8n_scraper.stack.notes import MARK
from n8n_scraper.stack.service import Service

PATIENCE = 20.0
"""More than anything here needs on a busy machine; what is waited for in vain uses less."""

IN_VAIN = 0.3
"""How long an answer is waited for that does not come."""


@contextmanager
def sleeping(secret: str | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Run somebody's process, which carries a mark only if it is given one."""
    environment = {} if secret is None else {MARK: secret}
    with subprocess.Popen(["/bin/sleep", "600"], env=environment) as process:
        wait_until(lambda: Path(f"/proc/{process.pid}/cmdline").read_bytes().startswith(b"/bin"))
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def serving(status: int) -> Iterator[int]:
    """Answer every question with one status, on a port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def wait_until(holds: Callable[[], object], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


@dataclass
class Machine:
    """A folder in which programs of a test say when they begin and when they are told to end."""

    folder: Path
    steps: list[str] = field(default_factory=list)

    @property
    def journal(self) -> list[str]:
        path = self.folder / "journal"
        return path.read_text().split() if path.exists() else []

    def service(self, name: str, *, ends: bool = True, **others: object) -> Service:
        """Give a service whose program lives until it is told to end, or longer."""
        end = f"echo {name}-ends >> journal; rm {name}-lives; exit" if ends else ":"
        script = f"trap '{end}' TERM; echo {name}-begins >> journal; touch {name}-lives; "
        script += "while true; do sleep 0.05; done"
        given: dict[str, object] = {
            "prevents": "nothing",
            "remedy": "",
            "program": Program(("/bin/sh", "-c", f"cd {self.folder}; {script}")),
            "check": lambda _: self.health(name),
        }
        return Service(name=name, **{**given, **others})  # type: ignore[arg-type]

    def health(self, name: str) -> Health:
        lives = (self.folder / f"{name}-lives").exists()
        return Health.healthy("lives") if lives else Health.unhealthy("does not live")

    def program(self, python: str) -> Program:
        return Program((sys.executable, "-c", python))
