"""Ask the policy about each request, and turn away what it does not let in."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import NoReturn

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from yarl import URL

from n8n_scraper.policies.safety.guesses import Guesses
from n8n_scraper.policies.safety.visits import (
    House,
    Verdict,
    Visit,
    verdict_on,
)
from n8n_scraper.serve.guard import changes, is_for_a_person, openness_of
from n8n_scraper.serve.guard.tokens import credential_of
from n8n_scraper.serve.options import OPTIONS
from n8n_scraper.serve.problems import Problem

GUESSES: web.AppKey[Guesses] = web.AppKey("GUESSES", Guesses)

_IN_QUERY = frozenset({"token", "access_token", "api_key", "apikey"})

_PROBLEMS = {
    Verdict.UNKNOWN_NAME: (
        HTTPStatus.FORBIDDEN,
        "This name is not known to be ours: ask by address, or add it to SERVE_NAMES.",
    ),
    Verdict.FROM_ANOTHER_SITE: (
        HTTPStatus.FORBIDDEN,
        "A page of another site has asked for this.",
    ),
    Verdict.TOKEN_IN_QUERY: (
        HTTPStatus.BAD_REQUEST,
        "A token in an address ends up in logs: send it as `Authorization: Bearer …`.",
    ),
    Verdict.WRONG_TOKEN: (HTTPStatus.UNAUTHORIZED, "This is not the token."),
    Verdict.TOKEN_WANTED: (
        HTTPStatus.UNAUTHORIZED,
        "This needs the token: send it as `Authorization: Bearer …`.",
    ),
    Verdict.NOTHING_CHANGES: (
        HTTPStatus.FORBIDDEN,
        "Nothing can be changed here: `scrapy serve` was started without SERVE_TOKEN.",
    ),
}


def door(house: House, clock: Callable[[], float] = time.monotonic) -> Middleware:
    """Give what lets requests in to a house."""

    @web.middleware
    async def let_in(request: web.Request, handler: Handler) -> web.StreamResponse:
        visit = _visit(request, clock)
        verdict = verdict_on(visit, house)
        if verdict is Verdict.LET_IN:
            return await handler(request)
        # A page of any site can make a browser send wrong keys, and nobody guesses a right one.
        if verdict is Verdict.WRONG_TOKEN and "Authorization" in request.headers:
            request.app[GUESSES].add(request.remote, clock())
        if verdict is Verdict.TOKEN_WANTED and not changes(request) and is_for_a_person(request):
            login = URL("/login").with_query(next=request.path_qs)
            raise web.HTTPSeeOther(login)
        status, sentence = _PROBLEMS[verdict]
        raise Problem(status, sentence)

    return let_in


def refuse_after_too_many(request: web.Request, now: float) -> None:
    """Look at no further token of an address that has guessed too often."""
    wait = request.app[GUESSES].wait(request.remote, now)
    if wait > 0:
        _too_many(wait)


def _too_many(wait: float) -> NoReturn:
    seconds = math.ceil(wait)
    raise Problem(
        HTTPStatus.TOO_MANY_REQUESTS,
        f"Too many wrong tokens came from this address: try again in {seconds} s.",
        headers={"Retry-After": str(seconds)},
    )


def _visit(request: web.Request, clock: Callable[[], float]) -> Visit:
    if "Authorization" in request.headers:
        refuse_after_too_many(request, clock())
    headers = request.headers
    openness = openness_of(request)
    return Visit(
        openness=openness,
        changes=changes(request),
        host=headers.get("Host"),
        origin=headers.get("Origin"),
        fetch_site=headers.get("Sec-Fetch-Site"),
        navigates=headers.get("Sec-Fetch-Mode") == "navigate"
        and headers.get("Sec-Fetch-Dest") == "document",
        credential=credential_of(request, request.app[OPTIONS].token, openness),
        token_in_query=not _IN_QUERY.isdisjoint(name.casefold() for name in request.query),
    )
