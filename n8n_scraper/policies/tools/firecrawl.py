"""What Firecrawl is asked, and what its answer means: a page of the site, or whose failure.

It answers 200 and success where the site has answered 403 or 404, so the site's own status is
looked for in the answer. A failure is the site's only where its code says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from n8n_scraper.policies.pace.server_word import retry_after

PATH = "/v2/scrape"
_WAIT_IN_WORDS = re.compile(r"retry after (\d+(?:\.\d+)?)\s*s", re.IGNORECASE)
_WAIT_WITHOUT_A_WORD = 10.0
_LONGEST_WAIT = 3600.0
_WORDS_SHOWN = 200


class Whose(StrEnum):
    """Who is to blame that there is no page."""

    SITE_NOT_FOUND = "its name is not known"
    SITE_BROKEN = "the site cannot be spoken to"
    TOOL = "Firecrawl"
    WAIT = "Firecrawl wants to be left alone"
    WORKING = "Firecrawl has not finished"
    """The same request, after so many seconds, hears how it ended."""
    REFUSED = "Firecrawl will not do it"
    """Asking again changes nothing before a person does something."""


_OF_SITE = {
    "SCRAPE_DNS_RESOLUTION_ERROR": Whose.SITE_NOT_FOUND,
    "SCRAPE_SSL_ERROR": Whose.SITE_BROKEN,
    "SCRAPE_SITE_ERROR": Whose.SITE_BROKEN,
}
_FOR_GOOD = {
    400: "it does not understand what it is asked",
    401: "FIRECRAWL_KEY is not one of its keys",
    402: "its credits are used up",
    403: "it does not fetch this site",
    404: "FIRECRAWL_URL is not the address of a Firecrawl",
}
_OF_ANY_SITE = frozenset({401, 402, 404})


@dataclass(frozen=True, slots=True)
class Scraped:
    """A page of the site, as Firecrawl has seen it."""

    url: str
    status: int
    html: str
    content_type: str
    cost: float
    """In its credits."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is no page."""

    whose: Whose
    words: str
    wait_seconds: float = 0.0
    everywhere: bool = False
    """Whether it would be so with any other site."""


def question(url: str, timeout_seconds: float, headers: Mapping[str, str]) -> dict[str, Any]:
    """Ask for the page as it is now, whole, and with its certificate looked at."""
    return {
        "url": url,
        "formats": ["rawHtml"],
        "onlyMainContent": False,
        "maxAge": 0,
        "storeInCache": False,
        "skipTlsVerification": False,
        "timeout": round(timeout_seconds * 1000),
        **({"headers": dict(headers)} if headers else {}),
    }


def answer(url: str, status: int, headers: Mapping[str, str], said: object) -> Scraped | Trouble:
    """Read what came; `said` is its JSON, None where it was none; `headers` in lower case."""
    whole = said if isinstance(said, Mapping) else {}
    if status < 300 and whole.get("success") is True:
        return _page(url, whole.get("data"))
    return _trouble(status, headers, whole)


def _page(url: str, data: object) -> Scraped | Trouble:
    found = data if isinstance(data, Mapping) else {}
    about = found.get("metadata")
    about = about if isinstance(about, Mapping) else {}
    status, html, led_to = about.get("statusCode"), found.get("rawHtml"), about.get("url")
    if not isinstance(status, int) or isinstance(status, bool) or not 100 <= status <= 599:
        return Trouble(Whose.TOOL, "its answer does not say what the site answered")
    if not isinstance(html, str):
        if status < 400:
            return Trouble(Whose.TOOL, "its answer has no page in it")
        html = ""
    kind, credits_used = about.get("contentType"), about.get("creditsUsed")
    return Scraped(
        url=led_to if isinstance(led_to, str) and led_to else url,
        status=status,
        html=html,
        content_type=kind if isinstance(kind, str) else "text/html",
        cost=float(credits_used) if isinstance(credits_used, int | float) else 0.0,
    )


def _trouble(status: int, headers: Mapping[str, str], said: Mapping[str, Any]) -> Trouble:
    code, words = str(said.get("code") or ""), _words(status, said)
    if whose := _OF_SITE.get(code):
        return Trouble(whose, words)
    if status == 429:
        wait = _wait(headers, said) or _WAIT_WITHOUT_A_WORD
        return Trouble(Whose.WAIT, words, wait, everywhere=True)
    if status == 408 and _details(said).get("state") == "processing_continues":
        return Trouble(Whose.WORKING, words, _wait(headers, said) or _WAIT_WITHOUT_A_WORD)
    if status in _FOR_GOOD:
        told = f"{_FOR_GOOD[status]} ({words})"
        return Trouble(Whose.REFUSED, told, everywhere=status in _OF_ANY_SITE)
    return Trouble(Whose.TOOL, words)


def _wait(headers: Mapping[str, str], said: Mapping[str, Any]) -> float:
    """The header's word, else the answer's own, else the words for people; 0 without any."""
    told = headers.get("retry-after", "").strip()
    seconds = retry_after(told, now_wall=0.0, cap=_LONGEST_WAIT) if told.isdecimal() else None
    if seconds is None:
        given = _details(said).get("retryAfterSeconds", said.get("retryAfterSeconds"))
        seconds = float(given) if isinstance(given, int | float) else None
    if seconds is None and (found := _WAIT_IN_WORDS.search(str(said.get("error") or ""))):
        seconds = float(found[1])
    return min(max(seconds or 0.0, 0.0), _LONGEST_WAIT)


def _details(said: Mapping[str, Any]) -> Mapping[str, Any]:
    given = said.get("details")
    return given if isinstance(given, Mapping) else {}


def _words(status: int, said: Mapping[str, Any]) -> str:
    told = str(said.get("code") or said.get("error") or "")[:_WORDS_SHOWN]
    return f"status {status}: {told}" if told else f"status {status}"
