"""Let a request that leaves its tool open begin with the one whose turn it is."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self

from scrapy import Request

from n8n_scraper.core.errors import ToolFailed
from n8n_scraper.crawl.tools.choosing import BY_ITS_RESULTS, TOOL
from n8n_scraper.crawl.tools.ladder import TOOLS_LEFT, Ladder, asked_with, ladder_of, tools_left

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class LadderMiddleware:
    """Choose the first tool, and the next one where a tool fails by its own fault.

    What the site says, a refusal among it, is no reason to ask it with another tool.

    Settings: `TOOLS`, `REQUIRED_FIELDS`. Stats: `tools/failovers`.
    """

    def __init__(self, ladder: Ladder, crawler: Crawler) -> None:
        self.ladder = ladder
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Share the ladder of this crawl."""
        return cls(ladder_of(crawler), crawler)

    def process_request(self, request: Request) -> None:
        """Choose the first tool."""
        if request.meta.get(TOOL) == BY_ITS_RESULTS:
            first, *left = self.ladder.order()
            request.meta[TOOL], request.meta[TOOLS_LEFT] = str(first), list(map(str, left))

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Ask the next tool, where there is one."""
        if TOOLS_LEFT not in request.meta or not isinstance(exception, ToolFailed):
            return None
        self.ladder.note(request, None)
        if not (left := tools_left(request)):
            return None
        logger.info("%s is asked for with %s: %s", request.url, left[0], exception)
        self.crawler.stats.inc_value("tools/failovers")
        return asked_with(request, left[0], left[1:])
