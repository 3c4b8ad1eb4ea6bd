"""Ask with the next tool for a page of which the last one brought too little."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable
from inspect import isasyncgen, isawaitable
from typing import TYPE_CHECKING, Any, Self

from itemadapter import ItemAdapter
from scrapy import Request
from scrapy.http import Response

from n8n_scraper.crawl.stopping import is_stopping
from n8n_scraper.crawl.tools.choosing import TOOL
from n8n_scraper.crawl.tools.ladder import TOOLS_LEFT, Ladder, asked_with, ladder_of, tools_left
from n8n_scraper.policies.tools.coverage import Coverage, coverage_of
from n8n_scraper.policies.tools.ladder import Tool, after, better

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

Brought = tuple[Coverage, list[Any]]
"""What came of an answer, and how much of what is required."""

_FIRST_FAILURE = 400


class EscalationMiddleware:
    """Hold what a callback gives of a page against the required fields, and pass on the best.

    Below 70 % the same request goes out with the next tool, its answer goes through the same
    callback, and whatever has brought the most is what the others see. A page of which another tool
    brings no answer keeps what it had.

    Settings: `TOOLS`, `REQUIRED_FIELDS`. Stats: `tools/escalations`.
    """

    def __init__(self, ladder: Ladder, crawler: Crawler) -> None:
        self.ladder = ladder
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Share the ladder of this crawl."""
        return cls(ladder_of(crawler), crawler)

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Pass on what came, of a request with a ladder the best that could be had."""
        if TOOLS_LEFT not in response.meta or response.status >= _FIRST_FAILURE:
            async for one in result:
                yield one
            return
        for one in await self._best(response, [one async for one in result]):
            yield one

    async def _best(self, response: Response, outputs: list[Any]) -> list[Any]:
        best: Brought | None = None
        while True:
            assert response.request is not None
            request = response.request
            coverage = coverage_of(_items(outputs), self.ladder.required)
            links = sum(not getattr(one, "is_an_item", True) for one in outputs)
            self.ladder.note(request, coverage, items=coverage.items - links)
            best = better((coverage, outputs), best)
            tool, left = Tool(request.meta[TOOL]), tools_left(request)
            next_tool = after(tool, (tool, *left), coverage)
            if next_tool is None or is_stopping(self.crawler):
                return best[1]
            self.crawler.stats.inc_value("tools/escalations")
            logger.info(
                "%s is asked for with %s: %s brought %.0f %% of what is required",
                *(request.url, next_tool, tool, 100 * coverage.share),
            )
            answer = await self._ask(asked_with(request, next_tool, left[1:]))
            if answer is None:
                return best[1]
            response, outputs = answer

    async def _ask(self, request: Request) -> tuple[Response, list[Any]] | None:
        """Give what another answer brings; None where there is none."""
        assert self.crawler.engine is not None
        try:
            response = await self.crawler.engine.download_async(request)
        except Exception as error:  # noqa: BLE001 - whatever it is, what was had before stays
            logger.info("%s brought no answer: %s", request, error)
            return None
        if response.status >= _FIRST_FAILURE:
            return None
        try:
            return response, await self._read(request, response)
        except Exception:
            logger.exception("The spider could not read %s", response)
            return None

    async def _read(self, request: Request, response: Response) -> list[Any]:
        callback: Any = request.callback or self.crawler.spider.parse  # type: ignore[union-attr]
        given = callback(response, **request.cb_kwargs)
        if isasyncgen(given):
            return [one async for one in given]
        return list((await given if isawaitable(given) else given) or ())


def _items(outputs: Iterable[Any]) -> list[dict[str, Any]]:
    return [ItemAdapter(one).asdict() for one in outputs if ItemAdapter.is_item(one)]
