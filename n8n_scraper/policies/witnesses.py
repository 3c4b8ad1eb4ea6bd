"""Knows which address to ask when the question is whether the site still answers at all."""

from __future__ import annotations

from collections import deque

WITNESSES = 3
"""How many addresses of a host are remembered, so that one that goes bad later decides nothing."""


class Witnesses:
    """Remembers, for each host, the addresses that it answered last.

    A request that fails may have a path that always fails. An address that the host has answered
    before is one that can succeed, so its failure speaks of the site.
    """

    def __init__(self) -> None:
        self._by_host: dict[str, deque[str]] = {}

    def note(self, host: str, url: str) -> None:
        """Remember that the host has answered this address."""
        known = self._by_host.get(host)
        if known is None:
            known = self._by_host[host] = deque(maxlen=WITNESSES)
        if url not in known:
            known.append(url)

    def of(self, host: str) -> str | None:
        """Give the address to ask; None when the host has answered nothing yet."""
        known = self._by_host.get(host)
        return known[0] if known else None

    def turn(self, host: str) -> None:
        """Ask another one the next time."""
        if known := self._by_host.get(host):
            known.rotate(-1)
