"""Bring addresses into one form: two that lead to the same page are the same afterwards."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

_USUAL_PORTS: Final = {"http": 80, "https": 443}
_TRACKING = re.compile(
    r"utm_\w+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|ttclid|igshid|igsh|mc_cid|mc_eid"
    r"|_ga|_gl|spm|ref|referrer|wt\.mc_id|cmpid|trk|aff|affid",
    re.IGNORECASE,
)
_HOME = re.compile(
    r"/?(?:[a-z]{2}(?:[-_][a-z]{2,4})?)?/?(?:(?:index|home|default)\.\w+)?", re.IGNORECASE
)
"""The first page of a site, in whatever language: it is about no event."""


def page_at(url: str) -> str | None:
    """Give an address without what leads to the same page; None of one that is about no event.

    >>> page_at("HTTP://www.Example.org/a/b/?utm_source=x&id=7#top")
    'example.org/a/b?id=7'
    >>> page_at("https://example.org/en/")
    """
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return None
    if parts.scheme not in _USUAL_PORTS or not host:
        return None
    query = _without_tracking(parts.query)
    way = parts.fragment if parts.fragment.startswith(("/", "!")) else ""
    if not query and not way and _HOME.fullmatch(parts.path):
        return None
    name = host if port in (None, _USUAL_PORTS[parts.scheme]) else f"{host}:{port}"
    path = unquote(parts.path).rstrip("/")
    return name + path + (f"?{query}" if query else "") + (f"#{way}" if way else "")


def _without_tracking(query: str) -> str:
    told = parse_qsl(query, keep_blank_values=True)
    return urlencode(sorted(one for one in told if not _TRACKING.fullmatch(one[0])))
