"""Ask Browserbase by plain requests, each of them once.

Its own client library repeats a creation that was answered by 500, and each repeat may be a session
more. The key goes into a header, never into an address, a log or an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import requests

from n8n_scraper import __version__
from n8n_scraper.core.errors import ScraperError
from n8n_scraper.policies.failure.never_began import never_began
from n8n_scraper.policies.sessions import browserbase
from n8n_scraper.policies.sessions.browserbase import (
    KEY_HEADER,
    LIVING,
    PATH,
    RELEASE,
    Created,
    Refused,
    Unclear,
)
from n8n_scraper.policies.sessions.session import Need

_CONNECT_SECONDS = 10.0
_ANSWER_SECONDS = 60.0

BOOK_TAG, LEASE_TAG = "book", "lease"
"""What our sessions carry there: which book they stand in, and under which name."""


class ProviderAway(ScraperError):
    """The provider gave no answer of use; its text says why, without the key."""


class BrowserbaseApi:
    """The four things that Browserbase is asked."""

    def __init__(
        self, url: str, key: str, project: str = "", answer_seconds: float = _ANSWER_SECONDS
    ) -> None:
        self._url = url
        self._key = key
        self._project = project
        self._seconds = _CONNECT_SECONDS, answer_seconds

    def create(
        self, need: Need, timeout_seconds: float, tags: Mapping[str, str]
    ) -> Created | Refused | Unclear:
        """Ask for a session, once."""
        body = browserbase.question(need, timeout_seconds, self._project, tags)
        try:
            answer = self._ask("POST", PATH, body=body)
        except requests.RequestException as error:
            words = self._no_answer(error)
            return Refused(words) if never_began(error) else Unclear(words)
        headers = {name.lower(): text for name, text in answer.headers.items()}
        return browserbase.answer(answer.status_code, headers, _json(answer))

    def living(self) -> Mapping[str, Mapping[str, str]]:
        """Give the sessions of ours that have not ended, by their names there, with their tags."""
        found: dict[str, Mapping[str, str]] = {}
        for status in LIVING:
            answer = self._answer("GET", PATH, query={"status": status})
            tagged = browserbase.tagged(_json(answer), BOOK_TAG)
            if answer.status_code >= 300 or tagged is None:
                raise ProviderAway(self._shown(answer))
            found |= tagged
        return found

    def release(self, remote: str) -> None:
        """End a session; one that is over already has ended."""
        body = {"status": RELEASE} | ({"projectId": self._project} if self._project else {})
        answer = self._answer("POST", f"{PATH}/{quote(remote, safe='')}", body=body)
        if not browserbase.is_over(answer.status_code):
            raise ProviderAway(self._shown(answer))

    def _answer(self, method: str, path: str, **more: Any) -> requests.Response:
        try:
            return self._ask(method, path, **more)
        except requests.RequestException as error:
            raise ProviderAway(self._no_answer(error)) from None

    def _ask(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> requests.Response:
        return requests.request(
            method,
            self._url + path,
            params=query,
            json=body,
            headers={KEY_HEADER: self._key, "User-Agent": f"n8n-scraper/{__version__}"},
            timeout=self._seconds,
            allow_redirects=False,  # it would take the key along
        )

    def _no_answer(self, error: requests.RequestException) -> str:
        return f"{self._url} does not answer ({type(error).__name__})"

    def _shown(self, answer: requests.Response) -> str:
        return f"{self._url}: {browserbase.shown(answer.status_code, _json(answer))}"


def _json(answer: requests.Response) -> object:
    try:
        return answer.json()
    except requests.JSONDecodeError:
        return None
