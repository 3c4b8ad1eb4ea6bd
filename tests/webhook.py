"""A service that is told of alerts, over real HTTP."""

import json
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = "hook-secret-4711"


@dataclass
class Webhook:
    """What it has heard, and how it answers."""

    port: int = 0
    statuses: deque[int] = field(default_factory=deque)
    """What the next messages are answered; then all is well."""
    heard: list[dict[str, str]] = field(default_factory=list)
    """The messages that it has taken."""
    asked: int = 0

    @property
    def url(self) -> str:
        return f"json://127.0.0.1:{self.port}/{SECRET}"

    @property
    def titles(self) -> list[str]:
        return [one["title"].removeprefix("n8n-scraper: ") for one in self.heard]

    @contextmanager
    def running(self) -> Iterator["Webhook"]:
        """Answer until the block ends; at the same port each time."""
        handler = type("Handler", (_Handler,), {"hook": self})
        server = ThreadingHTTPServer(("127.0.0.1", self.port), handler)
        server.daemon_threads = True
        self.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


class _Handler(BaseHTTPRequestHandler):
    hook: Webhook

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.hook.asked += 1
        status = self.hook.statuses.popleft() if self.hook.statuses else 200
        if status == 200:
            self.hook.heard.append(json.loads(body))
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""
