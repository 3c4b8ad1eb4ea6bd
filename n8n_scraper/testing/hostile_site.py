"""A site on loopback that answers by a table, whatever nonsense stands in it."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Says:
    """One answer: a status, a body, headers besides the length, and how long it takes."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0


@dataclass(slots=True)
class HostileSite:
    """A running site, and the log of what it was asked."""

    port: int
    answers: dict[str, Says]
    asked: list[tuple[str, str]] = field(default_factory=list)
    """Host and path of every request, in their order."""

    @property
    def url(self) -> str:
        """Where it stands, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def paths(self) -> list[str]:
        """The paths that were asked for, robots.txt apart."""
        return [path for _, path in self.asked if path != "/robots.txt"]


@contextmanager
def hostile_site(answers: Mapping[str, Says] | None = None) -> Iterator[HostileSite]:
    """Serve a table of paths until the block ends; what is not in it is answered with 404."""
    with _Server(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        site = HostileSite(server.server_port, dict(answers or {}))
        server.RequestHandlerClass = type("Handler", (_Handler,), {"site": site})
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Let the other side hang up whenever it has heard enough; tell of any other error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    site: ClassVar[HostileSite]

    def do_GET(self) -> None:
        """Answer from the table."""
        self.site.asked.append((self.headers.get("Host", ""), self.path))
        answer = self.site.answers.get(self.path, Says(b"nothing here", 404))
        time.sleep(answer.seconds)
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, *_: object) -> None:
        """Say nothing: the log is `HostileSite.asked`."""
