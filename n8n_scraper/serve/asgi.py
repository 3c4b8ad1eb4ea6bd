"""Let an ASGI application answer a request of ours."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from aiohttp import web

Message = MutableMapping[str, Any]
Application = Callable[
    [Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]],
    Awaitable[None],
]


async def answer_by(application: Application, request: web.Request) -> web.StreamResponse:
    """Give it the request, and give back what it has answered."""
    body = await request.read()
    answer: web.StreamResponse | None = None
    is_read = False

    async def receive() -> Message:
        nonlocal is_read
        if is_read:
            await asyncio.Event().wait()  # the asker stays until the answer is there
        is_read = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        nonlocal answer
        if message["type"] == "http.response.start":
            answer = web.StreamResponse(status=message["status"])
            for name, value in message.get("headers", ()):
                answer.headers[name.decode("latin-1")] = value.decode("latin-1")
            await answer.prepare(request)
        elif message["type"] == "http.response.body" and answer is not None:
            await answer.write(message.get("body", b""))

    await application(_scope(request), receive, send)
    if answer is None:
        raise RuntimeError("the application has not answered")
    await answer.write_eof()
    return answer


def _scope(request: web.Request) -> Message:
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.scheme,
        "path": request.path,
        "raw_path": request.raw_path.partition("?")[0].encode(),
        "query_string": request.query_string.encode(),
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.raw_headers],
        "client": (request.remote or "", 0),
        "server": (request.url.host or "", request.url.port or 0),
        "state": {},
    }
