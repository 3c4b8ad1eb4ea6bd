"""Read a request into the shapes of its operation, or say in one sentence what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, TypeVar

import msgspec
from aiohttp import web
from multidict import MultiMapping

from n8n_scraper.serve.api.models.shared import Sent
from n8n_scraper.serve.api.operation import Asked, Operation, fields_of
from n8n_scraper.serve.problems import Problem

S = TypeVar("S", bound=Sent)

_LARGEST_FLOAT = 2.0**63
_BODY_IS_JSON = "Send the body as application/json."


async def read(request: web.Request, operation: Operation) -> Asked[Any, Any, Any]:
    """Read path, query, headers and body."""
    path = _converted(
        {**request.match_info, **operation.fixed}, operation.path_parameters, "The address"
    )
    sent = {
        name: request.headers[name]
        for name in fields_of(operation.headers)
        if name in request.headers
    }
    return Asked(
        app=request.app,
        path=path,
        query=_converted(_each_once(request.query), operation.query, "The query"),
        headers=_converted(sent, operation.headers, "The headers"),
        body=await _body(request, operation.body) if operation.body else None,
    )


async def _body(request: web.Request, shapes: Mapping[str, type[Sent]]) -> Sent:
    if request.content_type != "application/json":
        raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, _BODY_IS_JSON)
    try:
        content = _whole_numbers(msgspec.json.decode(await request.read()))
    except (msgspec.DecodeError, RecursionError) as error:
        raise Problem(HTTPStatus.BAD_REQUEST, f"The body is no JSON: {error}.") from None
    if not isinstance(content, dict):
        raise Problem(HTTPStatus.BAD_REQUEST, "The body has to be a JSON object.")
    meant = [name for name in shapes if name in content]
    if not meant:
        names = " or ".join(f"`{name}`" for name in shapes)
        raise Problem(HTTPStatus.BAD_REQUEST, f"The body needs {names}.")
    return _converted(content, shapes[meant[0]], "The body", is_text=False)


def _converted(content: Mapping[str, Any], shape: type[S], what: str, *, is_text: bool = True) -> S:
    """Read content into a shape; what `is_text` stands for numbers and the like as well."""
    if problem := _unfit_text(content):
        raise Problem(HTTPStatus.BAD_REQUEST, f"{what}: {problem}.")
    try:
        return msgspec.convert(content, shape, strict=not is_text)
    except msgspec.ValidationError as error:
        raise Problem(HTTPStatus.BAD_REQUEST, f"{what}: {error}.") from None


def _each_once(query: MultiMapping[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in query.items():
        if name in found:
            raise Problem(HTTPStatus.BAD_REQUEST, f"The query: {name} is there more than once.")
        found[name] = value
    return found


def _whole_numbers(content: Any) -> Any:
    """Read 424.0 as the whole number that JSON Schema takes it for."""
    if isinstance(content, dict):
        return {name: _whole_numbers(value) for name, value in content.items()}
    if isinstance(content, list):
        return [_whole_numbers(value) for value in content]
    is_whole = isinstance(content, float) and content.is_integer()
    return int(content) if is_whole and abs(content) < _LARGEST_FLOAT else content


def _unfit_text(content: Any) -> str | None:
    """Say what of a text no database can hold."""
    if isinstance(content, Mapping):
        pairs = (_unfit_text(one) for pair in content.items() for one in pair)
        return next(filter(None, pairs), None)
    if isinstance(content, list):
        return next(filter(None, map(_unfit_text, content)), None)
    if not isinstance(content, str):
        return None
    if "\0" in content:
        return "a text has a NUL in it"
    return None if _is_encodable(content) else "a text is no Unicode"


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
