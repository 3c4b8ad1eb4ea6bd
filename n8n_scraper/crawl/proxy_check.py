"""Try a proxy by fetching a page of our own through it, which proves by TLS that it is ours."""

from __future__ import annotations

import asyncio
import base64
import ssl
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast
from urllib.parse import SplitResult, urlsplit

from n8n_scraper import __version__
from n8n_scraper.policies.proxies.fault import Fault

if TYPE_CHECKING:
    from n8n_scraper.policies.proxies.proxy import Proxy

PATIENCE_SECONDS = 10.0
"""How long a proxy may take for a small page."""

_AT_ONCE = 20
_LONGEST_HEAD = 65_536
_HTTPS = 443


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of trying a proxy."""

    proxy: Proxy
    fault: Fault | None
    seconds: float


async def try_proxies(
    proxies: Iterable[Proxy],
    url: str,
    *,
    patience_seconds: float = PATIENCE_SECONDS,
    verified: bool = True,
) -> list[Trial]:
    """Fetch an https page through each of them, a few at a time."""
    places = asyncio.Semaphore(_AT_ONCE)

    async def tried(proxy: Proxy) -> Trial:
        async with places:
            began = time.monotonic()
            fault = await _fault(proxy, url, patience_seconds, verified)
            return Trial(proxy, fault, time.monotonic() - began)

    return list(await asyncio.gather(*map(tried, proxies)))


async def _fault(proxy: Proxy, url: str, seconds: float, verified: bool) -> Fault | None:
    try:
        async with asyncio.timeout(seconds):
            return await _ask(proxy, url, verified)
    except TimeoutError:
        return Fault.SILENT
    except ssl.SSLError:
        return Fault.FOREIGN
    except OSError:
        return Fault.BROKEN


async def _ask(proxy: Proxy, url: str, verified: bool) -> Fault | None:
    """Ask for a tunnel, then for the page; any answer of the page's own host will do."""
    loop, parts = asyncio.get_running_loop(), urlsplit(url)
    host, port = parts.hostname or "", parts.port or _HTTPS
    try:
        line, near = await loop.create_connection(_Head, proxy.host, proxy.port)
    except OSError:
        return Fault.ABSENT
    try:
        line.write(_connect(proxy, f"[{host}]" if ":" in host else host, port))
        status = _status(await near.words)
        if status != 200:
            return Fault.LOCKED if status in (401, 407) else Fault.REFUSED
        if near.goes_on:
            return Fault.FOREIGN
        far = _Head()
        tunnel = await loop.start_tls(line, far, _context(verified), server_hostname=host)
        assert tunnel is not None
        far.connection_made(tunnel)
        cast("asyncio.WriteTransport", tunnel).write(_get(parts))
        return Fault.FOREIGN if _status(await far.words) is None else None
    finally:
        line.abort()


class _Head(asyncio.Protocol):
    """Hears the head of an answer, and stops listening at its end.

    What a proxy sends behind it must never be taken for something that came through the tunnel.
    """

    def __init__(self) -> None:
        self.words: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.goes_on = False
        self._heard = b""
        self._line: asyncio.ReadTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line = cast("asyncio.ReadTransport", transport)

    def data_received(self, data: bytes) -> None:
        self._heard += data
        head, ended, behind = self._heard.partition(b"\r\n\r\n")
        if (ended or len(head) > _LONGEST_HEAD) and not self.words.done():
            self.words.set_result(head)
        self.goes_on = bool(behind)
        if ended and self._line is not None:
            self._line.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.words.done():
            self.words.set_exception(exc or ConnectionResetError())
            self.words.exception()  # whoever waits hears it; nobody has to


def _connect(proxy: Proxy, host: str, port: int) -> bytes:
    lines = [f"CONNECT {host}:{port} HTTP/1.1", f"Host: {host}:{port}"]
    if proxy.user:
        credentials = base64.b64encode(f"{proxy.user}:{proxy.password}".encode("latin-1"))
        lines.append(f"Proxy-Authorization: Basic {credentials.decode()}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def _get(page: SplitResult) -> bytes:
    query = f"?{page.query}" if page.query else ""
    lines = [
        f"GET {page.path or '/'}{query} HTTP/1.1",
        f"Host: {page.netloc}",
        f"User-Agent: n8n-scraper/{__version__} (trying a proxy)",
        "Connection: close",
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def _status(head: bytes) -> int | None:
    protocol, _, rest = head.partition(b" ")
    number = rest[:3]
    return int(number) if protocol.startswith(b"HTTP/1.") and number.isdigit() else None


def _context(verified: bool) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if not verified:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
