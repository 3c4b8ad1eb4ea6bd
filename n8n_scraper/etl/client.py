"""Ask a server of the contract over HTTP: every call is one request, and every failure has a kind.

The key goes into the header, never into an address, a log or an error.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import requests

from n8n_scraper import __version__
from n8n_scraper.core.errors import BadContent, ScraperError
from n8n_scraper.etl.answers import ForeignRun, Page, read_page, read_run
from n8n_scraper.etl.etl_settings import EtlSettings
from n8n_scraper.etl.mapping import Flags, finalisation
from n8n_scraper.policies.failure.category import Category, classify
from n8n_scraper.policies.failure.never_began import never_began
from n8n_scraper.policies.outbox.delivery import Came
from n8n_scraper.policies.pace.server_word import retry_after
from n8n_scraper.policies.run.command_line import HIDDEN, without_passwords

logger = logging.getLogger(__name__)

RUNS = "/api/scrape-runs"
_LONGEST_SERVER_WAIT = 3600.0
_LONGEST_QUOTE = 200
_PAGE = 100
_MOST_ITEMS = 10_000
_TRIED_AGAIN = (HTTPStatus.CONFLICT, HTTPStatus.LOCKED, HTTPStatus.TOO_EARLY)
"""Of the answers that refuse a request, those that may be others later."""
_OF_THE_KEY = (
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.PROXY_AUTHENTICATION_REQUIRED,
)


class EtlFailure(ScraperError):
    """A request to the server came to nothing; its text says why, without the key."""

    def __init__(
        self,
        reason: str,
        came: Came,
        *,
        status: int | None = None,
        server_wait: float | None = None,
        in_doubt: bool = False,
    ) -> None:
        super().__init__(reason)
        self.came = came
        self.status = status
        self.server_wait = server_wait
        self.in_doubt = in_doubt
        """Whether the server may have done what it was asked to."""


class _Bearer(requests.auth.AuthBase):
    """Puts the key into the header, whatever a .netrc says of the same host."""

    def __init__(self, key: str) -> None:
        self._key = key

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._key}"
        return request


class EtlClient:
    """The calls of the contract."""

    def __init__(self, settings: EtlSettings) -> None:
        self.settings = settings
        self._session = requests.Session()
        self._session.auth = _Bearer(settings.key)
        self._session.headers["User-Agent"] = f"n8n-scraper/{__version__}"

    def close(self) -> None:
        """Hang up."""
        self._session.close()

    def create_scrape_run(self, request: Mapping[str, Any], key: str | None = None) -> ForeignRun:
        """Create a run; a server that heeds keys of repeats makes no second one for the same."""
        headers = {} if key is None else {"Idempotency-Key": key}
        return read_run(self._ask("POST", RUNS, body=request, headers=headers))

    def fetch_scrape_run(self, run_id: str) -> ForeignRun:
        """Give a run with its items; a server that says how many it left out is asked for more."""
        run = read_run(self._ask("GET", _path(run_id)))
        if not run.items_left_out:
            return run
        return read_run(self._ask("GET", _path(run_id), query={"itemsLimit": _MOST_ITEMS}))

    def list_scrape_runs(
        self,
        *,
        domain: str | None = None,
        status: str | None = None,
        limit: int = _PAGE,
        page: int = 1,
        sort_by: str = "startTime",
        sort_order: str = "desc",
    ) -> Page:
        """Give a page of runs, the newest first."""
        query: dict[str, str | int | None] = {
            "domain": domain,
            "status": status,
            "limit": limit,
            "page": page,
            "sortBy": sort_by,
            "sortOrder": sort_order,
        }
        asked = {name: given for name, given in query.items() if given is not None}
        return read_page(self._ask("GET", RUNS, query=asked))

    def runs_of(self, domain: str, most: int) -> Iterator[ForeignRun]:
        """Give the runs of a domain, the newest first, page by page."""
        seen: set[str] = set()
        for page in range(1, most // _PAGE + 2):
            found = self.list_scrape_runs(domain=domain, page=page).runs
            new = [run for run in found if run.id not in seen]  # some know no pages
            yield from new
            seen.update(run.id for run in new)
            if len(new) < _PAGE or len(seen) >= most:
                return

    def get_latest_run_for_domain(self, domain: str) -> ForeignRun | None:
        """Give the newest run of a domain; None where there is none."""
        return next(iter(self.list_scrape_runs(domain=domain, limit=1).runs), None)

    def update_scrape_run_item(self, run_id: str, url: str, flags: Flags) -> None:
        """Say how an item stands."""
        body = {"updateItem": {"url": url, "changes": flags.as_changes()}}
        self._ask("PATCH", _path(run_id), body=body)

    def update_scrape_run_items(self, run_id: str, items: Mapping[str, Flags]) -> ForeignRun | None:
        """Say it of several at once; give the run where the answer tells it with its items."""
        updates = [{"url": url, "changes": flags.as_changes()} for url, flags in items.items()]
        answer = self._ask("PATCH", _path(run_id), body={"updateItems": updates})
        try:
            run = read_run(answer)
        except BadContent:
            return None
        return run if run.items is not None else None

    def finalize_scrape_run(self, run_id: str, payload: Mapping[str, Any]) -> None:
        """Say that a run is over."""
        self._ask("PATCH", _path(run_id), body=finalisation(payload, self.settings.finalising))

    def _ask(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str | int] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        logger.debug("%s %s%s", method, self.settings.place, path)
        try:
            answer = self._session.request(
                method,
                self.settings.endpoint + path,
                params=query,
                json=body,
                headers=headers,
                timeout=self.settings.timeout_seconds,
                allow_redirects=False,  # it would take the key along
            )
        except requests.RequestException as error:
            raise self._no_answer(error) from None
        if not HTTPStatus.OK <= answer.status_code < HTTPStatus.MULTIPLE_CHOICES:
            raise self._refusal(answer)
        if method == "PATCH" and not answer.content.strip():
            return None
        try:
            return answer.json()
        except requests.JSONDecodeError:
            if method == "PATCH":  # the contract promises no words there
                return None
            raise EtlFailure(
                f"{self._shown(answer)} is no JSON", Came.FAILED, in_doubt=True
            ) from None

    def _no_answer(self, error: requests.RequestException) -> EtlFailure:
        category = classify(exception=error)
        began = not never_began(error)
        came = Came.FAILED if began else Came.AWAY
        words = f"{self.settings.place} gave no answer ({category})"
        return EtlFailure(words, came, in_doubt=began)

    def _refusal(self, answer: requests.Response) -> EtlFailure:
        status = answer.status_code
        wait = retry_after(
            answer.headers.get("Retry-After"), now_wall=time.time(), cap=_LONGEST_SERVER_WAIT
        )
        words = self._shown(answer)
        category = classify(status=status)
        if category is Category.RATE_LIMITED or (wait is not None and status >= 500):
            return EtlFailure(words, Came.AWAY, status=status, server_wait=wait)
        if status in _OF_THE_KEY:
            return EtlFailure(f"{words}: look at ETL_API_KEY", Came.AWAY, status=status)
        if status >= 500 or category is Category.TIMEOUT:
            return EtlFailure(words, Came.FAILED, status=status, in_doubt=True)
        if status in _TRIED_AGAIN:
            return EtlFailure(words, Came.FAILED, status=status, server_wait=wait, in_doubt=True)
        if status < 400:
            words += ", a redirect, which is not followed: give the address that it leads to"
            return EtlFailure(words, Came.AWAY, status=status)
        return EtlFailure(words, Came.REFUSED, status=status)

    def _shown(self, answer: requests.Response) -> str:
        """Quote what the server said, short and without what must not be repeated."""
        said = " ".join(answer.text[: 10 * _LONGEST_QUOTE].split())
        said = without_passwords(said.replace(self.settings.key, HIDDEN))[:_LONGEST_QUOTE]
        said = "".join(sign if sign.isprintable() else "?" for sign in said)
        return f"{self.settings.place} answered {answer.status_code}{f': {said}' if said else ''}"


def _path(run_id: str) -> str:
    return f"{RUNS}/{quote(run_id, safe='')}"
