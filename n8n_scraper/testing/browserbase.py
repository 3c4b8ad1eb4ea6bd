"""A Browserbase on loopback: sessions of a real browser, its limits, and faults on demand."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

_MINUTE = 60.0
_UNCONNECTED_SECONDS = 300.0
_NAME = "X-BB-API-Key"


class Fault(Enum):
    """What a creation comes to in the place of a session."""

    CREATED_AND_500 = auto()
    """It is there, and the answer says that something went wrong."""
    CREATED_LATE_AND_504 = auto()
    """It is there some seconds after a gateway has given up."""
    FAILED_504 = auto()
    """It is not there."""
    HUNG_UP = auto()
    """It is there, and no answer came."""
    AT_ONCE_429 = auto()
    A_MINUTE_429 = auto()
    ERROR = auto()
    """The answer names a session that could not be started."""
    SLOW = auto()
    """It takes a second."""


_LATE_SECONDS = 10.0
_WORDS = {
    Fault.AT_ONCE_429: "You've exceeded your max concurrent sessions limit",
    Fault.A_MINUTE_429: "You've exceeded your session creation limit per minute",
}


@dataclass(slots=True)
class OwnSession:
    """A session there."""

    id: str
    asked: dict[str, Any]
    at: float
    status: str = "RUNNING"
    connected: bool = False

    def shown(self) -> dict[str, Any]:
        """As it is told in lists and answers."""
        return {
            "id": self.id,
            "status": self.status,
            "keepAlive": self.asked.get("keepAlive", False),
            "userMetadata": self.asked.get("userMetadata", {}),
        }


@dataclass
class OwnBrowserbase:
    """One that runs, and what it has counted."""

    port: int
    key: str
    at_once: int
    a_minute: int
    clock: Callable[[], float]
    browser: str = ""
    """The address by DevTools of the browser whose default context every session is."""
    faults: list[Fault | None] = field(default_factory=list)
    """What the next creations come to, in this order; None is a session."""
    failing_releases: int = 0
    """So many releases are answered by 500."""
    is_gone: bool = False
    """Whether every session is answered by 410 when it is connected to."""
    sessions: dict[str, OwnSession] = field(default_factory=dict)
    late: list[OwnSession] = field(default_factory=list)
    refused: int = 0
    """How often it had to answer 429 for its limits."""
    most_at_once: int = 0
    most_a_minute: int = 0
    keys: set[str] = field(default_factory=set)
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def url(self) -> str:
        """Where it stands."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def running(self) -> list[OwnSession]:
        """The sessions that cost."""
        with self.lock:
            self._let_time_pass()
            return [one for one in self.sessions.values() if one.status == "RUNNING"]

    def create(self, asked: dict[str, Any], fault: Fault | None) -> OwnSession | None:
        """Create a session; None where a limit is reached."""
        with self.lock:
            now, running = self.clock(), len(self.running)
            if running >= self.at_once or self._begun(now) >= self.a_minute:
                self.refused += 1
                return None
            made = OwnSession(f"session-{len(self.sessions) + len(self.late)}", asked, now)
            if fault is Fault.CREATED_LATE_AND_504:
                made.at = now + _LATE_SECONDS
                self.late.append(made)
            else:
                self._begin(made)
            return made

    def _begin(self, made: OwnSession) -> None:
        self.sessions[made.id] = made
        running = [one for one in self.sessions.values() if one.status == "RUNNING"]
        self.most_at_once = max(self.most_at_once, len(running))
        self.most_a_minute = max(self.most_a_minute, self._begun(made.at))

    def _begun(self, now: float) -> int:
        """Count the creations of the sixty seconds up to now."""
        return sum(now - _MINUTE < one.at <= now for one in self.sessions.values())

    def _let_time_pass(self) -> None:
        now = self.clock()
        for one in [one for one in self.late if one.at <= now]:
            self.late.remove(one)
            self._begin(one)
        for one in self.sessions.values():
            timeout = float(one.asked.get("timeout", 3600))
            longest = timeout if one.connected else min(timeout, _UNCONNECTED_SECONDS)
            if one.status == "RUNNING" and now - one.at >= longest:
                one.status = "TIMED_OUT"


