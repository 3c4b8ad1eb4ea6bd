"""A Firecrawl on loopback: it fetches, speaks as the real one does, and fails on demand."""

from __future__ import annotations

import json
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

_PATIENCE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Fails:
    """One answer in the place of a page."""

    status: int
    said: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class OwnFirecrawl:
    """One that runs, and what it was asked."""

    port: int
    faults: dict[str, list[Fails]] = field(default_factory=dict)
    """What it says to an address first, in this order, before it does its work."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    """The `Authorization` of every request."""
    credits_used: int = 1

    @property
    def url(self) -> str:
        """Where it stands."""
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def own_firecrawl() -> Iterator[OwnFirecrawl]:
    """Run one until the block ends."""
    with _Server(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        running = OwnFirecrawl(server.server_port)
        server.RequestHandlerClass = type("Handler", (_Handler,), {"running": running})
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield running
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Let the other side hang up; tell of any other error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    running: ClassVar[OwnFirecrawl]

    def do_POST(self) -> None:
        """Answer `/v2/scrape`."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.running.asked.append(asked)
        self.running.keys.append(self.headers.get("Authorization", ""))
        faults = self.running.faults.get(asked["url"])
        if self.path != "/v2/scrape":
            self._say(Fails(404, {"success": False, "error": "not found"}))
        elif faults:
            self._say(faults.pop(0))
        else:
            self._say(Fails(200, _scraped(asked["url"], self.running.credits_used)))

    def _say(self, answer: Fails) -> None:
        body = json.dumps(answer.said).encode()
        self.send_response(answer.status)
        for name, value in {"Content-Type": "application/json", **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing: the log is `OwnFirecrawl.asked`."""


def _scraped(url: str, credits_used: int) -> dict[str, Any]:
    """Success, whatever the site has answered: that stands in the metadata."""
    try:
        with urllib.request.urlopen(url, timeout=_PATIENCE_SECONDS) as answer:  # noqa: S310 - a test's own site
            status, body, final = answer.status, answer.read(), answer.url
    except urllib.error.HTTPError as error:
        with error:
            status, body, final = error.code, error.read(), url
    metadata = {
        "sourceURL": url,
        "url": final,
        "statusCode": status,
        "contentType": "text/html; charset=utf-8",
        "proxyUsed": "basic",
        "cacheState": "miss",
        "creditsUsed": credits_used,
    }
    return {"success": True, "data": {"rawHtml": body.decode(), "metadata": metadata}}
