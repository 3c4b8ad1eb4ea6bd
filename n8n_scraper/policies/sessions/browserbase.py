"""What Browserbase is asked, and what its answers mean.

A creation that was not answered, or answered by 5xx, may have been done all the same, and is paid
for by the minute: it is never asked again, but looked for by the tag that it carries.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from n8n_scraper.policies.pace.server_word import retry_after
from n8n_scraper.policies.sessions.session import Need, ProxyType

PATH = "/v1/sessions"
KEY_HEADER = "X-BB-API-Key"
LIVING = ("PENDING", "RUNNING")
"""The statuses of sessions that count, and cost."""
RELEASE = "REQUEST_RELEASE"

SHORTEST_TIMEOUT, LONGEST_TIMEOUT = 60, 21_600
"""Between so many seconds the provider ends a session by itself."""
CONNECT_SECONDS = 300.0
"""A session that nobody connects to within this time is ended by the provider."""

_WAIT_WITHOUT_A_WORD = 30.0
_LONGEST_WAIT = 3600.0
_WORDS_SHOWN = 200
_FOR_GOOD = {
    400: "it does not understand what it is asked",
    401: "BROWSERBASE_API_KEY is not one of its keys",
    402: "its plan is used up",
    403: "its plan does not allow what was asked",
    404: "BROWSERBASE_URL or BROWSERBASE_PROJECT_ID names nothing there",
}
_GONE = (404, 410)
_TIMEOUT_OF_THE_WAY = 408


@dataclass(frozen=True, slots=True)
class Created:
    """A session that was created."""

    remote: str
    connect_url: str
    """Where it is spoken to; whoever has this address has the session."""


@dataclass(frozen=True, slots=True)
class Refused:
    """It was not created, and the provider has said so."""

    words: str
    wait_seconds: float = 0.0
    for_good: bool = False


@dataclass(frozen=True, slots=True)
class Unclear:
    """It may have been created."""

    words: str
    remote: str = ""
    """Its name, where the answer gave one all the same."""


def question(need: Need, timeout_seconds: float, project: str, tags: Mapping[str, str]) -> Any:
    """Ask for a session that ends by itself, and of which nothing is recorded there."""
    asked: dict[str, Any] = {
        "timeout": round(timeout_seconds),
        "keepAlive": False,
        "browserSettings": {"solveCaptchas": False, "recordSession": False, "logSession": False},
        "userMetadata": dict(tags),
    }
    if project:
        asked["projectId"] = project
    if need.proxy_type is not ProxyType.NONE:
        asked["proxies"] = _proxies(need.geo)
    return asked


def _proxies(geo: str) -> Any:
    return [{"type": "browserbase", "geolocation": {"country": geo}}] if geo else True


def answer(status: int, headers: Mapping[str, str], said: object) -> Created | Refused | Unclear:
    """Read the answer to a creation; `said` is its JSON, None where it was none."""
    whole = said if isinstance(said, Mapping) else {}
    remote, connect_url = _text(whole, "id"), _text(whole, "connectUrl")
    if status < 300:
        if not (remote and connect_url):
            return Unclear("its answer does not name a session", remote)
        if whole.get("status") not in LIVING:
            return Unclear(f"the session is {_text(whole, 'status') or 'nothing'} at once", remote)
        return Created(remote, connect_url)
    words = shown(status, said)
    if status == 429:
        told = headers.get("retry-after")
        wait = (
            retry_after(told, now_wall=0.0, cap=_LONGEST_WAIT) if told and told.isdecimal() else 0
        )
        return Refused(words, wait or _WAIT_WITHOUT_A_WORD)
    if status >= 500 or status == _TIMEOUT_OF_THE_WAY:
        return Unclear(words, remote)
    return Refused(f"{_FOR_GOOD.get(status, 'it refuses')} ({words})", for_good=True)


def is_over(status: int) -> bool:
    """Whether the answer to a release says that the session ends, or was over before."""
    return status < 300 or status in _GONE


def tagged(said: object, tag: str) -> dict[str, Mapping[str, str]] | None:
    """Give the tags of the sessions that carry one, by their names; None where it is no list."""
    if not isinstance(said, list):
        return None
    found: dict[str, Mapping[str, str]] = {}
    for one in said:
        tags = one.get("userMetadata") if isinstance(one, Mapping) else None
        if isinstance(tags, Mapping) and tag in tags and isinstance(one.get("id"), str):
            found[one["id"]] = {str(name): str(text) for name, text in tags.items()}
    return found


def shown(status: int, said: object) -> str:
    """Quote an answer, short."""
    whole = said if isinstance(said, Mapping) else {}
    told = _text(whole, "message") or _text(whole, "error")
    return f"status {status}: {told[:_WORDS_SHOWN]}" if told else f"status {status}"


def _text(said: Mapping[str, Any], name: str) -> str:
    given = said.get(name)
    return given if isinstance(given, str) else ""
