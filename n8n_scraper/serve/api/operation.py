"""An operation: what is asked for, in which shape it is sent, and what answers it.

Routes, checks and the published description are all made of this.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Generic, TypeVar

import msgspec
from aiohttp import web

from n8n_scraper.serve.api.models.shared import Answer, Sent

P = TypeVar("P", bound=Sent)
Q = TypeVar("Q", bound=Sent)
B = TypeVar("B", bound=Sent)
A = TypeVar("A", bound=Answer)


class Nothing(Sent):
    """No parameter at all."""


@dataclass(frozen=True, slots=True)
class Asked(Generic[P, Q, B]):
    """A request, read and checked."""

    app: web.Application
    path: P
    query: Q
    body: B
    headers: Any


@dataclass(frozen=True, slots=True)
class Replied:
    """An answer with what is said beside its body."""

    body: Answer
    status: HTTPStatus = HTTPStatus.OK
    headers: Mapping[str, str] = field(default_factory=dict)


Handler = Callable[[Asked[Any, Any, Any]], Awaitable[Answer | Replied]]


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that a program can ask for."""

    method: str
    path: str
    summary: str
    handler: Handler
    answers: tuple[type[Answer], ...]
    path_parameters: type[Sent] = Nothing
    query: type[Sent] = Nothing
    headers: type[Sent] = Nothing
    body: Mapping[str, type[Sent]] = field(default_factory=dict)
    """The shapes of its body: each by the field that tells it from the others."""
    fixed: Mapping[str, str] = field(default_factory=dict)
    """The path parameters that its path does not have, because they are always these."""
    created: bool = False
    """Whether it is answered with 201, or with 200 where it was asked for before."""
    problems: tuple[HTTPStatus, ...] = ()
    """The answers that say no, beside those that every operation has."""

    @property
    def name(self) -> str:
        """The name of the operation, by which programs are generated."""
        return "_of_".join((self.handler.__name__, *self.fixed.values()))

    @property
    def changes(self) -> bool:
        """Whether it does more than read."""
        return self.method != "GET"


def fields_of(shape: type[Sent]) -> tuple[str, ...]:
    """Name the fields of a shape as they are sent."""
    return tuple(one.encode_name for one in msgspec.structs.fields(shape))


def presented(report: object, shape: type[A]) -> A:
    """Give a read model in the shape in which programs are told it."""
    return msgspec.convert(report, shape, from_attributes=True)
