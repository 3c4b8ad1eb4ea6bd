"""Fetch pages with a browser, each in the session that it is given."""

from __future__ import annotations

import asyncio
import time
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error
from playwright.async_api import TimeoutError as TookTooLong
from scrapy import Request
from scrapy.exceptions import DownloadTimeoutError, NotSupported
from scrapy.http import Response

from n8n_scraper.core.errors import ToolFailed
from n8n_scraper.crawl.sessions.session_settings import Giver
from n8n_scraper.crawl.tools.answers import as_answer
from n8n_scraper.crawl.tools.blame import blamed
from n8n_scraper.crawl.tools.visit import Seen, Visit
from n8n_scraper.policies.tools.ladder import Tool
from n8n_scraper.policies.tools.steps import Step, read_steps

if TYPE_CHECKING:
    from n8n_scraper.crawl.sessions.givers import Givers
    from n8n_scraper.crawl.sessions.seat import Seat
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


class Browsing:
    """One tool that is a browser; what a visit has spoilt is not given to the next one."""

    def __init__(self, tool: Tool, givers: Givers, guard: NetworkGuard) -> None:
        self._tool = tool
        self._givers = givers
        self._guard = guard

    def turn(self, request: Request) -> AbstractAsyncContextManager[Seat]:
        """Wait for a session; the deadline does not run meanwhile."""
        if request.method != "GET" or request.body:
            raise NotSupported("a browser fetches by GET only")
        wish = self._givers.wish(request, self._tool)
        return self._givers.of(wish.giver).session(request, wish)

    async def fetch(
        self, request: Request, turn: Seat, download: Download, seconds: float
    ) -> Response:
        """Visit the page, and give it as it is when it has come to rest."""
        steps = read_steps(request.meta.get(STEPS, _OF_ITSELF[self._tool]))
        request.meta.pop(UNSETTLED, None)
        end = asyncio.get_running_loop().time() + seconds - _reserve(seconds)
        begun = time.monotonic()
        try:
            seen = await self._visited(request, turn, steps, end)
        finally:
            if turn.wish.giver is Giver.BROWSERBASE:
                request.meta["tool_cost"] = round((time.monotonic() - begun) / 60, 4)
        turn.is_well = True
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
        """Nothing of it runs besides the sessions."""

    async def _visited(
        self, request: Request, seat: Seat, steps: tuple[Step, ...], end: float
    ) -> Seen:
        sessions = self._givers.of(seat.wish.giver)
        visit = Visit(await sessions.context(seat), request.url, self._guard, end)
        try:
            return await visit.make(steps)
        except Error as error:
            # Who hears nothing in time has waited for the site, or for a browser that hangs.
            if isinstance(error, TookTooLong) and not await sessions.answers(seat):
                raise ToolFailed(f"{self._tool}: the browser does not answer") from None
            reason = blamed(error, request.url, visit.refused)
            is_sites = not isinstance(reason, ToolFailed | DownloadTimeoutError)
            seat.is_well = is_sites and sessions.keeps_after_failure
            raise reason from None


def _reserve(seconds: float) -> float:
    """So long before its deadline a visit ends, with what is there."""
    return min(seconds * _RESERVE_SHARE, _LONGEST_RESERVE_SECONDS)
