"""Chooses a proxy for each request, and lets those rest that fail.

The one with the fewest requests under way goes next, of several the one that has waited longest: so
whoever never answers is not asked over and over. Three failures in a row let a proxy rest, each
time longer than the last; one answer makes it as good as new. After its rest it is on trial: the
next failure sends it back.

An answer that does not come can be the site's fault as well. A proxy that has carried answers of
others since the site last gave one is out of suspicion, for all but what can only be its own fault;
and when many such requests in a row were in vain, it is the site. So a dead host of pictures, or a
site that is down, does not cost the proxies their name for long.

Results arrive late: a failure of a request that left before the rest began does not prolong it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto

from n8n_scraper.policies.pace.moment import seconds_until
from n8n_scraper.policies.proxies.fault import Fault
from n8n_scraper.policies.proxies.proxy import Proxy

MANY = 10
"""So many requests in vain, one after the other, are no accident any more."""


class Blame(Enum):
    """Whose fault it is that an answer did not come."""

    PROXY = auto()
    SITE = auto()
    NOBODY = auto()
    """It may be the site's, or that of somebody behind the proxy."""


@dataclass(frozen=True, slots=True)
class RestLimits:
    """Holds how much failing is tolerated, and how long a rest is."""

    seconds: float = 60.0
    cap_seconds: float = 3600.0
    failures: int = 3
    growth: float = 2.0

    def rest_seconds(self, rests: int) -> float:
        """Give the length of a rest that comes after so many others."""
        longest = math.log(self.cap_seconds / self.seconds, self.growth)
        return self.cap_seconds if rests >= longest else self.seconds * self.growth**rests


@dataclass(slots=True)
class Health:
    """Holds what became of the requests that one proxy carried."""

    requests: int = 0
    under_way: int = 0
    worked: int = 0
    failed: int = 0
    in_a_row: int = 0
    rests: int = 0
    """How many it had since it last worked."""
    rests_until: float = field(default=-math.inf)
    worked_at: float = field(default=-math.inf)
    fault: Fault | None = None
    """What it last did wrong."""

    def is_ready(self, now: float) -> bool:
        """Whether it has no rest, or had it."""
        return self.rests_until <= now or seconds_until(self.rests_until, now) == 0


class ProxyPool:
    """Knows every proxy, how it does, and whose turn it is."""

    def __init__(self, proxies: Iterable[Proxy], limits: RestLimits | None = None) -> None:
        self.limits = limits or RestLimits()
        # In the order of their turns.
        self._health = {proxy: Health() for proxy in proxies}
        self._answered_at: dict[str, float] = {}
        self._doubts: Counter[str] = Counter()
        self._worked_at = -math.inf
        self.in_vain: list[Fault] = []
        """What came in the place of the answers since the last one, the newest of it last."""

    def __len__(self) -> int:
        return len(self._health)

    def choose(self, now: float, *, besides: str = "") -> Proxy | None:
        """Give the proxy whose turn it is, rather another one than the one called `besides`.

        None while all rest: nothing goes past the proxies.
        """
        chosen, least = None, (True, math.inf)
        for proxy, health in self._health.items():
            if not health.is_ready(now):
                continue
            burden = proxy.name == besides, health.under_way
            if chosen is None or burden < least:
                chosen, least = proxy, burden
            if burden == (False, 0):
                break  # as is usual: nobody is better
        if chosen is None:
            return None
        health = self._health[chosen] = self._health.pop(chosen)  # last in the order of turns
        health.requests += 1
        health.under_way += 1
        return chosen

    def is_back(self, proxy: Proxy) -> None:
        """Hear that a request is no longer under way, whatever became of it."""
        if health := self._health.get(proxy):
            health.under_way = max(health.under_way - 1, 0)

    def worked(self, proxy: Proxy, now: float, target: str) -> bool:
        """Hear that an answer of the target came through; True when that ended its being ill."""
        self._answered_at[target] = self._worked_at = now
        self._doubts.pop(target, None)
        self.in_vain.clear()
        health = self._health.get(proxy)
        if health is None:  # it has left the list since
            return False
        was_ill = health.rests > 0
        health.worked += 1
        health.in_a_row = health.rests = 0
        health.rests_until = -math.inf
        health.worked_at = now
        return was_ill

    def failed(self, proxy: Proxy, fault: Fault, target: str) -> Blame:
        """Hear that no answer of the target came, and say whose fault that is."""
        self.in_vain.append(fault)
        del self.in_vain[:-MANY]
        health = self._health.get(proxy)
        if health is None:
            return Blame.NOBODY
        if fault.is_certain:
            return Blame.PROXY
        if health.worked_at > self._answered_at.get(target, -math.inf):
            self._doubts[target] += 1
            return Blame.SITE if self._doubts[target] >= MANY else Blame.NOBODY
        return Blame.NOBODY if proxy.rotates else Blame.PROXY

    def blamed(self, proxy: Proxy, now: float, fault: Fault, *, as_trial: bool = False) -> float:
        """Count a failure against its proxy; give the seconds of the rest that this began, or 0.

        One that was asked `as_trial` in the middle of its rest begins another one.
        """
        health = self._health[proxy]
        health.failed += 1
        health.fault = fault
        if not (health.is_ready(now) or as_trial):
            return 0.0
        health.in_a_row += 1
        if health.in_a_row < self.limits.failures:
            return 0.0
        rest = self.limits.rest_seconds(health.rests)
        health.rests += 1
        health.rests_until = now + rest
        return rest

    def serves_nobody(self, now: float) -> bool:
        """Whether all rest, or many requests of any kind were in vain since the last answer."""
        return self.wait(now) > 0 or len(self.in_vain) >= MANY

    def wait(self, now: float) -> float:
        """Give the seconds until a proxy may be chosen; 0 while one may."""
        rests = [health.rests_until for health in self._health.values()]
        return seconds_until(min(rests), now) if rests else math.inf

    def ready(self, now: float) -> int:
        """Count the proxies that may be chosen."""
        return sum(health.is_ready(now) for health in self._health.values())

    def resting(self, now: float) -> list[Proxy]:
        """Give those that rest."""
        return [proxy for proxy, health in self._health.items() if not health.is_ready(now)]

    def worked_since(self, moment: float) -> bool:
        """Whether any answer came through after this moment."""
        return self._worked_at > moment

    def answered_since(self, target: str, moment: float) -> bool:
        """Whether an answer of this target did."""
        return self._answered_at.get(target, -math.inf) > moment

    def replace(self, proxies: Iterable[Proxy]) -> None:
        """Take another list; those of today that are in it keep their health and their turn."""
        wanted = {proxy: proxy for proxy in proxies}
        kept = {wanted.pop(one): health for one, health in self._health.items() if one in wanted}
        # The new come first: nobody has waited longer.
        self._health = {proxy: Health() for proxy in wanted} | kept

    def health(self) -> list[tuple[Proxy, Health]]:
        """Give all that is known, by name."""
        return sorted(self._health.items(), key=lambda known: known[0].name)
