"""Let a page be fetched by the tool that the entry of its site names, or by whichever brings it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from n8n_scraper.crawl.tools.choosing import BY_ITS_RESULTS, TOOL
from n8n_scraper.crawl.tools.ladder import TOOLS_LEFT, ladder_of
from n8n_scraper.crawl.tools.ladder_settings import LadderSettings
from n8n_scraper.policies.tools.ladder import Tool

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from n8n_scraper.sources_file.entry import Entry

STEPS = "steps"
"""Key of `Request.meta`, as the browsers read it; importing it of these would load a browser."""

_BROWSERS = (Tool.DEVTOOLS, Tool.PLAYWRIGHT)
_NEED_A_BROWSER = ("click", "scroll")
"""Steps that nothing else does: a page that has to be scrolled is not whole without."""


class ByTool:
    """The choice of a tool in a crawl of a site.

    Where nobody judges results, as for `scrapy parse`, what is left open is fetched plainly.
    """

    def __init__(self, crawler: Crawler, entry: Entry, *, is_judged: bool = True) -> None:
        self._crawler = crawler
        self._entry = entry
        self._is_judged = is_judged
        self._is_open = bool(LadderSettings.from_settings(crawler.settings).tools)

    @property
    def decides_by_results(self) -> bool:
        """Whether it depends on what tools bring which of them fetches a page."""
        return self._is_open and self._is_judged

    def of_list(self, request: Request) -> Request:
        """Give a request for a page of the list its tool, and what is done on the page."""
        return self._by(request, self._entry.steps)

    def of_event(self, request: Request) -> Request:
        """Give a request for the page of an event its tool."""
        return self._by(request, [{"consent": True}] if self._entry.consent else [])

    def _by(self, request: Request, steps: list[dict[str, Any]]) -> Request:
        meta = request.meta
        if steps:
            meta[STEPS] = steps
        if not self._is_open:
            tool = self._entry.tools[0]
            if tool != Tool.HTTP:
                meta[TOOL] = str(tool)
        elif not self._is_judged:
            meta.pop(STEPS, None)
        elif able := self._able(steps):
            meta[TOOL], meta[TOOLS_LEFT] = str(able[0]), [str(one) for one in able[1:]]
        else:
            meta[TOOL] = BY_ITS_RESULTS
        return request

    def _able(self, steps: list[dict[str, Any]]) -> list[Tool]:
        """Name the tools that can do the steps, in their order; none where all of them can."""
        if not any(name in step for step in steps for name in _NEED_A_BROWSER):
            return []
        return [tool for tool in ladder_of(self._crawler).order() if tool in _BROWSERS]
