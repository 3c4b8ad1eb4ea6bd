"""The pace of every domain in a crawl, by the settings and by one clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakSet

from scrapy import Request

from n8n_scraper.crawl.per_crawler import PerCrawler
from n8n_scraper.policies.pace.circuit import CircuitLimits
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.pace.pace import Pace, PaceState
from n8n_scraper.policies.pace.pace_settings import CircuitSettings, PaceSettings
from n8n_scraper.policies.pace.token_bucket import BucketLimits

if TYPE_CHECKING:
    from n8n_scraper.core.typed_settings import Given

Clock = Callable[[], float]


class Paces:
    """One pace for each registrable domain, so that `n8n.io` and `api.n8n.io` share theirs."""

    def __init__(
        self,
        default: BucketLimits,
        by_domain: Mapping[str, BucketLimits],
        circuit_limits: CircuitLimits | None = None,
        clock: Clock = time.monotonic,
        wall_clock: Clock = time.time,
        floor: float = 0.0,
    ) -> None:
        self.clock = clock
        self.wall_clock = wall_clock
        self._default = default
        self._limits = by_domain
        self._circuit_limits = circuit_limits
        self._floor = floor
        self._remembered: Mapping[str, PaceState] = {}
        self._paces: dict[str, Pace] = {}
        self._on_their_way: dict[str, WeakSet[Request]] = {}

    @classmethod
    def from_settings(cls, settings: Given) -> Paces:
        """Take the limits of the settings."""
        pace = PaceSettings.from_settings(settings)
        limits = CircuitSettings.from_settings(settings).limits
        return cls(pace.default, pace.by_domain, limits, floor=pace.floor)

    def remember(self, states: Mapping[str, PaceState]) -> None:
        """Go on from where an earlier crawl left each domain, so that a restart refills nothing."""
        self._remembered = states

    def of(self, request: Request) -> Pace:
        """The pace that this request has to keep."""
        return self.of_domain(registrable_domain(request.url))

    def of_domain(self, domain: str) -> Pace:
        """The pace of a registrable domain."""
        if domain not in self._paces:
            self._paces[domain] = Pace(
                domain,
                self._limits.get(domain, self._default),
                self._circuit_limits,
                floor=self._floor,
                state=self._remembered.get(domain),
                now=self.clock(),
                now_wall=self.wall_clock(),
            )
        return self._paces[domain]

    def all(self) -> list[Pace]:
        """The paces of the domains met so far."""
        return list(self._paces.values())

    def states(self, *, ahead_seconds: float = 0.0) -> dict[str, PaceState]:
        """What an heir needs to know of each domain.

        With `ahead_seconds` it is what the heir may assume if we die any time within them without
        another word: that by then we had spent all that there was.
        """
        now, now_wall = self.clock(), self.wall_clock()
        states = {pace.domain: pace.state(now, now_wall) for pace in self._paces.values()}
        if not ahead_seconds:
            return states
        return {domain: _spent(state, ahead_seconds) for domain, state in states.items()}

    def on_their_way(self, pace: Pace) -> WeakSet[Request]:
        """The requests that were let out of the waiting room and have not taken their token yet.

        The throttle forgets each when it takes its token or turns out not to need one (its answer
        was in the cache, robots.txt forbids it). One that is lost otherwise is forgotten with the
        request itself.
        """
        return self._on_their_way.setdefault(pace.domain, WeakSet())


def _spent(state: PaceState, ahead_seconds: float) -> PaceState:
    bucket = replace(
        state.bucket, tokens=min(state.bucket.tokens, 0.0), at=state.bucket.at + ahead_seconds
    )
    return replace(state, bucket=bucket)


paces_of: PerCrawler[Paces] = PerCrawler(lambda crawler: Paces.from_settings(crawler.settings))
"""The paces that scheduler, middlewares and progress display of a crawl share."""
