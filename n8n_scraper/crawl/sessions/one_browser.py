"""Hold one browser: one that is there, or one of our own, replaced when it fails."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from playwright.async_api import Browser, Error

from n8n_scraper.core.errors import BadInput, ToolFailed
from n8n_scraper.crawl.tools.chromium import Chromium
from n8n_scraper.crawl.tools.driver import Driver

if TYPE_CHECKING:
    from n8n_scraper.crawl.tools.tool_settings import ToolSettings

END_SECONDS = 5.0
_HEALTHY_SECONDS = 3.0


class OneBrowser:
    """Begun when it is needed; one that does not answer any more is replaced."""

    def __init__(self, settings: ToolSettings, place: str = "") -> None:
        self._settings = settings
        self._place = place
        self._driver = Driver()
        self._beginning = asyncio.Lock()
        self._chromium: Chromium | None = None
        self._browser: Browser | None = None
        self._in_doubt = False

    def doubt(self) -> None:
        """Let the next who needs it see first whether it is well."""
        self._in_doubt = True

    async def ready(self) -> Browser:
        """Give the browser, another one where it is gone or does not answer any more."""
        async with self._beginning:
            browser, in_doubt, self._in_doubt = self._browser, self._in_doubt, False
            if browser is None or (in_doubt and not await answers(browser)):
                browser = None
                await self._driver.close()  # it may be the one that does not answer
            if browser is None or not browser.is_connected():
                await self._end()
                try:
                    browser = self._browser = await self._begin()
                except BaseException:
                    await self._end()
                    raise
            return browser

    async def close(self) -> None:
        """Let go of it, and end it where it is ours."""
        async with self._beginning:
            await self._end()
        await self._driver.close()

    async def _begin(self) -> Browser:
        place = self._place
        if not place:
            program = self._settings.browser()
            if program is None:
                raise BadInput(
                    "A request asks for a browser, and there is none: install one "
                    "(Debian: apt install chromium), or name it in PLAYWRIGHT_EXECUTABLE."
                )
            self._chromium = Chromium(program, self._settings.arguments)
            place = await self._chromium.address()
        try:
            return await connected(self._driver, place)
        except ToolFailed:
            await self._driver.close()
            raise

    async def _end(self) -> None:
        browser, self._browser = self._browser, None
        chromium, self._chromium = self._chromium, None
        if chromium is not None:
            chromium.close()
        if browser is not None:
            with suppress(Error, TimeoutError):  # one that is gone or hangs says nothing to that
                await asyncio.wait_for(browser.close(), END_SECONDS)


async def connected(driver: Driver, place: str, shown: str = "") -> Browser:
    """Connect to a browser; ToolFailed names its address, or what is `shown` in its place."""
    try:
        playwright = await driver.playwright()
        return await playwright.chromium.connect_over_cdp(place)
    except Exception as error:  # noqa: BLE001 - a driver that is gone raises nothing better
        words = first_line(error) if not shown else type(error).__name__
        raise ToolFailed(
            f"the browser{shown} cannot be spoken to: {words}", everywhere=True
        ) from None


async def answers(browser: Browser) -> bool:
    """Whether a browser still speaks."""
    try:
        session = await asyncio.wait_for(browser.new_browser_cdp_session(), _HEALTHY_SECONDS)
        await asyncio.wait_for(session.detach(), _HEALTHY_SECONDS)
    except (Error, TimeoutError):
        return False
    return True


def first_line(error: Exception) -> str:
    """Say what went wrong, without the log that follows."""
    return f"{type(error).__name__} {error}".split("\n", 1)[0].strip()
