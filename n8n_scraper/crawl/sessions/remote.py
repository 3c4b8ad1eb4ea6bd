"""Give sessions that are browsers at Browserbase, and never keep one that is not needed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from playwright.async_api import Browser, BrowserContext, Error, Page

from n8n_scraper.core.errors import StoreError, ToolFailed
from n8n_scraper.crawl.sessions.browserbase_api import ProviderAway
from n8n_scraper.crawl.sessions.one_browser import END_SECONDS, answers, connected, first_line
from n8n_scraper.crawl.tools.driver import Driver
from n8n_scraper.policies.sessions.book import LEASE_SECONDS

if TYPE_CHECKING:
    from n8n_scraper.crawl.sessions.account import Account
    from n8n_scraper.crawl.sessions.seat import Seat
    from n8n_scraper.policies.sessions.book import Refusal, Told

T = TypeVar("T")
logger = logging.getLogger(__name__)

_CONNECT_SECONDS = 30.0
_RENEWALS = 3


class RemoteBrowsers:
    """Each session is a browser there; it is reserved first, and released whatever happens."""

    keeps_after_failure = True
    idle_seconds: float | None = 60.0  # a minute is paid for in any case

    def __init__(
        self,
        open_account: Callable[[], AbstractContextManager[Account]],
        most: int,
        timeout_seconds: float,
        seats: Callable[[], dict[str, Told]],
    ) -> None:
        self.most = most
        self._timeout_seconds = timeout_seconds
        self._seats = seats
        self._driver = Driver()
        self._open_account = open_account
        self._place: AbstractContextManager[Account] | None = None
        self._account: Account | None = None
        self._first = asyncio.Lock()
        self._threads = ThreadPoolExecutor(4, thread_name_prefix="sessions")
        self._beat: asyncio.Future[None] | None = None
        self._browsers: dict[str, Browser] = {}
        self._pages: dict[str, Page] = {}
        """The page of each browser that is never closed, because it would end with it."""
        self._leases: set[str] = set()
        self._remotes: dict[str, str] = {}
        self._opening: dict[str, asyncio.Future[None]] = {}
        self._under_way: set[asyncio.Future[Any]] = set()

    async def reserve(self) -> str | Refusal:
        """Reserve a session among all who share the account."""
        account = await self._ready()
        return await self._kept(asyncio.ensure_future(self._reserved(account)))

    async def context(self, seat: Seat) -> BrowserContext:
        """Create the session for the first request that has it, and connect."""
        if seat.context is None:
            opening = self._opening[seat.lease] = asyncio.ensure_future(self._opened(seat))
            await self._kept(opening)
        assert seat.context is not None
        wish = seat.wish
        headers = {"User-Agent": wish.introduction, "Accept-Language": wish.locale}
        try:
            await seat.context.set_extra_http_headers({n: t for n, t in headers.items() if t})
        except Error as error:
            raise ToolFailed(f"Browserbase: {first_line(error)}") from None
        return seat.context

    async def answers(self, seat: Seat) -> bool:
        """Whether it still speaks."""
        browser = self._browsers.get(seat.lease)
        return browser is not None and await answers(browser)

    async def clean(self, seat: Seat) -> None:
        """Leave nothing of a visit in it, but the page that keeps it open."""
        assert seat.context is not None
        for page in seat.context.pages:
            if page is not self._pages.get(seat.lease):
                await page.close()
        await seat.context.clear_cookies()

    async def end(self, seat: Seat) -> None:
        """Disconnect, and release it; what cannot be released stays in the book."""
        work = self._told_if_lost(self._released(seat.lease))
        await self._kept(asyncio.ensure_future(work))

    async def close(self) -> None:
        """Release whatever is open, look for what else is ours, and disconnect."""
        if self._beat is not None:
            self._beat.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)
        for lease in list(self._leases):
            await self._told_if_lost(self._released(lease))
        if self._account is not None and self._place is not None:
            await self._told_if_lost(self._reconcile(self._account))
            self._place.__exit__(None, None, None)
        await self._driver.close()
        self._threads.shutdown(wait=False)

    async def _ready(self) -> Account:
        """Open the account at the first use, and release what an earlier crawl has left."""
        async with self._first:
            if self._account is None:
                place = self._open_account()
                account = place.__enter__()
                try:
                    await self._reconcile(account)
                except BaseException:
                    place.__exit__(None, None, None)
                    raise
                self._place, self._account = place, account
                self._beat = asyncio.ensure_future(self._give_signs_of_life(account))
            return self._account

    async def _reserved(self, account: Account) -> str | Refusal:
        lease = await self._on_thread(account.reserve)
        if isinstance(lease, str):
            self._leases.add(lease)
        return lease

    async def _opened(self, seat: Seat) -> None:
        account = await self._ready()
        work = account.create, seat.lease, seat.need, self._timeout_seconds
        created = await self._on_thread(*work)
        seat.id = self._remotes[seat.lease] = created.remote
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                # Its address is as good as a key.
                browser = await connected(self._driver, created.connect_url, " at Browserbase")
                self._browsers[seat.lease] = browser
                context = browser.contexts[0]
                self._pages[seat.lease] = (*context.pages, await context.new_page())[0]
        except (TimeoutError, Error, IndexError) as error:
            words = f"Browserbase: its browser cannot be used: {type(error).__name__}"
            raise ToolFailed(words) from None
        seat.context = context

    async def _released(self, lease: str) -> None:
        """Release a session, once it is known what has become of its creation."""
        if opening := self._opening.pop(lease, None):
            await asyncio.wait([opening])
        self._pages.pop(lease, None)
        browser = self._browsers.pop(lease, None)
        if browser is not None:
            with suppress(Error, TimeoutError):
                await asyncio.wait_for(browser.close(), END_SECONDS)
        account = await self._ready()
        await self._on_thread(account.release, lease, self._remotes.pop(lease, ""))
        self._leases.discard(lease)

    async def _reconcile(self, account: Account) -> None:
        try:
            for remote in await self._on_thread(account.reconcile):
                logger.warning("released the browser session %s, which nobody had", remote)
        except ProviderAway as error:
            logger.warning("browser sessions cannot be looked for: %s", error)

    async def _give_signs_of_life(self, account: Account) -> None:
        while True:
            await asyncio.sleep(LEASE_SECONDS / _RENEWALS)
            await self._told_if_lost(self._on_thread(account.tell, self._seats()))

    async def _told_if_lost(self, work: Awaitable[object]) -> None:
        """Go on where the book, or the provider, cannot be spoken to: what is left comes later."""
        try:
            await work
        except (StoreError, ProviderAway) as error:
            logger.warning("the book of browser sessions: %s", error)

    async def _on_thread(self, work: Callable[..., T], *given: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *given)

    async def _kept(self, work: asyncio.Future[T]) -> T:
        """Bring to its end what has begun, also where nobody waits for it any more."""
        self._under_way.add(work)
        work.add_done_callback(self._under_way.discard)
        return await asyncio.shield(work)
