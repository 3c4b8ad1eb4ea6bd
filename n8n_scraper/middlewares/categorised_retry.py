"""Give each kind of failure its own second chance."""

from __future__ import annotations

import logging
import random
from typing import TYPE_CHECKING, Self

from scrapy import Request
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from n8n_scraper.core.errors import ToolFailed
from n8n_scraper.crawl.gate import AS_PROBE
from n8n_scraper.crawl.judgement import UnusableAnswer, judge
from n8n_scraper.crawl.pacing import Paces, paces_of
from n8n_scraper.crawl.scheduler import FAILED_AT, NOT_BEFORE
from n8n_scraper.middlewares.throttle import SERVER_WAIT
from n8n_scraper.policies.failure.category import Category, classify, speaks_of_health
from n8n_scraper.policies.failure.retry import RetryDecision, RetryTable
from n8n_scraper.policies.failure.retry_settings import RetrySettings

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

RETRY_TIMES = "retry_times"
"""Key of `Request.meta`: how often the request was repeated, Scrapy's own name for it."""

BURNT = "burnt_attempts"
"""Key of `Request.meta`: how many of those repeats cost an attempt."""


class CategorisedRetryMiddleware:
    """Repeat what may succeed the next time, when its time has come.

    A repeat is an ordinary request with a time before which the waiting room does not let it out,
    so waiting blocks nothing and a stop loses nothing. A request that the server's word or an open
    circuit held back keeps its attempts, unless the site has answered others since it last failed:
    then the failure is its own, and it ends by its attempts.

    Settings: `RETRY_RULES`. Stats: `retry/count/<category>`, `retry/recovered/<category>`,
    `retry/given_up/<category>`, `retry/parked/<category>`.
    """

    def __init__(self, table: RetryTable, paces: Paces, crawler: Crawler) -> None:
        self.table = table
        self.paces = paces
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Read the table of rules."""
        return cls(RetrySettings.from_settings(crawler.settings).rules, paces_of(crawler), crawler)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """Repeat a failure that has a chance left; refuse one that hides behind a good status."""
        category = judge(request, response)
        if category is None:
            self._note_recovery(request)
            return response
        if again := self._again(request, category, request.meta.get(SERVER_WAIT)):
            return again
        if response.status < 400:
            raise self._refusal(category, request, response)
        return response

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Repeat a request that had no answer."""
        category = classify(exception=exception) or Category.UNKNOWN
        if isinstance(exception, ToolFailed):
            # Sooner it would only hear that it rests.
            if exception.for_good:
                return None
            return self._again(request, category, exception.wait_seconds)
        if not speaks_of_health(category):
            return None  # our own refusals and errors: asking the site again is no remedy
        return self._again(request, category, None)

    def _refusal(self, category: Category, request: Request, response: Response) -> UnusableAnswer:
        """Refuse an answer, aloud where no errback would hear of it and Scrapy says nothing."""
        refusal = UnusableAnswer(category, request, response)
        if request.errback is None and request.callback is not NO_CALLBACK:
            logger.error("%s could not be had: %s", request.url, refusal)
        return refusal

    def _again(
        self, request: Request, category: Category, server_wait: float | None
    ) -> Request | None:
        if request.meta.get("dont_retry"):
            return None
        burnt, repeats = request.meta.get(BURNT, 0), request.meta.get(RETRY_TIMES, 0)
        pace, failed_at = self.paces.of(request), request.meta.get(FAILED_AT)
        decision = self.table.decide(
            category, burnt + 1, random=random.random, server_wait=server_wait,
            parked=repeats - burnt,
            # Others wait for what did not come out of the waiting room: it ends by its attempts.
            may_park=AS_PROBE in request.meta and not pace.alive_since(failed_at),
        )  # fmt: skip
        if speaks_of_health(category) and pace.is_to_blame(failed_at):
            decision = RetryDecision(decision.again_after or 0.0, burns_attempt=False)
        if decision.again_after is None:
            self._count("given_up", category)
            logger.info("Gave up %s at attempt %d: %s", request.url, repeats + 1, category)
            return None
        self._count("count" if decision.burns_attempt else "parked", category)
        logger.debug("Again in %.1f s: %s (%s)", decision.again_after, request.url, category)
        return self._repeat(request, category, decision)

    def _repeat(self, request: Request, category: Category, decision: RetryDecision) -> Request:
        now = self.paces.clock()
        again = request.copy()
        again.dont_filter = True
        again.meta[RETRY_TIMES] = request.meta.get(RETRY_TIMES, 0) + 1
        again.meta[BURNT] = request.meta.get(BURNT, 0) + decision.burns_attempt
        again.meta[NOT_BEFORE] = now + (decision.again_after or 0.0)
        again.meta["first_failure"] = str(category)
        if speaks_of_health(category):
            again.meta[FAILED_AT] = now
        return again

    def _note_recovery(self, request: Request) -> None:
        if first := request.meta.get("first_failure"):
            self._count("recovered", first)

    def _count(self, what: str, category: str) -> None:
        self.crawler.stats.inc_value(f"retry/{what}/{category}")
