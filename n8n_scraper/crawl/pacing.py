"""The pace of every domain in a crawl, by the settings and by one clock."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakSet

from scrapy import Request

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.per_crawler import PerCrawler
from n8n_scraper.policies.pace.circuit import CircuitLimits
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.pace.pace import Pace, PaceState
from n8n_scraper.policies.pace.token_bucket import BucketLimits

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

T = TypeVar("T")
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
    def from_settings(cls, settings: BaseSettings) -> Paces:
        """Read `RATE_LIMIT_…`, `RATE_LIMITS` and `CIRCUIT_BREAKER_…`."""
        circuit_limits, floor = read_circuit_limits(settings), read_floor(settings)
        return cls(*read_limits(settings), circuit_limits, floor=floor)

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


def read_limits(settings: BaseSettings) -> tuple[BucketLimits, dict[str, BucketLimits]]:
    """Turn the limiter's settings into values, or say in one line which of them is wrong."""
    try:
        rate = _number(settings, "RATE_LIMIT_RATE")
        burst = _whole(settings, "RATE_LIMIT_BURST")
        by_domain = _read(settings, "RATE_LIMITS", settings.getdict, "a JSON object, as in {}")
        return BucketLimits(rate, burst), BucketLimits.by_domain(by_domain)
    except ValueError as error:
        raise BadInput(str(error)) from None


def read_floor(settings: BaseSettings) -> float:
    """Give the slowest rate that a site's complaints may teach, or say what is wrong with it."""
    try:
        floor = _number(settings, "RATE_LIMIT_FLOOR")
    except ValueError as error:
        raise BadInput(str(error)) from None
    if not 0 <= floor < math.inf:
        raise BadInput(
            f"RATE_LIMIT_FLOOR is {floor:g}; write a number of requests per second, 0 or more."
        )
    return floor


def read_circuit_limits(settings: BaseSettings) -> CircuitLimits:
    """Turn the breaker's settings into values, or say in one line which of them is wrong."""
    try:
        hold = _number(settings, "CIRCUIT_BREAKER_HOLD")
        return CircuitLimits(
            failures=_read(
                settings, "CIRCUIT_BREAKER_FAILURES", settings.getint, "a whole number, as in 5"
            ),
            hold_seconds=hold,
            hold_cap_seconds=max(
                _read(
                    settings, "CIRCUIT_BREAKER_HOLD_CAP", settings.getfloat, "a number, as in 2.0"
                ),
                hold,
            ),
        )
    except ValueError as error:
        raise BadInput(str(error)) from None


def _number(settings: BaseSettings, name: str) -> float:
    return _read(settings, name, settings.getfloat, "a number, as in 2.0")


def _whole(settings: BaseSettings, name: str) -> int:
    return _read(settings, name, settings.getint, "a whole number, as in 5")


def _read(settings: BaseSettings, name: str, read: Callable[[str], T], what: str) -> T:
    """Read a setting by Scrapy's own reader, which does not say what it should be."""
    try:
        return read(name)
    except (ValueError, TypeError):
        raise ValueError(f"{name} is {settings[name]!r}; write {what}.") from None


def _spent(state: PaceState, ahead_seconds: float) -> PaceState:
    bucket = replace(
        state.bucket, tokens=min(state.bucket.tokens, 0.0), at=state.bucket.at + ahead_seconds
    )
    return replace(state, bucket=bucket)


paces_of: PerCrawler[Paces] = PerCrawler(lambda crawler: Paces.from_settings(crawler.settings))
"""The paces that scheduler, middlewares and progress display of a crawl share."""
