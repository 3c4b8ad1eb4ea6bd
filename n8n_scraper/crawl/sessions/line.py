"""Match the requests that wait for a session with the sessions that there are."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from n8n_scraper.crawl.sessions.seat import Seat
from n8n_scraper.policies.sessions.distributing import Options, Strategy
from n8n_scraper.policies.sessions.matching import match
from n8n_scraper.policies.sessions.session import Item, Need, Session

if TYPE_CHECKING:
    from n8n_scraper.crawl.sessions.wish import Wish


@dataclass(slots=True, eq=False)
class Waiting:
    """A request that waits, and the session that it gets."""

    item: Item
    wish: Wish
    seat: asyncio.Future[Seat] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


@dataclass(frozen=True, slots=True)
class Matched:
    """What was decided."""

    given: list[tuple[Waiting, Seat]]
    lacking: list[tuple[Need, Wish]]
    """The sessions to be opened, each with the wish of one who waits for it."""
    idle: list[Seat]
    """Those that have nothing to do."""


def matched(
    line: Sequence[Waiting], seats: Sequence[Seat], options: Options, *, may_open: int
) -> Matched:
    """Give each free session one page, and say what is lacking."""
    waiting = {one.item: one for one in line}
    by_name = {str(number): seat for number, seat in enumerate(seats)}
    is_kept = options.strategy is Strategy.DOMAIN_AFFINITY
    sessions = [_as_session(name, seat, is_kept=is_kept) for name, seat in by_name.items()]
    found = match(list(waiting), sessions, options, may_open=may_open)
    return Matched(
        given=[
            (waiting[item], by_name[entry.session.id])
            for entry in found.distribution.entries
            for item in entry.items
        ],
        lacking=[(need, _wish_for(need, line)) for need in found.needs],
        idle=[by_name[one.id] for one in found.unused],
    )


def _as_session(name: str, seat: Seat, *, is_kept: bool) -> Session:
    """Say what matters of a session; with affinity it keeps the sites that it has visited."""
    own = seat.visited if is_kept else {seat.visiting} - {""}
    return Session(
        id=name,
        load=seat.load,
        room=0 if seat.load else 1,
        identity=seat.wish.identity,
        proxy_type=seat.need.proxy_type,
        geo=seat.need.geo,
        domains=frozenset(own),
    )


def _wish_for(need: Need, line: Sequence[Waiting]) -> Wish:
    return next(one.wish for one in line if need.identity in ("", one.wish.identity))
