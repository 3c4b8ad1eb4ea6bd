"""Knows which address to ask when the question is whether the site still answers at all."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from n8n_scraper.policies.failure.body import Expects

WITNESSES = 3
"""How many addresses of a host are remembered, so that one that goes bad later decides nothing."""


@dataclass(frozen=True, slots=True)
class Witness:
    """An address that its host has answered, and what its answer must be to count as one."""

    url: str
    expects: Expects = "any"


class Witnesses:
    """Remembers, for each host, the addresses that it answered last.

    A request that fails may have a path that always fails. An address that the host has answered
    before is one that can succeed, so its failure speaks of the site.
    """

    def __init__(self) -> None:
        self._by_host: dict[str, deque[Witness]] = {}

    def note(self, host: str, url: str, expects: Expects = "any") -> None:
        """Remember that the host has answered this address as it was expected."""
        known = self._by_host.get(host)
        if known is None:
            known = self._by_host[host] = deque(maxlen=WITNESSES)
        witness = Witness(url, expects)
        if witness not in known:
            known.append(witness)

    def of(self, host: str) -> Witness | None:
        """Give the one to ask; None when the host has answered nothing yet."""
        known = self._by_host.get(host)
        return known[0] if known else None

    def forget(self, host: str) -> None:
        """Know none any more, because none may be asked; the next answer is one again."""
        self._by_host.pop(host, None)

    def turn(self, host: str) -> None:
        """Ask another one the next time."""
        if known := self._by_host.get(host):
            known.rotate(-1)
