"""Tell who knows the token: programs by a header, browsers by a cookie that is made of it."""

from __future__ import annotations

import hashlib
import hmac

from aiohttp import web

from n8n_scraper.policies.safety.visits import Credential, Openness

COOKIE = "n8n-scraper"
_COOKIE_SECONDS = 30 * 24 * 3600
_MADE_FOR = b"the cookie of n8n-scraper's pages"
_KEY_MADE_FOR = b"the key in an address of n8n-scraper"
_KEY_SIGNS = 32
_BEARER = "bearer "


def is_token(given: str, token: str) -> bool:
    """Compare in a time that tells nothing of the right one, not even its length."""
    # A header may be no Unicode.
    pair = (hashlib.sha256(one.encode(errors="surrogateescape")).digest() for one in (given, token))
    return bool(token) and hmac.compare_digest(*pair)


def credential_of(request: web.Request, token: str, openness: Openness) -> Credential:
    """Look at what a request brings; a cookie that is not ours, or not any more, is none."""
    if openness is Openness.EVERYBODY:
        return Credential.NONE
    authorization = request.headers.get("Authorization")
    if authorization is not None:
        has_scheme = authorization[: len(_BEARER)].casefold() == _BEARER
        given = authorization[len(_BEARER) :].strip() if has_scheme else ""
        return Credential.RIGHT if is_token(given, token) else Credential.WRONG
    if openness is Openness.OTHER_SITES and "key" in request.match_info:
        given = request.match_info["key"]
        return Credential.RIGHT if is_token(given, key_of(token)) else Credential.WRONG
    cookie = None if openness is Openness.PROGRAMS else request.cookies.get(COOKIE)
    has_cookie = cookie is not None and token and is_token(cookie, _made(token))
    return Credential.RIGHT if has_cookie else Credential.NONE


def key_of(token: str) -> str:
    """Give the key for those that can send no header: it opens only what other sites may read."""
    return _made(token, _KEY_MADE_FOR)[:_KEY_SIGNS] if token else ""


def give_cookie(answer: web.Response, token: str, *, secure: bool) -> None:
    """Let a browser show from now on that its person knew the token."""
    answer.set_cookie(
        COOKIE,
        _made(token),
        max_age=_COOKIE_SECONDS,
        httponly=True,
        samesite="Strict",
        secure=secure,
    )


def take_cookie(answer: web.Response) -> None:
    """Let a browser forget it."""
    answer.del_cookie(COOKIE, httponly=True, samesite="Strict")


def _made(token: str, purpose: bytes = _MADE_FOR) -> str:
    return hmac.new(token.encode(), purpose, hashlib.sha256).hexdigest()
