"""Match items to the sessions that there are, and say which are not needed and which are lacking.

Whoever holds the sessions then closes those, opens these, and matches once more: what was lacking
has a session then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from n8n_scraper.policies.sessions.distributing import (
    Distribution,
    Options,
    Unmatched,
    Why,
    distribute,
)
from n8n_scraper.policies.sessions.session import Item, Need, ProxyType, Session, need_of


@dataclass(frozen=True, slots=True)
class Match:
    """One pass over items and sessions."""

    distribution: Distribution
    unused: tuple[Session, ...]
    """Those that have nothing to do, now or from before."""
    needs: tuple[Need, ...]
    """The sessions to be opened for what is left over, one entry each."""


def match(
    items: Iterable[Item], sessions: Sequence[Session], options: Options, *, may_open: int
) -> Match:
    """Match, and ask for no more sessions than may be opened."""
    known = list(items)
    first = distribute(known, sessions, options)
    unused = tuple(
        entry.session for entry in first.entries if not (entry.items or entry.session.load)
    )
    return Match(first, unused, _needs(known, sessions, options, first, may_open))


def _needs(
    items: Sequence[Item],
    sessions: Sequence[Session],
    options: Options,
    found: Distribution,
    may_open: int,
) -> tuple[Need, ...]:
    """Try what one more session would bring, until nothing is left that one would help."""
    needs: list[Need] = []
    while len(needs) < may_open and (helped := _first_to_help(found)) is not None:
        blocked = _is_datacenter_blocked(helped.item.domain, sessions)
        site = options.sites.get(helped.item.domain)
        need = need_of(helped.item, site, is_datacenter_blocked=blocked)
        imagined = [_imagined(one, number) for number, one in enumerate([*needs, need])]
        tried = distribute(items, [*sessions, *imagined], options)
        if len(tried.unmatched) >= len(found.unmatched):
            break
        needs.append(need)
        found = tried
    return tuple(needs)


def _first_to_help(found: Distribution) -> Unmatched | None:
    return next((one for one in found.unmatched if one.why is not Why.SITE_AT_LIMIT), None)


def _imagined(need: Need, number: int) -> Session:
    return Session(
        id=f"to be opened, {number}",
        identity=need.identity,
        proxy_type=need.proxy_type,
        geo=need.geo,
    )


def _is_datacenter_blocked(domain: str, sessions: Sequence[Session]) -> bool:
    return any(
        one.proxy_type is ProxyType.DATACENTER and domain in one.blocked_for for one in sessions
    )
