"""Follow redirects within the domain that was asked, and no further."""

from __future__ import annotations

import logging

from scrapy import Request
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware, RedirectMiddleware
from scrapy.http import Response

from n8n_scraper.crawl.judgement import LED_TO
from n8n_scraper.policies.pace.domain import registrable_domain

logger = logging.getLogger(__name__)


def _kept_in(
    request: Request, response: Response, outcome: Request | Response
) -> Request | Response:
    """Give the redirect where it stays in the domain; else the answer, with a mark where it leads.

    What another site says under this address is not what was asked for, so it is not even asked.
    The mark makes the answer a failure of its own category wherever it is judged.
    """
    if isinstance(outcome, Response):
        return outcome
    if registrable_domain(outcome.url) == registrable_domain(request.url):
        return outcome
    logger.warning("Not followed: %s leads to another site, %s", request.url, outcome.url[:200])
    request.meta[LED_TO] = outcome.url
    return response


class DomesticRedirectMiddleware(RedirectMiddleware):
    """Scrapy's, for redirects by a status."""

    def process_response(  # type: ignore[override]  # Scrapy's has a spider that nobody passes
        self, request: Request, response: Response
    ) -> Request | Response:
        """Follow within the domain."""
        return _kept_in(request, response, super().process_response(request, response))


class DomesticMetaRefreshMiddleware(MetaRefreshMiddleware):
    """Scrapy's, for redirects by a page's head."""

    def process_response(  # type: ignore[override]  # Scrapy's has a spider that nobody passes
        self, request: Request, response: Response
    ) -> Request | Response:
        """Follow within the domain."""
        return _kept_in(request, response, super().process_response(request, response))
