"""The tools that a crawl chooses from, and what each has brought so far."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from scrapy import Request

from n8n_scraper.crawl.per_crawler import PerCrawler
from n8n_scraper.crawl.tools.choosing import TOOL
from n8n_scraper.crawl.tools.ladder_settings import LadderSettings
from n8n_scraper.policies.tools.ladder import KEPT_ATTEMPTS, Attempt, Tool, in_order

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from n8n_scraper.policies.tools.coverage import Coverage

TOOLS_LEFT = "tools_left"
"""Key of `Request.meta`: the tools that are asked after this one, should it not bring enough."""

_OF_AN_ATTEMPT = (
    *("retry_times", "burnt_attempts", "first_failure", "not_before", "failed_at", "waiting_since"),
    *("as_probe", "probe", "sent_at", "server_wait", "tool_seconds", "tool_cost", "xhr"),
    *("unsettled", "session_id", "download_latency", "redirect_times", "redirect_urls", "led_to"),
)
"""What one attempt leaves in `Request.meta`, and the next begins without."""


class Ladder:
    """Remembers the last attempts of each tool, and says in which order they are asked.

    Settings: `TOOLS`, `REQUIRED_FIELDS`.
    """

    def __init__(self, settings: LadderSettings, wall_clock: Callable[[], float]) -> None:
        self.required = settings.required
        self.on_note: Callable[[Attempt], object] = lambda attempt: None
        """Is called with each attempt, for whoever keeps it longer."""
        self._tools = settings.tools
        self._wall_clock = wall_clock
        self._attempts = {tool: deque[Attempt](maxlen=KEPT_ATTEMPTS) for tool in Tool}

    def order(self) -> tuple[Tool, ...]:
        """Say in which order the tools are asked now."""
        known = [one for attempts in self._attempts.values() for one in attempts]
        return in_order(self._tools, known, self._wall_clock())

    def remember(self, attempts: Iterable[Attempt]) -> None:
        """Take in what is known of earlier crawls, the oldest first."""
        for one in attempts:
            self._attempts[one.tool].append(one)

    def note(
        self, request: Request, coverage: Coverage | None, *, items: int | None = None
    ) -> None:
        """Note what the tool of a request has brought; None is no answer.

        `items` says how many it has brought, where that is not all that was judged.
        """
        meta = request.meta
        seconds = meta.get("tool_seconds", meta.get("download_latency", 0.0))
        attempt = Attempt(
            tool=Tool(meta[TOOL]),
            at=self._wall_clock(),
            coverage=None if coverage is None else coverage.share,
            seconds=seconds,
            cost=meta.get("tool_cost", 0.0),
            items=(coverage.items if coverage else 0) if items is None else items,
        )
        self.remember([attempt])
        self.on_note(attempt)


def asked_with(request: Request, tool: Tool, left: Iterable[Tool]) -> Request:
    """Give the same request for another tool, with all attempts before it."""
    again = request.replace(dont_filter=True)
    for key in _OF_AN_ATTEMPT:
        again.meta.pop(key, None)
    again.meta[TOOL] = str(tool)
    again.meta[TOOLS_LEFT] = [str(one) for one in left]
    return again


def tools_left(request: Request) -> tuple[Tool, ...]:
    """The tools that may be asked after the one that a request has."""
    return tuple(map(Tool, request.meta[TOOLS_LEFT]))


def _ladder(crawler: Crawler) -> Ladder:
    return Ladder(LadderSettings.from_settings(crawler.settings), time.time)


ladder_of: PerCrawler[Ladder] = PerCrawler(_ladder)
"""The ladder that the middlewares of a crawl share."""
