"""Describe the operations in OpenAPI 3.1, by the very shapes that check what is sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from n8n_scraper import __version__
from n8n_scraper.serve.api.models.shared import ProblemDocument, Sent
from n8n_scraper.serve.api.operation import Operation

_REFERENCE = "#/components/schemas/{name}"
_ALWAYS = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.SERVICE_UNAVAILABLE,
)
_OF_A_BODY = (
    HTTPStatus.CONFLICT,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
)
_SECURITY = "token"


def describe(operations: Sequence[Operation]) -> dict[str, Any]:
    """Give the whole description."""
    paths: dict[str, Any] = {}
    schemas = _Schemas(operations)
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(
            operation, schemas
        )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "n8n-scraper",
            "version": __version__,
            "description": "The archive, its crawls, and scrape runs for programs elsewhere.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas.components,
            "securitySchemes": {_SECURITY: {"type": "http", "scheme": "bearer"}},
        },
    }


class _Schemas:
    """The schemas of all shapes, each under its name."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._shapes = list(dict.fromkeys(_shapes(operations)))
        found, self.components = msgspec.json.schema_components(
            self._shapes, ref_template=_REFERENCE
        )
        self._of = dict(zip(self._shapes, found, strict=True))

    def of(self, shape: type[msgspec.Struct]) -> dict[str, Any]:
        """Refer to the schema of a shape."""
        return self._of[shape]

    def one_of(self, shapes: Iterable[type[msgspec.Struct]]) -> dict[str, Any]:
        """Refer to the schema of a shape that is one of these."""
        them = [self.of(shape) for shape in shapes]
        return them[0] if len(them) == 1 else {"oneOf": them}

    def properties(self, shape: type[Sent]) -> Iterable[tuple[str, dict[str, Any], bool]]:
        """Give each field of a shape with its schema, and whether it must be there."""
        whole = self.components[self._of[shape]["$ref"].rpartition("/")[2]]
        for name, schema in whole["properties"].items():
            yield name, schema, name in whole["required"]


def _shapes(operations: Iterable[Operation]) -> Iterable[type[msgspec.Struct]]:
    yield ProblemDocument
    for one in operations:
        yield from (one.path_parameters, one.query, one.headers)
        yield from (*one.answers, *one.body.values())


def _operation(operation: Operation, schemas: _Schemas) -> dict[str, Any]:
    needs_token: dict[str, list[str]] = {_SECURITY: []}
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": list(_parameters(operation, schemas)),
        "responses": _responses(operation, schemas),
        # On an address that only this machine reaches, reading is open.
        "security": [needs_token] if operation.changes else [{}, needs_token],
    }
    if operation.body:
        schema = schemas.one_of(operation.body.values())
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema}},
        }
    return described


def _parameters(operation: Operation, schemas: _Schemas) -> Iterable[dict[str, Any]]:
    places = (
        ("path", operation.path_parameters),
        ("query", operation.query),
        ("header", operation.headers),
    )
    for place, shape in places:
        for name, schema, is_required in schemas.properties(shape):
            if name in operation.fixed:
                continue
            said = {"description": schema["description"]} if "description" in schema else {}
            yield {"name": name, "in": place, "required": is_required, "schema": schema, **said}


def _responses(operation: Operation, schemas: _Schemas) -> dict[str, Any]:
    answer = {"application/json": {"schema": schemas.one_of(operation.answers)}}
    good = (HTTPStatus.CREATED, HTTPStatus.OK) if operation.created else (HTTPStatus.OK,)
    found = {str(one.value): {"description": one.phrase, "content": answer} for one in good}
    problem = {"application/problem+json": {"schema": schemas.of(ProblemDocument)}}
    bad = (*_ALWAYS, *(_OF_A_BODY if operation.body else ()), *operation.problems)
    found |= {str(one.value): {"description": one.phrase, "content": problem} for one in bad}
    return found
