"""Read which browser sessions a crawl may have, and who gives them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Any, Self

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.typed_settings import (
    Given,
    TypedSettings,
    address,
    choice,
    listed,
    refuse,
    seconds,
    table,
    text,
    whole,
)
from n8n_scraper.policies.sessions.book import Limits
from n8n_scraper.policies.sessions.browserbase import LONGEST_TIMEOUT, SHORTEST_TIMEOUT
from n8n_scraper.policies.sessions.distributing import Options, Strategy
from n8n_scraper.policies.sessions.session import ProxyStrategy, Site, site_of

FREE_PLAN = 3
"""So many sessions at once has whoever pays nothing."""

_SITE_KEYS = {"sessions", "proxy", "geo"}
_COUNTRY = re.compile("[A-Za-z]{2}")
_GIVEN = (ProxyStrategy.NONE, ProxyStrategy.RESIDENTIAL_ROTATING)
"""What there is here: Browserbase's own proxies are residential, and change."""
_EXAMPLE = '{"site.example": {"sessions": 2, "proxy": "residential-rotating", "geo": "DE"}}'


class Giver(StrEnum):
    """Who gives a session."""

    LOCAL = "local"
    """A context of our own browser."""
    CDP = "cdp"
    """A context of a browser that is there, by `DEVTOOLS_URL`."""
    BROWSERBASE = "browserbase"


@dataclass(frozen=True, slots=True)
class SessionSettings(TypedSettings):
    """The sessions of a crawl."""

    giver: Giver | None
    """None is as the tool has it: `cdp` where it has an address, else `local`."""
    most: int
    """At once; 0 is as many as the giver has of itself."""
    a_minute: int
    timeout_seconds: float
    items_per_session: int
    """After so many pages a session is over; 0 is never."""
    options: Options
    url: str
    key: str = field(repr=False)
    project: str

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `SESSION…`, `ITEMS_PER_SESSION` and `BROWSERBASE_…`."""
        return cls(
            giver=choice(settings, "SESSION_PROVIDER", Giver)
            if text(settings, "SESSION_PROVIDER")
            else None,
            most=whole(settings, "SESSIONS_AT_MOST", least=0),
            a_minute=whole(settings, "SESSIONS_A_MINUTE"),
            timeout_seconds=_timeout(settings, "SESSION_TIMEOUT"),
            items_per_session=whole(settings, "ITEMS_PER_SESSION", least=0),
            options=Options(
                strategy=choice(settings, "SESSION_STRATEGY", Strategy),
                prioritize_domains=tuple(map(site_of, listed(settings, "SESSION_DOMAINS_FIRST"))),
                sites=_sites(settings, "SESSION_SITES"),
            ),
            url=address(settings, "BROWSERBASE_URL"),
            key=text(settings, "BROWSERBASE_API_KEY"),
            project=text(settings, "BROWSERBASE_PROJECT_ID"),
        )

    @property
    def limits(self) -> Limits:
        """What Browserbase allows us."""
        return Limits(self.most or FREE_PLAN, self.a_minute)

    @property
    def shared(self) -> int | None:
        """How many sessions all processes have together; None where each has its own."""
        return self.limits.at_once if self.giver is Giver.BROWSERBASE else None

    @property
    def account(self) -> str:
        """Name what the limits hold for, without telling the key."""
        fingerprint = sha256(self.key.encode()).hexdigest()[:12]
        return f"{Giver.BROWSERBASE} {self.url} {fingerprint}"

    def check(self) -> None:
        """Refuse sessions that nobody gives."""
        if self.giver is Giver.BROWSERBASE:
            self.check_key()
        elif self.giver is not None:
            for domain, site in self.options.sites.items():
                if site.strategy is not ProxyStrategy.NONE:
                    raise BadInput(
                        f"SESSION_SITES wants a proxy for {domain}, and SESSION_PROVIDER is "
                        f"{self.giver}: only browserbase has proxies of its own. Name yours in "
                        "PROXIES."
                    )

    def check_place(self, devtools_url: str) -> None:
        """Refuse sessions of a browser that is nowhere."""
        if self.giver is Giver.CDP and not devtools_url:
            raise BadInput(
                "SESSION_PROVIDER is cdp, and DEVTOOLS_URL is empty: write where your browser is "
                "spoken to, such as http://127.0.0.1:9222."
            )

    def check_key(self) -> None:
        """Refuse to ask Browserbase without a key."""
        if not self.key:
            raise BadInput(
                "BROWSERBASE_API_KEY is empty: write the key of your account there, or another "
                "SESSION_PROVIDER."
            )


def _timeout(settings: Given, name: str) -> float:
    given = seconds(settings, name)
    if not SHORTEST_TIMEOUT <= given <= LONGEST_TIMEOUT:
        what = f"a number of seconds from {SHORTEST_TIMEOUT} to {LONGEST_TIMEOUT}"
        refuse(settings, name, what)
    return given


def _sites(settings: Given, name: str) -> Mapping[str, Site]:
    given = table(settings, name)
    return {site_of(str(domain)): _site(str(domain), about) for domain, about in given.items()}


def _site(domain: str, about: Any) -> Site:
    if not isinstance(about, Mapping) or not set(about) <= _SITE_KEYS:
        raise BadInput(f"SESSION_SITES says something else of {domain}; write it as {_EXAMPLE}.")
    limit, proxy, geo = about.get("sessions", 1), about.get("proxy", "none"), about.get("geo", "")
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
        raise BadInput(f"SESSION_SITES: {domain}: write sessions as a whole number from 1 on.")
    if proxy not in _GIVEN:
        raise BadInput(f"SESSION_SITES: {domain}: write proxy as {' or '.join(_GIVEN)}.")
    if not isinstance(geo, str) or (geo and not _COUNTRY.fullmatch(geo)):
        raise BadInput(f"SESSION_SITES: {domain}: write geo as a country's two letters, as in DE.")
    if geo and proxy == ProxyStrategy.NONE:
        raise BadInput(f"SESSION_SITES: {domain}: geo needs a proxy, residential-rotating.")
    return Site(ProxyStrategy(proxy), geo.upper(), limit)