@contextmanager
def own_browserbase(
    browser: str = "",
    *,
    key: str = "bb-key",
    at_once: int = 3,
    a_minute: int = 5,
    clock: Callable[[], float] = time.time,
) -> Iterator[OwnBrowserbase]:
    """Run one until the block ends."""
    with _Server(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        running = OwnBrowserbase(server.server_port, key, at_once, a_minute, clock, browser)
        server.RequestHandlerClass = type("Handler", (_Handler,), {"running": running})
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield running
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Let the other side hang up; tell of any other error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    running: ClassVar[OwnBrowserbase]

    def do_GET(self) -> None:
        """List sessions, or say where the browser of one is spoken to."""
        parts = urlsplit(self.path)
        if parts.path.startswith("/connect/"):
            self._connect(parts.path.split("/")[2])
        elif self._is_let_in() and parts.path == "/v1/sessions":
            status = parse_qs(parts.query).get("status", [""])[0]
            with self.running.lock:
                known = [*self.running.running] and list(self.running.sessions.values())
            self._say(200, [one.shown() for one in known if status in ("", one.status)])

    def do_POST(self) -> None:
        """Create a session, or release one."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self._is_let_in():
            return
        if self.path == "/v1/sessions":
            self._create(asked)
        else:
            self._release(self.path.removeprefix("/v1/sessions/"), asked)

    def _create(self, asked: dict[str, Any]) -> None:
        own = self.running
        with own.lock:
            fault = own.faults.pop(0) if own.faults else None
        if fault in _WORDS:
            self._say(429, {"statusCode": 429, "message": _WORDS[fault]}, {"Retry-After": "20"})
        elif fault is Fault.FAILED_504:
            self._say(504, {"message": "Gateway Timeout"})
        elif (made := own.create(asked, fault)) is None:
            self._say(429, {"statusCode": 429, "message": _WORDS[Fault.AT_ONCE_429]})
        else:
            self._answer(made, fault)

    def _answer(self, made: OwnSession, fault: Fault | None) -> None:
        match fault:
            case Fault.CREATED_AND_500:
                self._say(500, {"message": "Internal Server Error"})
            case Fault.CREATED_LATE_AND_504:
                self._say(504, {"message": "Gateway Timeout"})
            case Fault.HUNG_UP:
                self.close_connection = True
            case Fault.ERROR:
                made.status = "ERROR"
                self._say(200, {**made.shown(), "connectUrl": self._place(made)})
            case _:
                if fault is Fault.SLOW:
                    time.sleep(1.0)
                self._say(201, {**made.shown(), "connectUrl": self._place(made)})

    def _place(self, made: OwnSession) -> str:
        return f"{self.running.url}/connect/{made.id}?apiKey={self.running.key}"

    def _release(self, name: str, asked: dict[str, Any]) -> None:
        own = self.running
        with own.lock:
            found = own.sessions.get(name)
            if own.failing_releases > 0:
                own.failing_releases -= 1
                self._say(500, {"message": "Internal Server Error"})
            elif found is None:
                self._say(404, {"message": "Session not found"})
            elif found.status != "RUNNING":
                self._say(410, {"message": f"Session is {found.status}"})
            elif asked.get("status") != "REQUEST_RELEASE":
                self._say(400, {"message": "status has to be REQUEST_RELEASE"})
            else:
                found.status = "COMPLETED"
                self._say(200, found.shown())

    def _connect(self, name: str) -> None:
        """Send whoever asks for a living session to its browser."""
        with self.running.lock:
            found = next((one for one in self.running.running if one.id == name), None)
            if found is None or self.running.is_gone:
                self._say(410, {"message": "Session is gone"})
                return
            found.connected = True
        self._say(200, {"webSocketDebuggerUrl": self.running.browser})

    def _is_let_in(self) -> bool:
        given = self.headers.get(_NAME, "")
        self.running.keys.add(given)
        if given != self.running.key:
            self._say(401, {"statusCode": 401, "message": "Unauthorized"})
        return given == self.running.key

    def _say(self, status: int, said: Any, headers: dict[str, str] | None = None) -> None:
        body = json.dumps(said).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing: what it has seen stands in `OwnBrowserbase`."""
