"""The settings about transcripts as values, or one line about the one that makes no sense."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self
from urllib.parse import SplitResult, urlsplit

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.typed_settings import (
    Given,
    TypedSettings,
    choice,
    listed,
    number,
    refuse,
    seconds,
    text,
)
from n8n_scraper.policies.pace.circuit import CircuitLimits
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.pace.pace_settings import PaceSettings
from n8n_scraper.policies.pace.token_bucket import BucketLimits

VIDEO_DOMAIN = "youtube.com"
"""The name of the video host in `RATE_LIMITS`, in `scrapy breaker` and in the table `domains`."""

CIRCUIT = CircuitLimits(failures=3, hold_seconds=900.0, hold_cap_seconds=6 * 3600.0)
"""A host that has blocked somebody does not change its mind within minutes."""

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")


class When(StrEnum):
    """When the video host is asked."""

    OFF = "off"
    CRAWL = "crawl"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class TranscriptSettings(TypedSettings):
    """What the person running it wants of transcripts."""

    when: When
    host_url: str
    limits: BucketLimits
    languages: tuple[str, ...]
    """The captions to take, the most wanted first."""
    proxy: str | None = field(repr=False)  # it may hold a password
    wait_seconds: float
    """How long a crawl that is through waits for transcripts under way."""
    retry_after_cap_seconds: float
    circuit: CircuitLimits = CIRCUIT

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `TRANSCRIPT…` and `VIDEO_HOST_URL`."""
        pace = PaceSettings.from_settings(settings)
        rate = number(settings, "TRANSCRIPT_RATE", "a number of requests per second, as in 0.5")
        return cls(
            when=choice(settings, "TRANSCRIPTS", When),
            host_url=_host(settings, "VIDEO_HOST_URL"),
            limits=pace.by_domain.get(VIDEO_DOMAIN, BucketLimits(rate, 1)),
            languages=_languages(settings, "TRANSCRIPT_LANGUAGES"),
            proxy=_proxy(settings, "TRANSCRIPT_PROXY"),
            wait_seconds=seconds(settings, "TRANSCRIPT_WAIT"),
            retry_after_cap_seconds=pace.retry_after_cap_seconds,
        )

    @property
    def stand_in(self) -> str | None:
        """Where requests are led to instead of the host itself; None leaves them as they are."""
        return None if registrable_domain(self.host_url) == VIDEO_DOMAIN else self.host_url


def _host(settings: Given, name: str) -> str:
    given = text(settings, name)
    parts = _address(given)
    if parts is None or parts.path.strip("/") or parts.query or parts.fragment:
        refuse(settings, name, f"an address like https://www.{VIDEO_DOMAIN}")
    return given.rstrip("/")


def _proxy(settings: Given, name: str) -> str | None:
    given = text(settings, name)
    if not given:
        return None
    if _address(given) is None:
        # The text may hold a password, so it is not repeated.
        raise BadInput(
            f"{name} is no address of a proxy; "
            "write it like http://user:password@proxy.example:3128."
        )
    return given


def _address(given: str) -> SplitResult | None:
    try:
        parts = urlsplit(given)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        return None
    return parts if fits else None


def _languages(settings: Given, name: str) -> tuple[str, ...]:
    languages = tuple(language.lower() for language in listed(settings, name))
    for language in languages:
        if not _LANGUAGE.fullmatch(language):
            raise BadInput(f"{name} names {language!r}; write codes such as en,de,pt-BR.")
    return languages
