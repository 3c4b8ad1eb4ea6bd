"""Decide which pages may read what we answer to n8n's template browser.

Its browser sends cookies along to any address in which neither `api.n8n.io` nor `n8n.cloud` stands,
and then takes no answer that is open to everybody. So the host is at an address in which it stands,
where everybody may read and no cookie comes; and at another one for those who cannot use that.
"""

from __future__ import annotations

from collections.abc import Collection

from n8n_scraper.policies.safety.origin import Origin, origin_of
from n8n_scraper.policies.safety.visits import is_loopback

_ASKED_WITH = "n8n-version"
"""The header that n8n sends; with credentials a star does not stand for it."""


def answer_to(
    origin: str | None, known: Collection[Origin], *, open_to_all: bool
) -> dict[str, str]:
    """Give the headers that let a page read the answer; none where it may not."""
    if open_to_all:
        return _allowing("*")
    headers = {"Vary": "Origin"}
    if origin is not None and _may_read(origin_of(origin), known):
        headers |= _allowing(origin) | {"Access-Control-Allow-Credentials": "true"}
    return headers


def _allowing(origin: str) -> dict[str, str]:
    return {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Allow-Methods": "GET, OPTIONS",
        "Access-Control-Allow-Headers": _ASKED_WITH,
        "Access-Control-Max-Age": "600",
    }


def _may_read(origin: Origin | None, known: Collection[Origin]) -> bool:
    return origin is not None and (origin in known or is_loopback(origin.host))
