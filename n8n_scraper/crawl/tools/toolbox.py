"""The tools of a crawl: each begun when it is first needed, bounded in time, and left to rest."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import TYPE_CHECKING, Any, Protocol

from scrapy import Request
from scrapy.http import Response

from n8n_scraper.core.errors import BadInput, ToolFailed
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.crawl.per_crawler import PerCrawler
from n8n_scraper.crawl.private_network import guard_of
from n8n_scraper.crawl.tools.choosing import BY_ITS_RESULTS, TOOL
from n8n_scraper.crawl.tools.firecrawl import Firecrawl
from n8n_scraper.crawl.tools.tool_settings import ToolSettings
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.pace.pace_settings import CircuitSettings
from n8n_scraper.policies.tools.ladder import Tool
from n8n_scraper.policies.tools.tool_circuit import RestLimits, ToolCircuit

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from n8n_scraper.crawl.sessions.givers import Givers

logger = logging.getLogger(__name__)

Download = Callable[[Request], Awaitable[Response]]

TOOL_SECONDS = "tool_seconds"
"""Key of `Request.meta`: how long its tool has worked on it."""

TOOL_COST = "tool_cost"
"""Key of `Request.meta`: what that has cost, in the unit of the tool's own price."""


_EVERYWHERE = ""


class _Fetching(Protocol):
    """One tool."""

    def turn(self, request: Request) -> AbstractAsyncContextManager[Any]:
        """What is to be had before it begins; its deadline does not run meanwhile."""

    async def fetch(
        self, request: Request, turn: Any, download: Download, seconds: float
    ) -> Response:
        """Give the site's answer within so many seconds, or raise ToolFailed."""

    async def close(self) -> None:
        """Leave nothing running."""


