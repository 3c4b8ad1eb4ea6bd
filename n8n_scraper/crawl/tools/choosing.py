"""Download a request with the tool that it names; without one, as ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from n8n_scraper.crawl.downloads import SingleTryDownloadHandler
from n8n_scraper.crawl.private_network import PrivateAddress

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from n8n_scraper.crawl.tools.toolbox import Toolbox

TOOL = "tool"
"""Key of `Request.meta`: what fetches it, one of `policies.tools.ladder.Tool`."""

BY_ITS_RESULTS = "auto"
"""In its place: whichever of `TOOLS` brings what is required."""

_PLAIN = (None, "http")


class ChoosingDownloadHandler(SingleTryDownloadHandler):
    """Our plain handler, and in front of it the choice of a tool.

    Scrapy makes one for each scheme. They share their tools, and a crawl that asks for none neither
    imports nor starts any.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._crawler = crawler
        self._toolbox: Toolbox | None = None

    async def download_request(self, request: Request) -> Response:
        """Download, by whatever tool."""
        if request.meta.get(TOOL) in _PLAIN:
            return await super().download_request(request)
        if self._guard.refuses(request.url):
            raise PrivateAddress(request.url)
        if self._toolbox is None:
            from n8n_scraper.crawl.tools.toolbox import toolbox_of

            self._toolbox = toolbox_of(self._crawler)
        return await self._toolbox.fetch(request, super().download_request)

    async def close(self) -> None:
        """End the browsers as well, if there are any."""
        if self._toolbox is not None:
            await self._toolbox.close()
        await super().close()
