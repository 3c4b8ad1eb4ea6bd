"""Let Firecrawl fetch a page, by a plain request of ours, and give the answer as the site's own."""

from __future__ import annotations

import asyncio
import json
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import CannotResolveHostError, DownloadFailedError, NotSupported
from scrapy.http import Response

from n8n_scraper.core.errors import BadInput, ToolFailed
from n8n_scraper.crawl.judgement import plain_headers
from n8n_scraper.crawl.tools.answers import as_answer, in_utf8
from n8n_scraper.policies.tools import firecrawl
from n8n_scraper.policies.tools.firecrawl import Scraped, Trouble, Whose
from n8n_scraper.policies.tools.ladder import Tool

if TYPE_CHECKING:
    from n8n_scraper.crawl.tools.tool_settings import ToolSettings
    from n8n_scraper.crawl.tools.toolbox import Download

_PASSED_ON = ("User-Agent", "Accept-Language")
"""What a site is told of us; credentials are not for others to carry."""

_FOR_THE_WAY = 0.9
"""The share of its deadline that Firecrawl itself is given."""


class Firecrawl:
    """Asks a Firecrawl, hosted or one's own, for one page at a time.

    The request is paced as one to the site that it names, and its answer is judged as the site's.
    """

    def __init__(self, settings: ToolSettings) -> None:
        if not settings.firecrawl_url:
            raise BadInput(
                "A request asks for Firecrawl, and FIRECRAWL_URL is empty; write "
                "https://api.firecrawl.dev, or the address of your own."
            )
        self._url = settings.firecrawl_url + firecrawl.PATH
        self._key = settings.firecrawl_key

    def turn(self, request: Request) -> AbstractAsyncContextManager[None]:
        """It keeps its own limits, and says so."""
        return nullcontext()

    async def fetch(
        self, request: Request, turn: None, download: Download, seconds: float
    ) -> Response:
        """Give the page, or raise whose failure it was that there is none."""
        if request.method != "GET" or request.body:
            raise NotSupported("Firecrawl fetches by GET only")
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while True:
            said = await self._ask(request, download, seconds, end - loop.time())
            if isinstance(said, Scraped):
                return _page(request, said)
            if said.whose is not Whose.WORKING:
                raise _failure(request, said)
            await asyncio.sleep(said.wait_seconds)

    async def close(self) -> None:
        """Nothing of it runs here."""

    async def _ask(
        self, request: Request, download: Download, seconds: float, left: float
    ) -> Scraped | Trouble:
        told = {name: value for name in _PASSED_ON if (value := _header(request, name))}
        question = firecrawl.question(request.url, seconds * _FOR_THE_WAY, told)
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        post = Request(
            self._url,
            method="POST",
            headers=headers,
            body=json.dumps(question),
            meta={"download_timeout": left},
        )
        try:
            answer = await download(post)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is not the site's
            words = f"FIRECRAWL_URL does not answer: {type(error).__name__}"
            raise ToolFailed(words, everywhere=True) from None
        try:
            said = json.loads(answer.body)
        except ValueError:
            said = None
        return firecrawl.answer(request.url, answer.status, plain_headers(answer.headers), said)


def _page(request: Request, scraped: Scraped) -> Response:
    request.meta["tool_cost"] = scraped.cost
    return as_answer(
        request,
        tool=Tool.FIRECRAWL,
        url=scraped.url,
        status=scraped.status,
        headers={},
        content_type=in_utf8(scraped.content_type),
        body=scraped.html.encode(),
    )


def _failure(request: Request, trouble: Trouble) -> Exception:
    if trouble.whose is Whose.SITE_NOT_FOUND:
        return CannotResolveHostError(f"{request.url}: {trouble.words}")
    if trouble.whose is Whose.SITE_BROKEN:
        return DownloadFailedError(f"{request.url}: {trouble.words}")
    return ToolFailed(
        f"Firecrawl: {trouble.words}",
        wait_seconds=trouble.wait_seconds,
        for_good=trouble.whose is Whose.REFUSED,
        everywhere=trouble.everywhere,
    )


def _header(request: Request, name: str) -> str:
    return (request.headers.get(name) or b"").decode("latin-1")
