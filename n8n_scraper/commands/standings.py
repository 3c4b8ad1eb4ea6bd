"""Put into words how the services of the stack stand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from n8n_scraper.stack.health import State
from n8n_scraper.stack.stack import Standing, Stopped

_NAME, _STATE = 10, 12
"""Widths of the first two columns."""


def line_of(standing: Standing) -> str:
    """Say in one line how a service stands, and which process of ours it is."""
    state = "started" if standing.was_started and standing.process else str(standing.health.state)
    words = standing.health.words
    if standing.process:
        words += f" (started here, process {standing.process.pid})"
    return f"{standing.service.name:<{_NAME}}{state:<{_STATE}} {words}"


def preflight_lines(seen: Iterable[Standing]) -> Iterator[str]:
    """Say how each stands, what is not possible without it, and how to get it."""
    for one in seen:
        yield line_of(one)
        if one.health.state is State.UNHEALTHY:
            yield f"{'':<{_NAME}}without it: {one.service.prevents}"
        if one.health.state in (State.UNHEALTHY, State.NOT_NEEDED) and (remedy := _remedy(one)):
            yield f"{'':<{_NAME}}to have it: {remedy}"


def as_json(seen: Sequence[Standing]) -> str:
    """Say the same to a machine."""
    services = [
        {
            "name": one.service.name,
            "state": str(one.health.state),
            "detail": one.health.words,
            "prevents": one.service.prevents,
            "remedy": _remedy(one) or None,
            "started_here": one.process.pid if one.process else None,
        }
        for one in seen
    ]
    ready = all(one.health.is_ready for one in seen)
    return json.dumps({"ready": ready, "services": services}, ensure_ascii=False)


def stopped_line(stopped: Stopped) -> str:
    """Say in one line what came of stopping a service."""
    words = "had ended before"
    if stopped.process:
        words = f"stopped, process {stopped.process.pid}"
    if stopped.left:
        words = f"process {stopped.left.pid} may be ours, and still lives: look at it yourself"
    return f"{stopped.service.name:<{_NAME}}{words}"


def _remedy(one: Standing) -> str:
    if one.health.state is State.HEALTHY:
        return ""
    if one.service.remedy or one.health.state is State.NOT_NEEDED:
        return one.service.remedy
    return "scrapy stack up"
