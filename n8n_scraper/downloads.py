"""Download each request once: whoever wants it a second time asks for a second token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class SingleTryDownloadHandler(HTTP11DownloadHandler):
    """Scrapy's handler without the repeat that Twisted makes behind everybody's back.

    When a kept-alive connection breaks before the answer, Twisted sends a GET once more at once: a
    request without a token, without a back-off, and without anybody hearing of the failure.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        if not hasattr(self._pool, "retryAutomatically"):
            raise RuntimeError("this Scrapy keeps its connections elsewhere: see downloads.py")
        self._pool.retryAutomatically = False
