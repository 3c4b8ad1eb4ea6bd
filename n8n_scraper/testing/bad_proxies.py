"""Proxies on loopback that fail, each in the way that it is told to."""

from __future__ import annotations

import asyncio
import base64
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

from n8n_scraper.testing.postgres import free_port
from n8n_scraper.testing.serving import served

PAGE = b"<html><title>Free WiFi</title><body>Please agree to our terms.</body></html>"
"""What a proxy says in the place of the site."""


class Kind(StrEnum):
    """How a proxy fails."""

    DEAD = "dead"
    """Nobody listens at its port."""
    MUTE = "mute"
    """It takes the request, and never says a word."""
    LOCKED = "locked"
    """It wants another password than it is given: 407."""
    REFUSING = "refusing"
    """It carries nothing: 403, of its own."""
    INJECTING = "injecting"
    """It answers everything with a page of its own, also in the middle of a tunnel."""
    INTERCEPTING = "intercepting"
    """It opens the tunnel itself, with a certificate that nobody knows, and answers in it."""
    CUTTING = "cutting"
    """It hangs up when it has heard enough."""
    ECHOING = "echoing"
    """It refuses, and repeats the credentials aloud."""


@dataclass(slots=True)
class BadProxy:
    """A proxy that fails, and the first lines of what it was asked."""

    kind: Kind
    port: int
    asked: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """Where it stands."""
        return f"http://{self.address}"


@contextmanager
def bad_proxy(kind: Kind, own_certificate: ssl.SSLContext | None = None) -> Iterator[BadProxy]:
    """Run one until the block ends; one that is `INTERCEPTING` needs a certificate of its own."""
    if kind is Kind.DEAD:
        yield BadProxy(kind, free_port())
        return
    proxy = BadProxy(kind, 0)
    with served(partial(_answer, proxy, own_certificate)) as proxy.port:
        yield proxy


async def _answer(
    proxy: BadProxy,
    own_certificate: ssl.SSLContext | None,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    proxy.asked.append(head.splitlines()[0])
    if proxy.kind is Kind.MUTE:
        await reader.read()  # until the other side gives up
    if proxy.kind in (Kind.MUTE, Kind.CUTTING):
        return
    if head.startswith("CONNECT") and proxy.kind is Kind.INTERCEPTING:
        writer.write(_TUNNEL)
        await writer.start_tls(own_certificate or ssl.create_default_context())
        await reader.readuntil(b"\r\n\r\n")
    if head.startswith("CONNECT") and proxy.kind is Kind.INJECTING:
        writer.write(_TUNNEL)
        await reader.read(1)  # until the other side believes in it
    writer.write(_words(proxy.kind, head))
    await writer.drain()


_TUNNEL = b"HTTP/1.1 200 Connection established\r\n\r\n"


def _words(kind: Kind, head: str) -> bytes:
    if kind is Kind.LOCKED:
        return _page("407 Proxy Authentication Required", 'Proxy-Authenticate: Basic realm="x"\r\n')
    if kind is Kind.REFUSING:
        return _page("403 Forbidden")
    if kind is Kind.ECHOING:
        return _page(f"407 {_credentials(head)}")
    return _page("200 OK")


def _page(status: str, headers: str = "") -> bytes:
    head = f"HTTP/1.1 {status}\r\n{headers}Content-Length: {len(PAGE)}\r\nConnection: close\r\n\r\n"
    return head.encode() + PAGE


def _credentials(head: str) -> str:
    for line in head.splitlines():
        name, _, value = line.partition(": ")
        if name.lower() == "proxy-authorization":
            return base64.b64decode(value.partition(" ")[2]).decode()
    return "none"
