"""What is visited, by which sessions, and what a site asks of the session that visits it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from n8n_scraper.policies.pace.domain import registrable_domain


class ProxyType(StrEnum):
    """Through what kind of proxy a session goes."""

    NONE = "none"
    DATACENTER = "datacenter"
    RESIDENTIAL_STABLE = "residential-stable"
    RESIDENTIAL_ROTATING = "residential-rotating"


class ProxyStrategy(StrEnum):
    """What kind of proxy a site asks for."""

    NONE = "none"
    DATACENTER = "datacenter"
    RESIDENTIAL_STABLE = "residential-stable"
    RESIDENTIAL_ROTATING = "residential-rotating"
    DATACENTER_TO_RESIDENTIAL = "datacenter-to-residential"
    """The cheap kind, and the dear one where that is blocked."""


def site_of(url: str) -> str:
    """Name the site of an address, `www.` apart also where no public suffix is known."""
    return registrable_domain(url).removeprefix("www.")


_BOTH = (ProxyType.DATACENTER, ProxyType.RESIDENTIAL_STABLE, ProxyType.RESIDENTIAL_ROTATING)


@dataclass(frozen=True, slots=True)
class Item:
    """One address to be visited, and how it stands; of its flags one is set at most."""

    url: str
    done: bool = False
    failed: bool = False
    invalid: bool = False
    failed_reason: str | None = None
    retry_at: float | None = None
    """When one that failed may be tried again; None is never."""
    run: str = ""
    """The run that it belongs to: two runs may have the same address."""
    identity: str = ""
    """The one kind of session that may visit it, where that matters."""

    @property
    def domain(self) -> str:
        """The site, with or without `www.`."""
        return site_of(self.url)

    def is_pending(self, now: float) -> bool:
        """Whether it is to be visited: neither done nor given up, and no failure too fresh."""
        if self.done or self.invalid:
            return False
        return not self.failed or (self.retry_at is not None and self.retry_at <= now)


@dataclass(frozen=True, slots=True)
class Session:
    """One browser session, as far as it matters to what it is given."""

    id: str
    load: int = 0
    """How much it has to do already."""
    room: int | None = None
    """How much more it can take; None is as much as there is."""
    identity: str = ""
    proxy_type: ProxyType = ProxyType.NONE
    geo: str = ""
    """The country that it visits from."""
    blocked_for: frozenset[str] = frozenset()
    """The sites that its proxy is blocked for."""
    domains: frozenset[str] = frozenset()
    """The sites that are its: it visits them now, or is to go on with them."""


@dataclass(frozen=True, slots=True)
class Site:
    """What a site asks of sessions."""

    strategy: ProxyStrategy = ProxyStrategy.NONE
    geo: str = ""
    session_limit: int = 1
    """How many sessions may visit it at a time."""


@dataclass(frozen=True, slots=True)
class Need:
    """The kind of session that is lacking."""

    proxy_type: ProxyType = ProxyType.NONE
    geo: str = ""
    identity: str = ""


def fits(session: Session, item: Item, site: Site | None) -> bool:
    """Say whether a session may visit an item; a site that nothing is known of takes any."""
    if item.domain in session.blocked_for:
        return False
    if item.identity and session.identity != item.identity:
        return False
    if site is None:
        return True
    return session.geo == site.geo and session.proxy_type in _types(site.strategy)


def need_of(item: Item, site: Site | None, *, is_datacenter_blocked: bool = False) -> Need:
    """Say which kind of session an item needs."""
    if site is None:
        return Need(identity=item.identity)
    types = _types(site.strategy)
    kind = types[-1] if is_datacenter_blocked else types[0]
    return Need(kind, site.geo, item.identity)


def _types(strategy: ProxyStrategy) -> tuple[ProxyType, ...]:
    if strategy is ProxyStrategy.DATACENTER_TO_RESIDENTIAL:
        return _BOTH
    return (ProxyType(strategy),)
