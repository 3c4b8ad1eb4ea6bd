"""Give sessions that are contexts of one browser: our own, or one that is there."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, Error

from n8n_scraper.core.errors import ToolFailed
from n8n_scraper.crawl.sessions.one_browser import END_SECONDS, OneBrowser, answers, first_line

if TYPE_CHECKING:
    from playwright.async_api import ProxySettings

    from n8n_scraper.crawl.sessions.seat import Seat
    from n8n_scraper.policies.sessions.book import Refusal


class Contexts:
    """Each session is a context, which ends with its connection, whatever ends that."""

    keeps_after_failure = False
    idle_seconds: float | None = None

    def __init__(self, browser: OneBrowser, most: int) -> None:
        self.most = most
        self._browser = browser
        self._numbers = itertools.count(1)

    async def reserve(self) -> str | Refusal:
        """Name a session: the process keeps its own limit."""
        return str(next(self._numbers))

    async def context(self, seat: Seat) -> BrowserContext:
        """Give the session's context, another one where its browser was replaced."""
        browser = await self._browser.ready()
        if seat.context is not None and seat.context.browser is browser:
            return seat.context
        wish = seat.wish
        more: dict[str, Any] = {"locale": wish.locale} if wish.locale else {}
        try:
            seat.context = await browser.new_context(
                user_agent=wish.introduction or None,
                proxy=_proxy(wish.proxy, wish.credentials),
                service_workers="block",  # what they ask for would pass us by
                accept_downloads=False,
                **more,
            )
        except Error as error:
            self._browser.doubt()
            raise ToolFailed(f"no page can be opened: {first_line(error)}") from None
        return seat.context

    async def answers(self, seat: Seat) -> bool:
        """Whether its browser still speaks."""
        browser = seat.context.browser if seat.context else None
        return browser is not None and await answers(browser)

    async def clean(self, seat: Seat) -> None:
        """Leave nothing of a visit in it; Error where it is gone with its browser."""
        assert seat.context is not None
        for page in seat.context.pages:
            await page.close()
        await seat.context.clear_cookies()

    async def end(self, seat: Seat) -> None:
        """Close it, and look at the browser before the next where it was spoilt."""
        if not seat.is_well:
            self._browser.doubt()
        if seat.context is not None:
            with suppress(Error, TimeoutError):  # who needs the browser next sees how it is
                await asyncio.wait_for(seat.context.close(), END_SECONDS)

    async def close(self) -> None:
        """End the browser where it is ours."""
        await self._browser.close()


def _proxy(url: str, credentials: str) -> ProxySettings | None:
    if not url:
        return None
    from base64 import b64decode

    parts = urlsplit(url)
    name, _, password = b64decode(credentials.partition(" ")[2]).decode().partition(":")
    # Without the bypass a browser would not ask a proxy for this machine.
    proxy: ProxySettings = {
        "server": f"{parts.scheme}://{parts.hostname}:{parts.port or 80}",
        "bypass": "<-loopback>",
    }
    if name:
        proxy |= {"username": name, "password": password}
    return proxy
