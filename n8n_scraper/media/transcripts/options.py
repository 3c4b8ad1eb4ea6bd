"""The settings about transcripts as values, or one line about the one that makes no sense."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import SplitResult, urlsplit

from scrapy.settings import BaseSettings

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.pacing import read_limits
from n8n_scraper.policies.pace.circuit import CircuitLimits
from n8n_scraper.policies.pace.token_bucket import BucketLimits

VIDEO_DOMAIN = "youtube.com"
"""The name of the video host in `RATE_LIMITS`, in `scrapy breaker` and in the table `domains`."""

VIDEO_HOST_URL = "https://www.youtube.com"

CIRCUIT = CircuitLimits(failures=3, hold_seconds=900.0, hold_cap_seconds=6 * 3600.0)
"""A host that has blocked somebody does not change its mind within minutes."""

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")


class When(StrEnum):
    """When the video host is asked."""

    OFF = "off"
    CRAWL = "crawl"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class TranscriptOptions:
    """What the person running it wants of transcripts."""

    when: When = When.LATER
    host_url: str = VIDEO_HOST_URL
    limits: BucketLimits = field(default_factory=lambda: BucketLimits(0.5, 1))
    languages: tuple[str, ...] = ("en",)
    proxy: str | None = field(default=None, repr=False)  # it may hold a password
    wait_seconds: float = 30.0
    circuit: CircuitLimits = CIRCUIT


def read_options(settings: BaseSettings) -> TranscriptOptions:
    """Read `TRANSCRIPT…` and `VIDEO_HOST_URL`; raise BadInput for the first wrong one."""
    return TranscriptOptions(
        when=_when(settings["TRANSCRIPTS"]),
        host_url=_host(settings["VIDEO_HOST_URL"]),
        limits=_limits(settings, read_limits(settings)[1]),
        languages=_languages(settings.getlist("TRANSCRIPT_LANGUAGES")),
        proxy=_proxy(settings["TRANSCRIPT_PROXY"]),
        wait_seconds=_number(settings, "TRANSCRIPT_WAIT"),
    )


def _when(text: str) -> When:
    try:
        return When(text)
    except ValueError:
        raise BadInput(f"TRANSCRIPTS is {text!r}; write off, crawl or later.") from None


def _host(text: str) -> str:
    parts = _address(text)
    if parts is None or parts.path.strip("/") or parts.query or parts.fragment:
        raise BadInput(f"VIDEO_HOST_URL is {text!r}; write an address like {VIDEO_HOST_URL}.")
    return text.rstrip("/")


def _proxy(text: str | None) -> str | None:
    if not text:
        return None
    if _address(text) is None:
        # The text may hold a password, so it is not repeated.
        raise BadInput(
            "TRANSCRIPT_PROXY is no address of a proxy; "
            "write it like http://user:password@proxy.example:3128."
        )
    return text


def _address(text: str) -> SplitResult | None:
    try:
        parts = urlsplit(text)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        return None
    return parts if fits else None


def _limits(settings: BaseSettings, by_domain: Mapping[str, BucketLimits]) -> BucketLimits:
    rate = _number(settings, "TRANSCRIPT_RATE")
    return by_domain.get(VIDEO_DOMAIN, BucketLimits(rate, 1))


def _languages(wanted: list[str]) -> tuple[str, ...]:
    languages = tuple(language.strip().lower() for language in wanted if language.strip())
    for language in languages:
        if not _LANGUAGE.fullmatch(language):
            raise BadInput(
                f"TRANSCRIPT_LANGUAGES names {language!r}; write codes such as en,de,pt-BR."
            )
    return languages


def _number(settings: BaseSettings, name: str) -> float:
    try:
        number = settings.getfloat(name)
    except (ValueError, TypeError):
        number = -1.0
    if not 0 <= number < float("inf"):
        raise BadInput(f"{name} is {settings[name]!r}; write a number, 0 or more.")
    return number
