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
from n8n_scraper.crawl.gate import AS_PROBE, NO_WITNESS, PROBE, SENT_AT
from n8n_scraper.crawl.judgement import EXPECTS, judge
from n8n_scraper.crawl.pacing import Paces, paces_of
from n8n_scraper.crawl.scheduler import FAILED_AT
from n8n_scraper.policies.failure.category import Category, answered, classify

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from n8n_scraper.policies.pace.domain_state import DomainState
    from n8n_scraper.policies.pace.pace import Pace

logger = logging.getLogger(__name__)

_ANSWERS = "%s answers again"
_CLOSED = "%s may be asked again"
_RESET = f"{_CLOSED}: its circuit was reset by hand"


class CircuitBreakerMiddleware:
    """Count what speaks of a domain's health, attempt by attempt, and say when its circuit changes.

    It refuses nothing: while a circuit is open its domain's requests stay in the waiting room, and
    no work fails because of it.

    Settings: `CIRCUIT_BREAKER_FAILURES`, `CIRCUIT_BREAKER_HOLD`.
    Stats: `circuit_breaker/<domain>/opened`.
    """

    def __init__(self, paces: Paces, crawler: Crawler) -> None:
        self.paces = paces
        self.crawler = crawler
        self._failing_since: dict[str, str] = {}
        paces.on_change = self.changed

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Share the paces of this crawl."""
        return cls(paces_of(crawler), crawler)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Hear an answer."""
        if "cached" not in response.flags:
            category = judge(request, response)
            await self._record(request, category, f"status {response.status}")
        return response

    async def process_exception(self, request: Request, exception: Exception) -> None:
        """Hear that there was none."""
        if not isinstance(exception, IgnoreRequest):  # nothing was asked
            await self._record(request, classify(exception=exception), type(exception).__name__)

    def changed(self, pace: Pace, before: DomainState) -> None:
        """Say when a domain is left alone and when no more, whoever has found it out."""
        was, state = before.circuit, pace.state
        assert state is not None
        if state.circuit.leaves_alone and state.circuit.opened_at != was.opened_at:
            self._opened(pace)
        elif was.leaves_alone and not state.circuit.leaves_alone:
            ended = _RESET if state.reset_at != before.reset_at else _CLOSED
            logger.info(_ANSWERS if was.probe else ended, pace.domain)
            self.crawler.signals.send_catch_log(circuit_closed, domain=pace.domain)

    async def _record(self, request: Request, category: Category | None, what: str) -> None:
        pace, now = self.paces.of(request), self.paces.clock()
        # The first of them may have been met by an earlier crawl, which knows its own time only.
        if not pace.circuit.failures or pace.domain not in self._failing_since:
            self._failing_since[pace.domain] = utc_now()
        host = urlparse_cached(request).netloc
        if _speaks_for_others(request) and answered(category):
            pace.witnesses.note(host, request.url, request.meta.get(EXPECTS, "any"))
        step = pace.result(
            now,
            category,
            f"{what} from {request.url}",
            sent_at=request.meta.get(SENT_AT),
            failed_at=request.meta.get(FAILED_AT),
            host=host,
            probe=request.meta.get(PROBE, ""),
        )
        if step is not None:
            is_complaint = category is Category.RATE_LIMITED
            await self.paces.tell(pace, step, as_complaint=is_complaint)

    def _opened(self, pace: Pace) -> None:
        domain, circuit = pace.domain, pace.circuit
        seconds = round(pace.left_alone_for(self.paces.clock()), 1)
        logger.warning("%s is left alone for %g s after %s", domain, seconds, circuit.tripped_by)
        self.crawler.stats.inc_value(f"circuit_breaker/{domain}/opened")
        since = self._failing_since.setdefault(domain, utc_now())
        self.crawler.signals.send_catch_log(circuit_opened, domain=domain, since=since)


def _speaks_for_others(request: Request) -> bool:
    """Whether its answer lets one expect others: it was let out like them, and is no list."""
    return AS_PROBE in request.meta and NO_WITNESS not in request.meta
