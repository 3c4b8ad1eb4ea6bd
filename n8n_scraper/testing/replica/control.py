"""Answers the requests that steer the stand-in; none of them is logged, limited or faulted."""

import json
from typing import Any, Protocol

from aiohttp.web import BaseRequest, Response
from pydantic import ValidationError

from n8n_scraper.testing.replica.journal import Journal
from n8n_scraper.testing.replica.switches import Switches


class Steered(Protocol):
    """What can be read and turned: the stand-in's journal, switches and memory."""

    switches: Switches
    journal: Journal

    def forget(self) -> None:
        """Clear the journal, and let healed paths fail anew."""


class SteeredServer(Protocol):
    """The server around it, which must know of an outage."""

    @property
    def stand_in(self) -> Steered:
        """What answers behind this server."""

    @property
    def url(self) -> str:
        """The address of the site."""

    @property
    def control_url(self) -> str:
        """The address of the controls."""

    async def turn(self, switches: Switches) -> None:
        """Put other switches into force."""


async def answer_control(server: SteeredServer, request: BaseRequest) -> Response:
    """Answer ``/__log``, ``/__stats``, ``/__reset`` or ``/__control``."""
    asked = (request.method, request.path)
    journal = server.stand_in.journal
    if asked == ("GET", "/__log"):
        since = request.query.get("since", "0")
        return _json(journal.since(int(since) if since.isdecimal() else 0))
    if asked == ("GET", "/__stats"):
        return _json(journal.stats())
    if asked == ("POST", "/__reset"):
        server.stand_in.forget()
        return _json({"reset": True})
    if asked == ("GET", "/__control"):
        return _json(_told(server))
    if asked == ("POST", "/__control"):
        return await _turn(server, request)
    return _json({"error": f"no such control: {request.method} {request.path}"}, 404)


async def _turn(server: SteeredServer, request: BaseRequest) -> Response:
    try:
        wanted = json.loads(await request.read() or b"{}")
        if not isinstance(wanted, dict):
            return _json({"error": "send a JSON object of switches"}, 400)
        switches = server.stand_in.switches.merged(wanted)
    except ValidationError as problem:
        return _json({"error": one_line(problem)}, 400)
    except ValueError:
        return _json({"error": "send a JSON object of switches"}, 400)
    await server.turn(switches)
    return _json(_told(server))


def one_line(problem: ValidationError) -> str:
    """Tell in one line the first thing that cannot be set as asked, and why."""
    found = problem.errors(include_url=False)[0]
    place = ".".join(map(str, found["loc"])) or "switches"
    return f"{place}: {found['msg']}, not {found['input']!r}"


def _told(server: SteeredServer) -> dict[str, Any]:
    addresses = {"url": server.url, "control_url": server.control_url}
    return {**server.stand_in.switches.model_dump(mode="json"), **addresses}


def _json(value: object, status: int = 200) -> Response:
    return Response(body=json.dumps(value).encode(), status=status, content_type="application/json")
