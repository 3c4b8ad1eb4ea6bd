"""The form that asks for the token, and gives the cookie."""

from __future__ import annotations

import time
from http import HTTPStatus

from aiohttp import web
from yarl import URL

from n8n_scraper.policies.safety.visits import Openness
from n8n_scraper.serve.asked_at import is_encrypted
from n8n_scraper.serve.guard import open_to
from n8n_scraper.serve.guard.door import GUESSES, refuse_after_too_many
from n8n_scraper.serve.guard.tokens import give_cookie, is_token, take_cookie
from n8n_scraper.serve.options import OPTIONS
from n8n_scraper.serve.pages import render
from n8n_scraper.serve.problems import Problem

_LONGEST = 4096


def add_to(app: web.Application) -> None:
    """Add the form, and the way out."""
    app.router.add_get("/login", show)
    app.router.add_post("/login", log_in)
    app.router.add_post("/logout", log_out)


@open_to(Openness.EVERYBODY)
async def show(request: web.Request) -> web.Response:
    """Ask for the token."""
    return _form(request, request.query.get("next"))


@open_to(Openness.EVERYBODY)
async def log_in(request: web.Request) -> web.Response:
    """Give the cookie for the token."""
    now = time.monotonic()
    refuse_after_too_many(request, now)
    try:
        form = await request.post()
    except (ValueError, LookupError):  # a text that is none, or in letters of no kind
        raise Problem(HTTPStatus.BAD_REQUEST, "This form cannot be read.") from None
    given, wanted = form.get("token"), form.get("next")
    token = request.app[OPTIONS].token
    if not token:
        raise Problem(HTTPStatus.FORBIDDEN, "`scrapy serve` was started without SERVE_TOKEN.")
    if not isinstance(given, str) or len(given) > _LONGEST or not is_token(given, token):
        request.app[GUESSES].add(request.remote, now)
        return _form(request, wanted, wrong=True)
    answer = web.Response(status=HTTPStatus.SEE_OTHER, headers={"Location": _place(wanted)})
    give_cookie(answer, token, secure=is_encrypted(request))
    return answer


@open_to(Openness.EVERYBODY)
async def log_out(request: web.Request) -> web.Response:
    """Take the cookie back."""
    answer = web.Response(status=HTTPStatus.SEE_OTHER, headers={"Location": "/login"})
    take_cookie(answer)
    return answer


def _form(request: web.Request, wanted: object, *, wrong: bool = False) -> web.Response:
    status = HTTPStatus.UNAUTHORIZED if wrong else HTTPStatus.OK
    return render(request, "login.html", status=status, next=_place(wanted), wrong=wrong)


def _place(wanted: object) -> str:
    """Where to go then: a page of ours, whatever was asked for."""
    try:
        url = URL(str(wanted or "/"))
    except ValueError:
        return "/"
    place = str(url)
    # Browsers read two strokes or more, of either kind, as the beginning of another site.
    is_ours = place.startswith("/") and not place.startswith("//") and "\\" not in str(wanted)
    return place if is_ours else "/"
