"""Say what is wrong in one clear sentence: a document to programs, a page to people."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from http import HTTPStatus

from aiohttp import web
from aiohttp.typedefs import Handler

from n8n_scraper.core.errors import BadInput, NoArchive, StoreError, TookTooLong
from n8n_scraper.serve.guard import is_for_a_person
from n8n_scraper.serve.pages import render

_log = logging.getLogger(__name__)

_SENTENCES = {
    HTTPStatus.NOT_FOUND: "There is nothing at this address.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address does not take that method.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "That is more than is read here at once.",
}
_OUR_OWN = "An error of our own; the log of `scrapy serve` has it in full."


class Problem(Exception):
    """An answer that says no; its sentence is for whoever has asked."""

    def __init__(
        self,
        status: HTTPStatus | int,
        sentence: str,
        *,
        headers: Mapping[str, str] | None = None,
        **further: object,
    ) -> None:
        super().__init__(sentence)
        self.status = HTTPStatus(status)
        self.sentence = sentence
        self.headers = dict(headers or {})
        self.further = further
        """What a program is told besides: members of the document."""


@web.middleware
async def answer_problems(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn whatever goes wrong into an answer."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < HTTPStatus.BAD_REQUEST:
            raise
        return _answer(request, _of_aiohttp(error))
    except Problem as problem:
        return _answer(request, problem)
    except NoArchive as error:
        return _answer(request, Problem(HTTPStatus.NOT_FOUND, str(error)))
    except BadInput as error:
        return _answer(request, Problem(HTTPStatus.BAD_REQUEST, str(error)))
    except TookTooLong as error:
        return _answer(request, Problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error)))
    except StoreError as error:
        _log.warning("%s %s: %s", request.method, request.path, error)
        return _answer(request, Problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error)))
    except ConnectionResetError:
        raise  # nobody is there to be answered
    except Exception:  # noqa: BLE001 - it is told, and in the log
        _log.exception("%s %s", request.method, request.path)
        return _answer(request, Problem(HTTPStatus.INTERNAL_SERVER_ERROR, _OUR_OWN))


def _answer(request: web.Request, problem: Problem) -> web.Response:
    if problem.status is HTTPStatus.UNAUTHORIZED:
        problem.headers.setdefault("WWW-Authenticate", "Bearer")
    if not is_for_a_person(request):
        return as_document(problem)
    answer = render(request, "problem.html", status=problem.status, problem=problem)
    answer.headers.update(problem.headers)
    return answer


def as_document(problem: Problem) -> web.Response:
    """Say it to a program (RFC 9457)."""
    document = {
        "type": "about:blank",
        "title": problem.status.phrase,
        "status": problem.status,
        "detail": problem.sentence,
        **problem.further,
    }
    return web.Response(
        status=problem.status,
        text=json.dumps(document, ensure_ascii=False),
        content_type="application/problem+json",
        headers=problem.headers,
    )


def _of_aiohttp(error: web.HTTPException) -> Problem:
    status = HTTPStatus(error.status)
    kept = {name: error.headers[name] for name in ("Allow",) if name in error.headers}
    return Problem(
        status, _SENTENCES.get(status, status.description or status.phrase), headers=kept
    )
