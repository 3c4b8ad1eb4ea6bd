"""Fails on purpose, on the wire: resets, stalls, cut and crippled answers."""

import asyncio
import socket
import struct
from collections.abc import Callable
from dataclasses import replace

from aiohttp.web import BaseRequest, StreamResponse

from n8n_scraper.testing.replica.answer import HTML, JSON, Answer
from n8n_scraper.testing.replica.draws import stable_number
from n8n_scraper.testing.replica.script import Site

_RST = struct.pack("ii", 1, 0)
_BEFORE_RESET_S = 0.02
_SENT_SHARE = 0.6
_GATEWAY_REASONS = {
    "500": "Internal Server Error",
    "502": "Bad Gateway",
    "503": "Service Temporarily Unavailable",
    "504": "Gateway Time-out",
}


def crippled(
    kind: str, answer: Answer, site: Site, url: str, retry_after: str | None
) -> Answer | None:
    """Return what is sent instead of a good answer, or nothing if the kind needs the wire."""
    if kind in _GATEWAY_REASONS:
        page = gateway_page(int(kind), _GATEWAY_REASONS[kind])
        return Answer(page, HTML, int(kind))
    if kind == "429":
        return too_many(site, 429, url, retry_after)
    if kind.isdecimal():
        return site.error(int(kind), url)
    make = _INSTEAD.get(kind)
    return make(answer) if make else site.instead(kind, answer)


def too_many(site: Site, status: int, url: str, retry_after: str | None) -> Answer:
    """Tell that this was too fast, with the Retry-After header word for word."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return replace(site.error(status, url, "Too Many Requests"), headers=headers)


def gateway_page(status: int, reason: str) -> bytes:
    """Write the page a proxy shows when the site behind it does not answer well."""
    return (
        f"<html><head><title>{status} {reason}</title></head><body><center><h1>{status} {reason}"
        "</h1></center><hr><center>cloudflare</center></body></html>"
    ).encode()


async def fail_on_the_wire(
    kind: str, request: BaseRequest, response: StreamResponse, body: bytes, pause_s: float
) -> int:
    """Fail below HTTP and return how many bytes of the body went out."""
    if kind == "timeout":
        await asyncio.sleep(pause_s)
        hang_up(request)
        return 0
    if kind == "reset" and stable_number(request.raw_path) % 2:
        reset(request)
        return 0
    response.content_length = len(body)
    await response.prepare(request)
    if kind == "drip":
        return await _drip(response, body, pause_s)
    sent = body[: int(len(body) * _SENT_SHARE)]
    await response.write(sent)
    if kind == "reset":
        # Without the pause the kernel would throw away what was just written.
        await asyncio.sleep(_BEFORE_RESET_S)
        reset(request)
    else:
        hang_up(request)
    return len(sent)


def reset(request: BaseRequest) -> None:
    """End the connection with RST."""
    if request.transport is None:
        return
    sock = request.transport.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RST)
    request.transport.abort()


def hang_up(request: BaseRequest) -> None:
    """End the connection after what was written, as if all had been said."""
    if request.transport is not None:
        request.transport.close()


async def _drip(response: StreamResponse, body: bytes, pause_s: float) -> int:
    for place in range(len(body)):
        await response.write(body[place : place + 1])
        await asyncio.sleep(pause_s)
    return len(body)


def _garbage(answer: Answer) -> Answer:
    half = answer.body[: len(answer.body) // 3] + b"<!DOCTYPE html><html><body>Oops"
    return Answer(half, JSON)


_INSTEAD: dict[str, Callable[[Answer], Answer]] = {
    "empty": lambda answer: replace(answer, body=b""),
    "garbage": _garbage,
    "bad_gzip": lambda answer: replace(answer, headers={"Content-Encoding": "gzip"}),
}
