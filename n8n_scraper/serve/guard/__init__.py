"""Who is let in, and what every answer says to the browser; the rule itself is a policy.

A route says to whom it is open by `@open_to(...)`; one that says nothing is open to pages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from aiohttp import web

from n8n_scraper.policies.safety.visits import Openness

Handler = TypeVar("Handler", bound=Callable[..., object])

_OPENNESS = "open_to"
_ONLY_READS = "only_reads"
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_FOR_PROGRAMS = "/api/"


def open_to(openness: Openness) -> Callable[[Handler], Handler]:
    """Say to whom a route is open: a handler's decorator."""

    def say(handler: Handler) -> Handler:
        setattr(handler, _OPENNESS, openness)
        return handler

    return say


def only_reads(handler: Handler) -> Handler:
    """Say that nothing is changed by a route, whatever its method: a handler's decorator."""
    setattr(handler, _ONLY_READS, True)
    return handler


def changes(request: web.Request) -> bool:
    """Say whether a request asks for more than reading."""
    reads = request.method in _READING or getattr(request.match_info.handler, _ONLY_READS, False)
    return not reads


def openness_of(request: web.Request) -> Openness:
    """Say to whom the route of a request is open."""
    openness: Openness = getattr(request.match_info.handler, _OPENNESS, Openness.PAGES)
    return openness


def is_for_a_person(request: web.Request) -> bool:
    """Whether what is wrong with a request is told by a page, or by a document."""
    to_people = openness_of(request) in (Openness.EVERYBODY, Openness.PAGES)
    return to_people and not request.path.startswith(_FOR_PROGRAMS)
