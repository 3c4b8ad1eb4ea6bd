"""Asks the stand-in as plainly as possible, so that no client hides what it does."""

import http.client
import json
import socket
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

USER_AGENT = "replica-tests"


@dataclass(frozen=True)
class Got:
    """An answer as it came over the wire."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


def get(url: str, path: str, timeout: float = 10, **headers: str) -> Got:
    """Ask once, follow nothing; a header of an empty name of agent is left out."""
    sent = {"User-Agent": USER_AGENT, **headers}
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=timeout)
    try:
        connection.request("GET", path, headers={k: v for k, v in sent.items() if v})
        answer = connection.getresponse()
        return Got(answer.status, answer.headers, answer.read())
    finally:
        connection.close()


def raw(url: str, path: str, timeout: float = 5) -> bytes:
    """Return every byte the server sends until it closes the connection."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname or "", parts.port or 80), timeout) as wire:
        asked = f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUser-Agent: {USER_AGENT}\r\n\r\n"
        wire.sendall(asked.encode())
        received = b""
        while chunk := wire.recv(65536):
            received += chunk
        return received


def detail(template_id: int) -> str:
    return f"/api/templates/workflows/{template_id}"
