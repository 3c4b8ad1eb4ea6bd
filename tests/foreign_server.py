"""A server elsewhere that keeps scrape runs, and misbehaves as it is told to.

Everything that it does is kept, so that a test can ask what came of it in the end: above all how
often each item was changed.
"""

import json
import threading
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

KEY = "the-key-that-nobody-may-see"
PATIENCE = 60.0


@dataclass(frozen=True)
class Bad:
    """How one request is treated."""

    status: int | None = None
    """Answered in the place of doing it; None: it is done."""
    retry_after: str | None = None
    silent: bool = False
    """Whether the answer comes only when nobody waits for it any more."""
    half: bool = False
    """Whether of several items the first half is taken, and the answer says that all is well."""


@dataclass
class ForeignServer:
    """The runs that it has, and how it treats what comes next."""

    port: int = 0
    spelling: str = "_id"
    """By which name it gives a run's id."""
    listing: str = "data"
    takes_batches: bool = True
    refused: frozenset[str] = frozenset()
    """The items that it breaks on, whatever is said of them."""
    is_closed: bool = False
    """Whether all it answers is that nobody is served now."""
    is_mute: bool = False
    """Whether what it has done it tells in no answer."""
    runs: dict[str, dict[str, Any]] = field(default_factory=dict)
    next: deque[Bad] = field(default_factory=deque)
    """How the next requests that change something are treated."""
    always: Bad | None = None
    log: list[tuple[str, str]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    changed: Counter[str] = field(default_factory=Counter)
    """How often each item was changed."""
    heard: threading.Event = field(default_factory=threading.Event)
    """Set when nobody waits for a late answer any more."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def settings(self, **more: str) -> dict[str, str]:
        return {"ETL_API_ENDPOINT": self.url, "ETL_API_KEY": KEY, **more}

    def items(self) -> dict[str, dict[str, Any]]:
        """The items of its only run, by their addresses."""
        (run,) = self.runs.values()
        return {item["url"]: item for item in run["items"]}

    def done(self) -> set[str]:
        return {url for url, item in self.items().items() if item["done"]}

    @contextmanager
    def running(self) -> Iterator["ForeignServer"]:
        """Answer until the block ends; at the same port each time."""
        server = ThreadingHTTPServer(
            ("127.0.0.1", self.port), type("Handler", (_Handler,), {"foreign": self})
        )
        server.daemon_threads = True  # who keeps a connection open is not waited for
        self.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield self
        finally:
            self.heard.set()
            server.shutdown()
            thread.join()
            server.server_close()

    def create(self, body: dict[str, Any]) -> dict[str, Any]:
        number = f"run{len(self.runs) + 1}"
        items = [{"url": one["url"], **_NOTHING} for one in body["items"]]
        self.runs[number] = {
            self.spelling: number,
            "domain": body["domain"],
            "status": "pending",
            "startTime": body["metadata"]["started_at"],
            "endTime": None,
            "metadata": body["metadata"],
            "items": items,
        }
        return self.runs[number]

    def patch(self, number: str, body: dict[str, Any], *, half: bool) -> tuple[int, Any]:
        run = self.runs[number]
        if "status" in body or "finalize" in body:
            if run["endTime"]:
                return 409, {"error": "it is over"}
            run["endTime"], run["status"] = body.get("endTime", "now"), "finished"
            return 200, None if self.is_mute else run
        updates = [body["updateItem"]] if "updateItem" in body else body["updateItems"]
        if "updateItems" in body and not self.takes_batches:
            return 422, {"error": "unknown field updateItems"}
        if any(one["url"] in self.refused for one in updates):
            return 500, {"error": "it broke"}
        for update in updates[: (len(updates) + 1) // 2 if half else None]:
            item = next(one for one in run["items"] if one["url"] == update["url"])
            item.update(update["changes"])
            self.changed[update["url"]] += 1
        return 200, None if self.is_mute else run


_NOTHING = {"done": False, "failed": False, "invalid": False, "failedReason": None}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = PATIENCE
    disable_nagle_algorithm = True
    foreign: ForeignServer

    def do_GET(self) -> None:
        self._note()
        if self.foreign.is_closed:
            self._answer(503, {}, {"Retry-After": "60"})
            return
        parts, foreign = urlsplit(self.path), self.foreign
        if number := parts.path.removeprefix("/api/scrape-runs").strip("/"):
            found = foreign.runs.get(number)
            self._answer(404 if found is None else 200, found or {})
            return
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        runs = [run for run in foreign.runs.values() if run["domain"] == asked["domain"]]
        page, limit = int(asked["page"]), int(asked["limit"])
        shown = runs[::-1][(page - 1) * limit : page * limit]
        whole = {"data": shown, "pagination": {"totalItems": len(runs), "currentPage": page}}
        shapes = {"data": whole, "runs": {"runs": shown, "total": len(runs)}, "bare": shown}
        self._answer(200, shapes[foreign.listing])

    def do_POST(self) -> None:
        self._treat(lambda body, _half: (201, self.foreign.create(body)))

    def do_PATCH(self) -> None:
        number = self.path.rpartition("/")[2]
        self._treat(lambda body, half: self.foreign.patch(number, body, half=half))

    def _treat(self, do: Any) -> None:
        body, foreign = self.rfile.read(int(self.headers["Content-Length"])), self.foreign
        self._note()
        if foreign.is_closed:
            self._answer(503, {}, {"Retry-After": "60"})
            return
        bad = foreign.next.popleft() if foreign.next else foreign.always or Bad()
        if bad.status is not None:
            extra = {} if bad.retry_after is None else {"Retry-After": bad.retry_after}
            self._answer(bad.status, {"error": f"not now, {KEY}"}, extra)
            return
        answer = do(json.loads(body), bad.half)
        if bad.silent:
            foreign.heard.wait(PATIENCE)
        self._answer(*answer)

    def _note(self) -> None:
        self.foreign.log.append((self.command, self.path))
        self.foreign.headers.append(dict(self.headers))

    def _answer(self, status: int, document: Any, extra: dict[str, str] | None = None) -> None:
        body = b"" if document is None else json.dumps(document).encode()
        try:
            self.send_response(status)
            for name, value in (extra or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except ConnectionError:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""
