"""Download each request once, and from nowhere that content has no business to name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.exceptions import CannotResolveHostError

from n8n_scraper.crawl.private_network import PrivateAddress, guard_of
from n8n_scraper.crawl.scrapy_internals import send_once

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class SingleTryDownloadHandler(HTTP11DownloadHandler):
    """Scrapy's handler without the repeat that Twisted makes behind everybody's back.

    When a kept-alive connection breaks before the answer, Twisted sends a GET once more at once: a
    request without a token, without a back-off, and without anybody hearing of the failure.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        send_once(self)
        self._guard = guard_of(crawler)

    async def download_request(self, request: Request) -> Response:
        """Download, unless the host turns out to be one of a private network."""
        if self._guard.refuses(request.url):
            raise PrivateAddress(request.url)
        if proxy := request.meta.get("proxy"):
            self._guard.trust(proxy)
        try:
            return await super().download_request(request)
        except CannotResolveHostError:
            if address := self._guard.refusal(request.url):
                raise PrivateAddress(request.url, address) from None
            raise
