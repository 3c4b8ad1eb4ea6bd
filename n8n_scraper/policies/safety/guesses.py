"""Limit how often a token may be guessed, by the bucket that also limits what we ask of others."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict

from n8n_scraper.policies.pace.token_bucket import BucketLimits, Tempo

LIMITS = BucketLimits(rate=0.2, burst=10)
"""Wrong tokens of one address: ten at once, then one in five seconds."""

ADDRESSES_KEPT = 10_000
"""Of how many addresses wrong tokens are remembered, the latest of them."""


class Guesses:
    """Counts wrong tokens by address."""

    def __init__(self, limits: BucketLimits = LIMITS, kept: int = ADDRESSES_KEPT) -> None:
        self._tempo = Tempo.of(limits, margin=0)
        self._kept = kept
        self._next_at: OrderedDict[str, float] = OrderedDict()

    def wait(self, address: str | None, now: float) -> float:
        """Say for how many seconds no token of an address is looked at; 0 where one is."""
        missing = 1 - self._tempo.saved(self._next_at.get(_place(address), -1e18), now)
        return max(0.0, missing) * self._tempo.interval

    def add(self, address: str | None, now: float) -> None:
        """Count a wrong one."""
        place = _place(address)
        earliest = now - self._tempo.slack
        self._next_at[place] = max(self._next_at.pop(place, earliest), earliest)
        self._next_at[place] += self._tempo.interval
        while len(self._next_at) > self._kept:
            self._next_at.popitem(last=False)


def _place(address: str | None) -> str:
    """Whoever has one address of the sixth version has all of its network."""
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return address or ""
    if isinstance(found, ipaddress.IPv6Address) and not found.ipv4_mapped:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)
