"""Answer operations: read, ask, write; and say no with the status that programs expect of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus

import msgspec
from aiohttp import web

from n8n_scraper.core.errors import BadInput, Conflict, NoArchive, NotThere
from n8n_scraper.policies.safety.visits import Openness
from n8n_scraper.serve.api.operation import Operation, Replied
from n8n_scraper.serve.api.reading import read
from n8n_scraper.serve.guard import open_to
from n8n_scraper.serve.problems import Problem

_STATUSES = (
    (NoArchive, HTTPStatus.NOT_FOUND),
    (NotThere, HTTPStatus.NOT_FOUND),
    (Conflict, HTTPStatus.CONFLICT),
    (BadInput, HTTPStatus.UNPROCESSABLE_ENTITY),
)


def answering(operation: Operation) -> Callable[[web.Request], Awaitable[web.Response]]:
    """Give what answers an operation."""

    @open_to(Openness.PROGRAMS)
    async def answer(request: web.Request) -> web.Response:
        asked = await read(request, operation)
        try:
            reply = await operation.handler(asked)
        except BadInput as error:
            raise Problem(_status_of(error), _sentence(error)) from error
        if not isinstance(reply, Replied):
            reply = Replied(reply)
        return web.Response(
            status=reply.status,
            body=msgspec.json.encode(reply.body),
            content_type="application/json",
            headers=reply.headers,
        )

    return answer


def _status_of(error: BadInput) -> HTTPStatus:
    return next(status for kind, status in _STATUSES if isinstance(error, kind))


def _sentence(error: BadInput) -> str:
    words = str(error)
    begins_with_a_word = words.partition(" ")[0].isalpha()
    return words[:1].upper() + words[1:] if begins_with_a_word else words
