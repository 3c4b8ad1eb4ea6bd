"""Visit one page: go there, do what is to be done, wait until it rests, and take all of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from playwright.async_api import BrowserContext, Error, Page, Response, Route
from playwright.async_api import TimeoutError as TookTooLong

from n8n_scraper.crawl.tools.answers import in_utf8
from n8n_scraper.crawl.tools.page_steps import do
from n8n_scraper.crawl.tools.traffic import Traffic
from n8n_scraper.policies.tools.unwanted import is_unwanted

if TYPE_CHECKING:
    from n8n_scraper.policies.safety.private_network import NetworkGuard
    from n8n_scraper.policies.tools.steps import Step

_LONGEST_REST = 15.0
"""Seconds for which a page that always asks for something is waited for."""
_DRAWN = ("text/html", "application/xhtml+xml", "")


@dataclass(frozen=True, slots=True)
class Seen:
    """A page as it was taken."""

    url: str
    status: int
    headers: Mapping[str, str]
    content_type: str
    body: bytes
    xhr: list[dict[str, Any]] = field(default_factory=list)
    settled: bool = True


class Visit:
    """One visit in a context; it ends at a time of the loop, with what is there then."""

    def __init__(self, context: BrowserContext, url: str, guard: NetworkGuard, end: float) -> None:
        self.refused = ""
        """The private address that the page wanted to lead to."""
        self._context = context
        self._url = url
        self._guard = guard
        self._end = end
        self._settled = True

    async def make(self, steps: Sequence[Step]) -> Seen:
        """Make the visit; Playwright's Error is raised where there is no page."""
        page = await self._context.new_page()
        await page.route("**/*", self._let_pass)
        traffic = Traffic(page)
        try:
            await self._go(page, traffic)
            await self._within(self._rest(page, traffic))
            for step in steps:
                await self._within(do(step, page))
                await self._within(self._rest(page, traffic))
            return await self._take(page, traffic)
        finally:
            traffic.stop()

    async def _go(self, page: Page, traffic: Traffic) -> None:
        try:
            await page.goto(self._url, wait_until="commit", timeout=self._left() * 1000)
        except TookTooLong:
            raise
        except Error:
            # An error without a page is one for a browser; for us it is an answer.
            if self.refused or traffic.page is None or traffic.page.status < 400:
                raise

    async def _rest(self, page: Page, traffic: Traffic) -> None:
        await page.wait_for_load_state("domcontentloaded", timeout=self._left() * 1000)
        if not await traffic.rests(min(_LONGEST_REST, self._left())):
            self._settled = False

    async def _within(self, work: Any) -> None:
        """Do something for as long as there is time."""
        try:
            async with asyncio.timeout(self._left()):
                await work
        except (TimeoutError, TookTooLong):
            self._settled = False

    async def _take(self, page: Page, traffic: Traffic) -> Seen:
        answer = traffic.page
        headers = {} if answer is None else answer.headers
        given = headers.get("content-type", "")
        if answer is None or given.partition(";")[0].strip().lower() in _DRAWN:
            content_type, body = in_utf8(given), (await page.content()).encode()
        else:
            content_type, body = given, await _raw(answer)
        return Seen(
            url=page.url if answer is None or page.url.startswith("http") else answer.url,
            status=200 if answer is None else answer.status,
            headers=headers,
            content_type=content_type,
            body=body,
            xhr=await traffic.data(self._left()),
            settled=self._settled,
        )

    async def _let_pass(self, route: Route) -> None:
        """Let the page have what its data needs, and nothing of a private network."""
        wanted = route.request
        if self._guard.refuses(wanted.url):
            if wanted.is_navigation_request() and wanted.frame.parent_frame is None:
                self.refused = wanted.url
            await route.abort("addressunreachable")
        elif is_unwanted(wanted.url, wanted.resource_type):
            await route.abort("blockedbyclient")
        else:
            await route.continue_()

    def _left(self) -> float:
        return max(self._end - asyncio.get_running_loop().time(), 0.05)


async def _raw(answer: Response) -> bytes:
    try:
        return await answer.body()
    except Error:
        return b""
