"""Give each request that goes by a browser its session, and hold the sessions of a crawl."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error

from n8n_scraper.core.errors import StoreError, ToolFailed
from n8n_scraper.crawl.sessions.line import Waiting, matched
from n8n_scraper.crawl.sessions.seat import Seat, SessionStats
from n8n_scraper.crawl.sessions.session_settings import Giver
from n8n_scraper.crawl.sessions.wish import SESSION_ID, Wish
from n8n_scraper.crawl.stopping import Stopped
from n8n_scraper.policies.sessions.book import Refusal
from n8n_scraper.policies.sessions.session import Item, Need, ProxyStrategy

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext
    from scrapy import Request

    from n8n_scraper.crawl.sessions.giving import Giving
    from n8n_scraper.crawl.sessions.session_settings import SessionSettings

logger = logging.getLogger(__name__)

_CLEAN_SECONDS = 5.0
_LOOK_SECONDS = 1.0
"""A crawl that is being stopped is noticed after so long at most."""
_LONGEST_PAUSE = 30.0
"""So long after a refusal at most it is looked whether it still holds."""


class Sessions:
    """The sessions of one giver.

    Whenever something changes, those who wait and the sessions that there are are matched: a pure
    decision. Who has a session visits; what is lacking is reserved; what stands in the way of that
    and has nothing to do is closed.
    """

    def __init__(
        self,
        giver: Giver,
        giving: Giving,
        settings: SessionSettings,
        is_stopping: Callable[[], bool],
        count: Callable[[str], object],
    ) -> None:
        self._giver = giver
        self._giving = giving
        self._settings = settings
        self._is_stopping = is_stopping
        self._count = count
        self._seats: list[Seat] = []
        self._waiting: list[Waiting] = []
        self._reserving = 0
        self._tasks: set[asyncio.Future[None]] = set()
        self._is_over = False

    def active(self) -> list[Seat]:
        """Give the sessions that are open."""
        return list(self._seats)

    def stats(self) -> list[SessionStats]:
        """Tell what each has done and has to do."""
        now = time.monotonic()
        return [seat.stats(now) for seat in self._seats]

    @asynccontextmanager
    async def session(self, request: Request, wish: Wish) -> AsyncIterator[Seat]:
        """Wait for a session, and leave it in the end."""
        seat = await self._had(request, wish)
        request.meta[SESSION_ID] = seat.id
        try:
            yield seat
        finally:
            self._beside(self._leave(seat))
            request.meta[SESSION_ID] = seat.id

    async def context(self, seat: Seat) -> BrowserContext:
        """Give what pages are opened in."""
        is_new = seat.context is None
        context = await self._giving.context(seat)
        if is_new:
            self._count("opened")
        return context

    async def answers(self, seat: Seat) -> bool:
        """Whether its browser still speaks."""
        return await self._giving.answers(seat)

    @property
    def keeps_after_failure(self) -> bool:
        """Whether a session stays where only the site has failed in it."""
        return self._giving.keeps_after_failure

    async def close(self) -> None:
        """End every session, whoever still has it."""
        self._is_over = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        seats, self._seats = self._seats, []
        for ended in await asyncio.gather(*map(self._giving.end, seats), return_exceptions=True):
            if isinstance(ended, BaseException):
                logger.error("a browser session did not end as it should: %s", ended)
        await self._giving.close()

    async def _had(self, request: Request, wish: Wish) -> Seat:
        """Wait in line, for no longer than a session may live."""
        item = Item(request.url, run=str(id(request)), identity=wish.identity)
        self._check_can_give(item)
        waiting = Waiting(item, wish)
        self._waiting.append(waiting)
        end = time.monotonic() + self._settings.timeout_seconds
        try:
            while not waiting.seat.done():
                self._look()
                await asyncio.wait([waiting.seat], timeout=_LOOK_SECONDS)
                if not waiting.seat.done() and self._is_stopping():
                    raise Stopped
                if not waiting.seat.done() and time.monotonic() > end:
                    raise ToolFailed(f"{self._giver}: no session became free", everywhere=True)
            return waiting.seat.result()
        except BaseException:
            if (
                waiting.seat.done()
                and not waiting.seat.cancelled()
                and not waiting.seat.exception()
            ):
                waiting.seat.result().is_well = True  # it was not even begun
                self._beside(self._leave(waiting.seat.result()))
            raise
        finally:
            if waiting in self._waiting:
                self._waiting.remove(waiting)

    def _check_can_give(self, item: Item) -> None:
        site = self._settings.options.sites.get(item.domain)
        wants_proxy = site is not None and site.strategy is not ProxyStrategy.NONE
        if wants_proxy and self._giver is not Giver.BROWSERBASE:
            words = f"{self._giver} has no proxies of its own, as SESSION_SITES wants"
            raise ToolFailed(f"{words} for {item.domain}", for_good=True)

    def _look(self) -> None:
        """Match those who wait with the sessions that there are."""
        self._waiting = [one for one in self._waiting if not one.seat.done()]
        if not self._waiting or self._is_over:
            return
        found = matched(
            self._waiting, self._usable(), self._settings.options, may_open=self._giving.most
        )
        for one, seat in found.given:
            seat.wish = one.wish
            seat.begin(one.item.domain)
            one.seat.set_result(seat)
        for need, wish in found.lacking[self._reserving :]:
            if len(self._seats) + self._reserving < self._giving.most:
                self._reserving += 1
                self._beside(self._add(need, wish))
            elif found.idle:
                self._beside(self._make_room(found.idle[0]))

    def _usable(self) -> list[Seat]:
        """Leave out, and close, what has become too old while it had nothing to do."""
        now = time.monotonic()
        spent = [seat for seat in self._seats if not seat.load and self._is_spent(seat, now)]
        for seat in spent:
            self._beside(self._make_room(seat))
        return [seat for seat in self._seats if seat not in spent]

    async def _add(self, need: Need, wish: Wish) -> None:
        """Reserve a session, and wait a little where there is none to be had."""
        try:
            lease = await self._giving.reserve()
            if isinstance(lease, Refusal):
                await asyncio.sleep(min(lease.wait_seconds, _LONGEST_PAUSE))
            else:
                name = f"{self._giver}-{lease}"
                self._seats.append(Seat(name, wish, need, time.monotonic(), lease))
        except StoreError as error:
            words = f"{self._giver}: no session can be reserved: {error}"
            self._fail(ToolFailed(words, everywhere=True))
        except Exception as error:  # noqa: BLE001 - it is for who waits
            self._fail(error)
        finally:
            self._reserving -= 1
        self._look()

    def _fail(self, error: Exception) -> None:
        """Let all who wait hear why there is no session."""
        for one in self._waiting:
            if not one.seat.done():
                one.seat.set_exception(error)

    async def _leave(self, seat: Seat) -> None:
        """Make a session ready for the next, or end it."""
        was_opened = seat.context is not None
        if was_opened:
            self._count("items")
        if seat.is_well and was_opened:
            try:
                async with asyncio.timeout(_CLEAN_SECONDS):
                    await self._giving.clean(seat)
            except (Error, TimeoutError):  # it is gone with its browser
                seat.is_well = False
        if was_opened and not seat.is_well:
            self._count("errors")
        seat.end()
        if not seat.is_well or self._is_spent(seat, time.monotonic()):
            await self._end(seat)
        elif (after := self._giving.idle_seconds) is not None:
            asyncio.get_running_loop().call_later(after, self._close_if_idle, seat, seat.items)
        self._look()

    def _close_if_idle(self, seat: Seat, items: int) -> None:
        if seat.items == items and not self._is_over:
            self._beside(self._make_room(seat))

    async def _make_room(self, idle: Seat) -> None:
        if not idle.load:  # or it has been given to somebody meanwhile
            await self._end(idle)
            self._look()

    async def _end(self, seat: Seat) -> None:
        if seat not in self._seats:
            return
        self._seats.remove(seat)
        await self._giving.end(seat)
        if seat.context is not None:
            self._count("closed")

    def _is_spent(self, seat: Seat, now: float) -> bool:
        most = self._settings.items_per_session
        is_old = now - seat.since > self._settings.timeout_seconds / 2
        return is_old or bool(most and seat.items >= most)

    def _beside(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
