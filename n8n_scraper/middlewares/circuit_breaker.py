"""Leave a failing domain alone: tell its circuit how every attempt ended."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.utils.httpobj import urlparse_cached

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.signals import circuit_closed, circuit_opened
from n8n_scraper.crawl.gate import AS_PROBE, NO_WITNESS, SENT_AT
from n8n_scraper.crawl.judgement import EXPECTS, judge
from n8n_scraper.crawl.pacing import Paces, paces_of
from n8n_scraper.crawl.scheduler import FAILED_AT
from n8n_scraper.policies.failure.category import Category, answered, classify

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class CircuitBreakerMiddleware:
    """Count what speaks of a domain's health, attempt by attempt.

    It refuses nothing: while a circuit is open its domain's requests stay in the waiting room, and
    no work fails because of it.

    Settings: `CIRCUIT_BREAKER_FAILURES`, `CIRCUIT_BREAKER_HOLD`.
    Stats: `circuit_breaker/<domain>/opened`.
    """

    def __init__(self, paces: Paces, crawler: Crawler) -> None:
        self.paces = paces
        self.crawler = crawler
        self._failing_since: dict[str, str] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Share the paces of this crawl."""
        return cls(paces_of(crawler), crawler)

    def process_response(self, request: Request, response: Response) -> Response:
        """Hear an answer."""
        if "cached" not in response.flags:
            category = judge(request, response)
            self._record(request, category, f"status {response.status}")
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Hear that there was none."""
        if not isinstance(exception, IgnoreRequest):  # nothing was asked
            self._record(request, classify(exception=exception), type(exception).__name__)

    def _record(self, request: Request, category: Category | None, what: str) -> None:
        pace, now = self.paces.of(request), self.paces.clock()
        was_left_alone = pace.circuit.leaves_alone
        # The first of them may have been met by an earlier crawl, which knows its own time only.
        if not pace.circuit.failures or pace.domain not in self._failing_since:
            self._failing_since[pace.domain] = utc_now()
        evidence, host = f"{what} from {request.url}", urlparse_cached(request).netloc
        if _speaks_for_others(request) and answered(category):
            pace.circuit.witnesses.note(host, request.url, request.meta.get(EXPECTS, "any"))
        opened = pace.record(
            now,
            category,
            evidence,
            sent_at=request.meta.get(SENT_AT),
            failed_at=request.meta.get(FAILED_AT),
            host=host,
        )
        if opened:
            self._opened(pace.domain, pace.circuit.wait(now), evidence)
        elif was_left_alone and not pace.circuit.leaves_alone:
            logger.info("%s answers again", pace.domain)
            self.crawler.signals.send_catch_log(circuit_closed, domain=pace.domain)

    def _opened(self, domain: str, seconds: float, evidence: str) -> None:
        logger.warning("%s is left alone for %g s after %s", domain, seconds, evidence)
        self.crawler.stats.inc_value(f"circuit_breaker/{domain}/opened")
        self.crawler.signals.send_catch_log(
            circuit_opened, domain=domain, since=self._failing_since[domain]
        )


def _speaks_for_others(request: Request) -> bool:
    """Whether its answer lets one expect others: it was let out like them, and is no list."""
    return AS_PROBE in request.meta and NO_WITNESS not in request.meta