class Toolbox:
    """Fetches requests with the tools that they name.

    What is the tool's own failure is ToolFailed, which the site's circuit does not hear of; after
    three in a row the tool rests for that domain. What the site does wrong is raised as a plain
    request raises it.

    Settings: `FIRECRAWL_…`, `DEVTOOLS_…`, `PLAYWRIGHT_…`, `CIRCUIT_BREAKER_HOLD`,
    `CIRCUIT_BREAKER_HOLD_CAP`. Stats: `tools/<tool>/requests`, `…/failures`, `…/seconds`,
    `…/cost`, `…/rests`.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.settings = ToolSettings.from_settings(crawler.settings)
        self.clock = paces_of(crawler).clock
        limits = CircuitSettings.from_settings(crawler.settings).limits
        self._limits = {
            tool: RestLimits(limits.hold_seconds, limits.hold_cap_seconds, seconds)
            for tool, seconds in self.settings.deadlines.items()
        }
        self._circuits: dict[tuple[str, Tool], ToolCircuit] = {}
        self._tools: dict[Tool, _Fetching] = {}
        self._givers: Givers | None = None
        self._left: set[asyncio.Future[Response]] = set()

    async def fetch(self, request: Request, download: Download) -> Response:
        """Fetch a request; `download` is the way that a plain one goes."""
        name = _name_of(request)
        tool, domain = self._tool(name), registrable_domain(request.url)
        self._check_rest(name, domain)
        async with AsyncExitStack() as until_done:
            try:
                turn = await until_done.enter_async_context(tool.turn(request))
            except ToolFailed as failure:
                self._failed(name, domain, failure)
                raise
            self._let_begin(name, domain)
            begun = time.monotonic()
            request.meta.pop(TOOL_COST, None)
            try:
                answer = await self._bounded(name, tool, request, turn, download)
            except ToolFailed as failure:
                self._failed(name, domain, failure)
                raise
            except BaseException:
                self._change(name, domain, ToolCircuit.ended)
                raise
            finally:
                seconds = request.meta[TOOL_SECONDS] = round(time.monotonic() - begun, 3)
                self._count(name, "seconds", seconds)
                self._count(name, "cost", request.meta.setdefault(TOOL_COST, 0.0))
        self._change(name, domain, ToolCircuit.worked)
        return answer

    async def close(self) -> None:
        """Leave nothing of any tool running."""
        tools, self._tools = self._tools, {}
        for tool in tools.values():
            await tool.close()
        if self._givers is not None:
            await self._givers.close()

    async def _bounded(
        self, name: Tool, tool: _Fetching, request: Request, turn: Any, download: Download
    ) -> Response:
        """Whatever a tool does, also when it is told to stop, its deadline holds."""
        seconds = self.settings.deadlines[name]
        work = asyncio.ensure_future(tool.fetch(request, turn, download, seconds))
        try:
            done, _ = await asyncio.wait([work], timeout=seconds)
        finally:
            if not work.done():
                work.cancel()
                self._left.add(work)
                work.add_done_callback(self._left.discard)
        if not done:
            raise ToolFailed(f"{name} was not ready after {seconds:g} s")
        return work.result()

    def _let_begin(self, name: Tool, domain: str) -> None:
        """Count a request, or refuse it while the tool rests."""
        self._check_rest(name, domain)
        now, limits = self.clock(), self._limits[name]
        self._change(name, domain, lambda circuit: circuit.asked(now, limits))
        self._count(name, "requests", 1)

    def _check_rest(self, name: Tool, domain: str) -> None:
        now = self.clock()
        for place in ((domain, name), (_EVERYWHERE, name)):
            if rest := self._circuits.get(place, ToolCircuit()).rest(now):
                where = place[0] or "every site"
                raise ToolFailed(f"not asked: {name} rests for {where}", wait_seconds=rest)

    def _tool(self, tool: Tool) -> _Fetching:
        if tool not in self._tools:
            self._tools[tool] = self._begin(tool)
        return self._tools[tool]

    def _begin(self, tool: Tool) -> _Fetching:
        if tool is Tool.FIRECRAWL:
            guard_of(self.crawler).trust(self.settings.firecrawl_url)
            return Firecrawl(self.settings)
        # Playwright takes its time.
        from n8n_scraper.crawl.sessions.givers import Givers
        from n8n_scraper.crawl.tools.browsing import Browsing

        if self._givers is None:
            self._givers = Givers(self.crawler, self.settings)
        return Browsing(tool, self._givers, guard_of(self.crawler))

    def _change(
        self, name: Tool, domain: str, change: Callable[[ToolCircuit], ToolCircuit]
    ) -> None:
        """Tell the circuits of a domain and of all what has happened."""
        for place in ((domain, name), (_EVERYWHERE, name)):
            self._circuits[place] = change(self._circuits.get(place, ToolCircuit()))

    def _failed(self, name: Tool, domain: str, failure: ToolFailed) -> None:
        """Count a failure, and say when it begins a rest."""
        self._change(name, domain, ToolCircuit.ended)
        self._count(name, "failures", 1)
        where = _EVERYWHERE if failure.everywhere else domain
        now, limits = self.clock(), self._limits[name]
        before = self._circuits[where, name]
        wait = limits.cap_seconds if failure.everywhere and failure.for_good else 0.0
        after = before.failed(now, limits, wait_seconds=max(wait, failure.wait_seconds))
        self._circuits[where, name] = after
        if rest := after.rest(now):
            failure.wait_seconds = rest
            self._count(name, "rests", 1)
            logger.warning(
                "%s rests %g s for %s: %s", name, round(rest, 1), where or "every site", failure
            )

    def _count(self, tool: Tool, what: str, number: float) -> None:
        self.crawler.stats.inc_value(f"tools/{tool}/{what}", number)  # type: ignore[arg-type]  # it adds


def _name_of(request: Request) -> Tool:
    try:
        return Tool(request.meta[TOOL])
    except ValueError:
        names = ", ".join([*Tool, f"{BY_ITS_RESULTS} (and which in TOOLS)"])
        raise BadInput(f"meta[{TOOL!r}] is {request.meta[TOOL]!r}; write {names}.") from None


toolbox_of: PerCrawler[Toolbox] = PerCrawler(Toolbox)
"""The tools that the download handlers of a crawl share."""
