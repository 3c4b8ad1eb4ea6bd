"""Take in no answer that is larger than its kind can be, packed or unpacked."""

from __future__ import annotations

from scrapy import Request
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import DownloadCancelledError, IgnoreRequest
from scrapy.http import Response
from scrapy.utils.httpobj import urlparse_cached

from n8n_scraper.crawl.judgement import EXPECTS
from n8n_scraper.policies.failure.answer_size import most_bytes


class AnswerSizeMiddleware(HttpCompressionMiddleware):
    """Scrapy's unpacking, with a bound for each kind of answer, on the wire and unpacked alike."""

    def process_request(self, request: Request) -> None:  # type: ignore[override]  # as Scrapy calls it
        """Tell the download how much it may bring."""
        super().process_request(request)
        most = most_bytes(request.meta.get(EXPECTS, "any"), urlparse_cached(request).path)
        if most is not None:
            request.meta.setdefault("download_maxsize", most)

    def process_response(  # type: ignore[override]  # as Scrapy calls it
        self, request: Request, response: Response
    ) -> Request | Response:
        """Unpack, and call what is too large by the name that the download has for it."""
        try:
            return super().process_response(request, response)
        except IgnoreRequest as error:
            raise DownloadCancelledError(str(error)) from None
