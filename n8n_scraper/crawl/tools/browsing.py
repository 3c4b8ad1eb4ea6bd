"""Fetch pages with a browser: one that is there, or one of our own, replaced when it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from playwright.async_api import Browser, BrowserContext, Error
from playwright.async_api import TimeoutError as TookTooLong
from scrapy import Request
from scrapy.exceptions import NotSupported
from scrapy.http import Response

from n8n_scraper.core.errors import BadInput, ToolFailed
from n8n_scraper.crawl.tools.answers import as_answer
from n8n_scraper.crawl.tools.blame import blamed
from n8n_scraper.crawl.tools.chromium import Chromium
from n8n_scraper.crawl.tools.driver import Driver
from n8n_scraper.crawl.tools.visit import Visit
from n8n_scraper.policies.tools.ladder import Tool
from n8n_scraper.policies.tools.steps import read_steps

if TYPE_CHECKING:
    from playwright.async_api import ProxySettings

    from n8n_scraper.crawl.tools.tool_settings import ToolSettings
    from n8n_scraper.crawl.tools.toolbox import Download
    from n8n_scraper.policies.safety.private_network import NetworkGuard

STEPS = "steps"
"""Key of `Request.meta`: what is done on a page before it is taken (`policies/tools/steps.py`)."""

XHR = "xhr"
"""Key of `Request.meta`: what the page has asked for by itself: address, status, type, body."""

UNSETTLED = "unsettled"
"""Key of `Request.meta`: that the page was taken as it was, because it never came to rest."""

_OF_ITSELF: dict[Tool, tuple[dict[str, Any], ...]] = {
    Tool.DEVTOOLS: (),
    Tool.PLAYWRIGHT: ({"consent": True}, {"scroll": 10}),
}
"""What is done where a request says nothing: the dearer tool looks at all of the page."""

_RESERVE_SHARE, _LONGEST_RESERVE_SECONDS = 0.2, 10.0
_HEALTHY_SECONDS = 3.0
_END_SECONDS = 5.0

Kind = tuple[str, str, str]
"""What contexts differ in: the introduction, and the proxy with its credentials."""


class Browsing:
    """One tool that is a browser: it is begun by the first request, and contexts are used again.

    What a visit has spoilt is dropped: its context after any fault, and the browser where it does
    not answer any more.
    """

    def __init__(self, tool: Tool, settings: ToolSettings, guard: NetworkGuard) -> None:
        self.turn = asyncio.Semaphore(settings.pages)
        self._tool = tool
        self._settings = settings
        self._driver = Driver()
        self._guard = guard
        self._beginning = asyncio.Lock()
        self._chromium: Chromium | None = None
        self._browser: Browser | None = None
        self._in_doubt = False
        self._idle: dict[Kind, list[BrowserContext]] = {}
        self._beside: set[asyncio.Future[None]] = set()

    async def fetch(self, request: Request, download: Download, seconds: float) -> Response:
        """Visit the page, and give it as it is when it has come to rest."""
        if request.method != "GET" or request.body:
            raise NotSupported("a browser fetches by GET only")
        steps = read_steps(request.meta.get(STEPS, _OF_ITSELF[self._tool]))
        request.meta.pop(UNSETTLED, None)
        kind = _kind_of(request)
        end = asyncio.get_running_loop().time() + seconds - _reserve(seconds)
        browser = await self._ready()
        try:
            context = await self._context(browser, kind)
        except Error as error:
            self._in_doubt = True
            raise ToolFailed(f"{self._tool}: {_first_line(error)}") from None
        try:
            visit = Visit(context, request.url, self._guard, end)
            seen = await visit.make(steps)
        except Error as error:
            self._spoilt(context)
            # Who hears nothing in time has waited for the site, or for a browser that hangs.
            if isinstance(error, TookTooLong) and not await _answers(browser):
                raise ToolFailed(f"{self._tool}: the browser does not answer") from None
            raise blamed(error, request.url, visit.refused) from None
        except BaseException:
            self._spoilt(context)
            raise
        self._beside_all(self._keep(kind, context))
        request.meta[XHR] = seen.xhr
        if not seen.settled:
            request.meta[UNSETTLED] = True
        return as_answer(
            request,
            tool=self._tool,
            url=seen.url,
            status=seen.status,
            headers=seen.headers,
            content_type=seen.content_type,
            body=seen.body,
        )

    async def close(self) -> None:
        """End the browser, and whatever still goes on in it."""
        for one in self._beside:
            one.cancel()
        await asyncio.gather(*self._beside, return_exceptions=True)
        async with self._beginning:
            await self._end()
        await self._driver.close()

    async def _ready(self) -> Browser:
        """Give the browser, another one where it is gone or does not answer any more."""
        async with self._beginning:
            browser, in_doubt, self._in_doubt = self._browser, self._in_doubt, False
            if browser is None or (in_doubt and not await _answers(browser)):
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

    async def _begin(self) -> Browser:
        place = self._settings.devtools_url if self._tool is Tool.DEVTOOLS else ""
        if not place:
            program = self._settings.browser()
            if program is None:
                raise BadInput(
                    f"A request asks for {self._tool}, and there is no browser: install one "
                    "(Debian: apt install chromium), or name it in PLAYWRIGHT_EXECUTABLE."
                )
            self._chromium = Chromium(program, self._settings.arguments)
            place = await self._chromium.address()
        try:
            playwright = await self._driver.playwright()
            return await playwright.chromium.connect_over_cdp(place)
        except Exception as error:  # noqa: BLE001 - a driver that is gone raises nothing better
            await self._driver.close()
            raise ToolFailed(
                f"{self._tool}: the browser cannot be spoken to: {_first_line(error)}",
                everywhere=True,
            ) from None

    async def _end(self) -> None:
        """Let go of a browser, and end it where it is ours."""
        browser, self._browser = self._browser, None
        chromium, self._chromium = self._chromium, None
        self._idle.clear()
        if chromium is not None:
            chromium.close()
        if browser is not None:
            with suppress(Error, TimeoutError):  # one that is gone or hangs says nothing to that
                await asyncio.wait_for(browser.close(), _END_SECONDS)

    async def _context(self, browser: Browser, kind: Kind) -> BrowserContext:
        if idle := self._idle.get(kind):
            return idle.pop()
        introduction, proxy, credentials = kind
        return await browser.new_context(
            user_agent=introduction or None,
            proxy=_proxy(proxy, credentials),
            service_workers="block",  # what they ask for would pass us by
            accept_downloads=False,
        )

    async def _keep(self, kind: Kind, context: BrowserContext) -> None:
        """Keep a context for the next request, without what this one has left in it."""
        try:
            for page in context.pages:
                await page.close()
            await context.clear_cookies()
        except Error:
            return  # it is gone with its browser
        self._idle.setdefault(kind, []).append(context)

    def _spoilt(self, context: BrowserContext) -> None:
        """Drop a context, and let the next request see first whether the browser is well."""
        self._in_doubt = True
        self._beside_all(_close(context))

    def _beside_all(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)


async def _answers(browser: Browser) -> bool:
    try:
        session = await asyncio.wait_for(browser.new_browser_cdp_session(), _HEALTHY_SECONDS)
        await asyncio.wait_for(session.detach(), _HEALTHY_SECONDS)
    except (Error, TimeoutError):
        return False
    return True


async def _close(context: BrowserContext) -> None:
    with suppress(Error, TimeoutError):  # whoever needs the browser next sees whether it is well
        await asyncio.wait_for(context.close(), _END_SECONDS)


def _reserve(seconds: float) -> float:
    """So long before its deadline a visit ends, with what is there."""
    return min(seconds * _RESERVE_SHARE, _LONGEST_RESERVE_SECONDS)


def _kind_of(request: Request) -> Kind:
    def header(name: str) -> str:
        return (request.headers.get(name) or b"").decode("latin-1")

    credentials = header("Proxy-Authorization")
    return header("User-Agent"), request.meta.get("proxy") or "", credentials


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


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__} {error}".split("\n", 1)[0].strip()
