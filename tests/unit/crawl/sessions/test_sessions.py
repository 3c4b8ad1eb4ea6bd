"""Which request has which session, with a giver whose sessions need no browser."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from scrapy import Request

from n8n_scraper.core.errors import StoreLost, ToolFailed
from n8n_scraper.crawl.sessions.seat import Seat
from n8n_scraper.crawl.sessions.session_settings import Giver, SessionSettings
from n8n_scraper.crawl.sessions.sessions import Sessions
from n8n_scraper.crawl.sessions.wish import Wish, wish_of
from n8n_scraper.crawl.stopping import Stopped
from n8n_scraper.policies.sessions.book import Refusal


class Rooms:
    """Gives sessions that are no more than a name."""

    keeps_after_failure = True
    idle_seconds: float | None = None

    def __init__(self, most: int = 2) -> None:
        self.most = most
        self.refusals: list[Refusal | Exception] = []
        self.open: set[str] = set()
        self.most_open = 0
        self.ended: list[str] = []
        self.reserved = 0

    async def reserve(self) -> str | Refusal:
        await asyncio.sleep(0)
        if self.refusals:
            refusal = self.refusals.pop(0)
            if isinstance(refusal, Exception):
                raise refusal
            return refusal
        self.reserved += 1
        self.open.add(str(self.reserved))
        self.most_open = max(self.most_open, len(self.open))
        return str(self.reserved)

    async def context(self, seat: Seat) -> Any:
        seat.context = seat  # type: ignore[assignment]  # something that is not None
        return seat

    async def answers(self, seat: Seat) -> bool:
        return True

    async def clean(self, seat: Seat) -> None:
        await asyncio.sleep(0)

    async def end(self, seat: Seat) -> None:
        await asyncio.sleep(0)
        self.open.remove(seat.lease)
        self.ended.append(seat.lease)

    async def close(self) -> None:
        assert not self.open


class Crawl:
    """Visits pages, each for a moment."""

    def __init__(self, rooms: Rooms, **given: Any) -> None:
        self.rooms = rooms
        self.stopping = False
        self.counted: Counter[str] = Counter()
        self.at: list[tuple[str, str]] = []
        """Page and session, in the order in which visits began."""
        settings = SessionSettings.from_settings(given)
        self.sessions = Sessions(
            Giver.LOCAL,
            rooms,
            settings,
            lambda: self.stopping,
            lambda what: self.counted.update([what]),
        )

    async def visit(self, page: str, *, well: bool = True, as_who: str = "") -> None:
        wish = Wish(Giver.LOCAL, introduction=as_who)
        async with self.sessions.session(Request(f"https://{page}"), wish) as seat:
            self.at.append((page, seat.id))
            await self.sessions.context(seat)
            await asyncio.sleep(0.001)
            seat.is_well = well

    async def settle(self) -> None:
        while self.sessions._tasks:
            await asyncio.gather(*self.sessions._tasks)


def run(crawl: Crawl, *work: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        for one in work:
            async with asyncio.timeout(10):
                await one()
                await crawl.settle()
        await crawl.sessions.close()

    asyncio.run(whole())


def all_of(*visits: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
    async def together() -> None:
        await asyncio.gather(*(one() for one in visits))

    return together


def test_sessions_are_used_again_and_never_more_are_open_than_may() -> None:
    crawl = Crawl(Rooms(most=2))

    run(crawl, all_of(*(lambda n=n: crawl.visit(f"a.example/{n}") for n in range(20))))

    assert (crawl.rooms.reserved, crawl.rooms.most_open) == (2, 2)
    assert len(crawl.at) == 20
    assert crawl.counted == {"opened": 2, "items": 20}
    assert not crawl.sessions.active()
    assert sorted(crawl.rooms.ended) == ["1", "2"]


def test_one_page_after_the_other_needs_one_session() -> None:
    crawl = Crawl(Rooms(most=4))

    run(crawl, *(lambda n=n: crawl.visit(f"a.example/{n}") for n in range(5)))

    assert crawl.rooms.reserved == 1


def test_domain_affinity_keeps_a_domain_in_one_session() -> None:
    crawl = Crawl(Rooms(most=3), SESSION_STRATEGY="domain-affinity")
    pages = [f"{host}.example/{n}" for n in range(6) for host in "ab"]

    run(crawl, all_of(*(lambda page=page: crawl.visit(page) for page in pages)))

    sessions = {host: {seat for page, seat in crawl.at if page[0] == host} for host in "ab"}
    assert [len(seats) for seats in sessions.values()] == [1, 1]
    assert crawl.rooms.reserved == 2


def test_a_site_is_visited_by_no_more_sessions_than_it_allows() -> None:
    crawl = Crawl(Rooms(most=4), SESSION_SITES='{"a.example": {"sessions": 1}}')
    pages = [f"{host}.example/{n}" for n in range(4) for host in "ab"]

    run(crawl, all_of(*(lambda page=page: crawl.visit(page) for page in pages)))

    assert len(crawl.at) == 8
    assert crawl.rooms.most_open == 4


def test_domains_that_go_first_have_a_session_first() -> None:
    crawl = Crawl(Rooms(most=1), SESSION_DOMAINS_FIRST="b.example")
    pages = [f"a.example/{n}" for n in range(3)] + ["b.example/1"]

    run(crawl, all_of(*(lambda page=page: crawl.visit(page) for page in pages)))

    assert crawl.at[0][0] == "b.example/1"


def test_a_session_is_exchanged_after_its_pages_and_after_a_fault() -> None:
    crawl = Crawl(Rooms(most=1), ITEMS_PER_SESSION="2")

    run(
        crawl,
        *(lambda n=n: crawl.visit(f"a.example/{n}") for n in range(3)),
        lambda: crawl.visit("a.example/4", well=False),
        lambda: crawl.visit("a.example/5"),
    )

    assert [seat for _, seat in crawl.at] == ["local-1", "local-1", "local-2", "local-2", "local-3"]
    assert crawl.counted["errors"] == 1
    assert crawl.rooms.most_open == 1


def test_who_visits_as_somebody_else_has_another_session_in_the_place_of_an_idle_one() -> None:
    crawl = Crawl(Rooms(most=1))

    run(
        crawl,
        lambda: crawl.visit("a.example/1", as_who="me"),
        lambda: crawl.visit("a.example/2", as_who="you"),
    )

    assert [seat for _, seat in crawl.at] == ["local-1", "local-2"]
    assert crawl.rooms.most_open == 1


def test_one_that_costs_is_given_back_when_there_is_no_page_for_it() -> None:
    rooms = Rooms(most=1)
    rooms.idle_seconds = 0.02
    crawl = Crawl(rooms)

    async def wait() -> None:
        await asyncio.sleep(0.05)

    run(
        crawl,
        lambda: crawl.visit("a.example/1"),
        wait,
        lambda: crawl.visit("a.example/2"),
    )

    assert [seat for _, seat in crawl.at] == ["local-1", "local-2"]
    assert crawl.counted["closed"] >= 1


def test_one_that_grew_old_without_a_page_is_exchanged() -> None:
    crawl = Crawl(Rooms(most=1), SESSION_STRATEGY="domain-affinity")

    async def grow_old() -> None:
        (seat,) = crawl.sessions.active()
        seat.since -= 451.0

    run(crawl, lambda: crawl.visit("a.example/1"), grow_old, lambda: crawl.visit("a.example/2"))

    assert [seat for _, seat in crawl.at] == ["local-1", "local-2"]
    assert crawl.rooms.most_open == 1


def test_a_limit_is_waited_for_and_a_lost_database_is_the_tools_failure() -> None:
    rooms = Rooms(most=1)
    rooms.refusals = [Refusal("full", 0.01, is_full=True), Refusal("full", 0.01)]
    crawl = Crawl(rooms)
    run(crawl, lambda: crawl.visit("a.example/1"))
    assert crawl.at == [("a.example/1", "local-1")]

    lost = Rooms()
    lost.refusals = [StoreLost("it is away")]
    other = Crawl(lost)
    with pytest.raises(ToolFailed, match="no session can be reserved: it is away") as raised:
        run(other, lambda: other.visit("a.example/1"))
    assert raised.value.everywhere


def test_who_waits_is_let_go_when_the_crawl_is_stopped() -> None:
    rooms = Rooms(most=1)
    rooms.refusals = [Refusal("full", 60.0, is_full=True)] * 9
    crawl = Crawl(rooms)
    crawl.stopping = True

    with pytest.raises(Stopped):
        run(crawl, lambda: crawl.visit("a.example/1"))

    assert rooms.reserved == 0


def test_a_proxy_that_only_browserbase_has_is_not_given_by_others() -> None:
    crawl = Crawl(Rooms(), SESSION_SITES='{"a.example": {"proxy": "residential-rotating"}}')

    with pytest.raises(ToolFailed, match="local has no proxies of its own") as raised:
        run(crawl, lambda: crawl.visit("a.example/1"))

    assert raised.value.for_good


def test_what_a_session_has_done_is_told_while_it_is_open() -> None:
    crawl = Crawl(Rooms(most=1))
    seen: list[tuple[int, int, int]] = []

    async def look() -> None:
        (one,) = crawl.sessions.stats()
        seen.append((one.items_processed, one.errors, one.current_load))
        assert one.session_id == "local-1"
        assert one.uptime >= 0

    run(crawl, lambda: crawl.visit("a.example/1"), look)

    assert seen == [(1, 0, 0)]


def test_a_request_says_as_whom_it_visits() -> None:
    request = Request(
        "https://a.example/",
        headers={"User-Agent": "me", "Proxy-Authorization": "Basic eA=="},
        meta={"proxy": "http://p:1", "session_locale": "zh-HK", "session_provider": "cdp"},
    )

    wish = wish_of(request, Giver.LOCAL)

    assert wish == Wish(Giver.CDP, "me", "http://p:1", "Basic eA==", "zh-HK")
    assert wish.identity
    assert wish_of(request.replace(meta={}), Giver.BROWSERBASE).identity == ""
