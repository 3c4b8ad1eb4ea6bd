"""Say at which address we were asked, as whoever asked wrote it."""

from __future__ import annotations

from aiohttp import web
from yarl import URL


def is_encrypted(request: web.Request) -> bool:
    """Whether the asker speaks TLS, to us or to a proxy that says so."""
    return request.secure or request.headers.get("X-Forwarded-Proto") == "https"


def asked_at(request: web.Request) -> URL:
    """Give the whole address; one that a page is given leads back the way the asker came."""
    return request.url.with_scheme("https") if is_encrypted(request) else request.url
