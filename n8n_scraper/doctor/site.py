"""Look at the site of a source: its name, its robots.txt, its clock; one request a host."""

from __future__ import annotations

import http.client
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from protego import Protego
from scrapy.settings import BaseSettings

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.source import Source
from n8n_scraper.core.typed_settings import switch
from n8n_scraper.crawl.introduction import Introduction
from n8n_scraper.crawl.proxy_settings import ProxySettings
from n8n_scraper.doctor.finding import Finding, bad, ok, warn
from n8n_scraper.doctor.judging import of_clock, of_robots
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.policies.run.progress import duration
from n8n_scraper.policies.safety.origin import Origin, origin_of
from n8n_scraper.reports.domains import allowed

ANSWER_SECONDS = 5.0
_MOST_BYTES = 512 * 1024
"""As much of a robots.txt as crawlers commonly read."""


@dataclass(frozen=True, slots=True)
class Robots:
    """An answer to the question for robots.txt."""

    status: int
    text: str
    date: str | None
    asked_at: float
    answered_at: float

    @property
    def skew_seconds(self) -> float | None:
        """How far our clock is ahead of the server's; None where it tells no time."""
        try:
            theirs = parsedate_to_datetime(self.date or "").timestamp()
        except ValueError:
            return None
        # Its date was cut to a whole second, somewhere between our question and its answer.
        return (self.asked_at + self.answered_at) / 2 - (theirs + 0.5)


def look(
    settings: BaseSettings, source: Source, states: Mapping[str, DomainState]
) -> Iterator[Finding]:
    """Ask each host of the source once, where the pace that all share lets us."""
    if ProxySettings.from_settings(settings).in_use:
        words = f"{source.name} is asked through proxies, which `scrapy proxies check` tries"
        yield ok("network", words)
        return
    for place in dict.fromkeys(source.places(settings)):
        origin = origin_of(place)
        assert origin is not None  # the setting was read as an address
        yield from _of_host(settings, source, place, origin, states)


def _of_host(
    settings: BaseSettings,
    source: Source,
    place: str,
    origin: Origin,
    states: Mapping[str, DomainState],
) -> Iterator[Finding]:
    yield (named := _name(origin))
    if named.remedy:
        return
    domain = registrable_domain(place)
    pace = allowed(states.get(domain), domain, settings, time.time())
    if pace.waits_for in ("circuit", "server"):
        left = duration(pace.wait_seconds)
        words = f"{domain} is left alone for {left} more: it was asked nothing"
        yield warn("network", words, "scrapy breaker list says why")
        return
    agent = Introduction.from_settings(settings).user_agent
    try:
        robots = ask(origin, agent)
    except (OSError, http.client.HTTPException) as error:
        why = f"{origin.host} does not answer: {error or type(error).__name__}"
        yield bad("network", why, f"look at the network, and at {' and '.join(source.bases)}")
        return
    took = robots.answered_at - robots.asked_at
    yield ok("network", f"{origin.host} answers in {1000 * took:.0f} ms")
    yield _robots(settings, source, place, agent, robots)
    if (skew := robots.skew_seconds) is not None:
        yield of_clock(origin.host, skew)


def _name(origin: Origin) -> Finding:
    """Look the name up, for a few seconds at most."""
    lookup = ThreadPoolExecutor(1, thread_name_prefix="name")
    try:
        found = lookup.submit(
            socket.getaddrinfo, origin.host, origin.port, type=socket.SOCK_STREAM
        ).result(ANSWER_SECONDS)
    except (OSError, TookTooLong) as error:
        why = f"{origin.host} is not found: {error or 'no answer'}"
        return bad("dns", why, "look at the network and its name server")
    finally:
        lookup.shutdown(wait=False)
    return ok("dns", f"{origin.host} is {found[0][4][0]}")


def ask(origin: Origin, agent: str) -> Robots:
    """Ask for robots.txt, as a crawl does first of all."""
    connection: http.client.HTTPConnection
    if origin.scheme == "https":
        connection = http.client.HTTPSConnection(
            origin.host,
            origin.port,
            timeout=ANSWER_SECONDS,
            context=ssl.create_default_context(),
        )
    else:
        connection = http.client.HTTPConnection(origin.host, origin.port, timeout=ANSWER_SECONDS)
    asked_at = time.time()
    try:
        connection.request("GET", "/robots.txt", headers={"User-Agent": agent})
        answer = connection.getresponse()
        answered_at = time.time()
        body = answer.read(_MOST_BYTES)
    finally:
        connection.close()
    text = body.decode(errors="replace")
    return Robots(answer.status, text, answer.getheader("Date"), asked_at, answered_at)


def _robots(
    settings: BaseSettings, source: Source, place: str, agent: str, robots: Robots
) -> Finding:
    rules = Protego.parse(robots.text)
    asked = _asked_at(settings, source, place)
    forbidden = [url for url in asked if not rules.can_fetch(url, agent)]
    delay = rules.crawl_delay(agent)
    obeys = switch(settings, "ROBOTSTXT_OBEY")
    host = place.partition("://")[2]
    return of_robots(host, robots.status, forbidden, delay and float(delay), obeys=obeys)


def _asked_at(settings: BaseSettings, source: Source, place: str) -> list[str]:
    """Give the addresses of this host that a crawl asks for, for an item of any id."""
    example = Dossier.opened(Planned(source.ids.example.split(",")[0]), started=0.0)
    asking = source.kind().asking
    chains = asking.steps(settings, example).values() if asking else ()
    urls = (step.url for chain in chains for step in chain if step.url)
    of_host = [url for url in dict.fromkeys(urls) if origin_of(url) == origin_of(place)]
    return of_host or [f"{place}/"]
