"""Give each kind of failure its own second chance."""

from __future__ import annotations

import logging
import random
from typing import TYPE_CHECKING, Self

from scrapy import Request
from scrapy.http import Response

from n8n_scraper.errors import BadInput
from n8n_scraper.judgement import UnusableAnswer, judge
from n8n_scraper.middlewares.throttle import SERVER_WAIT
from n8n_scraper.pacing import Paces, paces_of
from n8n_scraper.policies.circuit import Mode
from n8n_scraper.policies.failure import Category, classify, speaks_of_health
from n8n_scraper.policies.retry import RetryTable
from n8n_scraper.scheduler import NOT_BEFORE

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

RETRY_TIMES = "retry_times"
"""Key of `Request.meta`: how often the request was repeated, Scrapy's own name for it."""

BURNT = "burnt_attempts"
"""Key of `Request.meta`: how many of those repeats cost an attempt."""


class CategorisedRetryMiddleware:
    """Repeat what may succeed the next time, when its time has come.

    A repeat is an ordinary request with a time before which the waiting room does not let it out,
    so waiting blocks nothing and a stop loses nothing. A request that the server's word or an open
    circuit held back keeps its attempts.

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
        return cls(read_rules(crawler.settings), paces_of(crawler), crawler)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """Repeat a failure that has a chance left; refuse one that hides behind a good status."""
        category = judge(request, response)
        if category is None:
            self._note_recovery(request)
            return response
        if again := self._again(request, category, request.meta.get(SERVER_WAIT)):
            return again
        if response.status < 400:
            raise UnusableAnswer(category, request, response)
        return response

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Repeat a request that had no answer."""
        category = classify(exception=exception) or Category.UNKNOWN
        if not speaks_of_health(category):
            return None  # our own refusals and errors: asking the site again is no remedy
        return self._again(request, category, None)

    def _again(
        self, request: Request, category: Category, server_wait: float | None
    ) -> Request | None:
        burnt = request.meta.get(BURNT, 0)
        repeats = request.meta.get(RETRY_TIMES, 0)
        decision = self.table.decide(
            category, burnt + 1, random=random.random, server_wait=server_wait,
            parked=repeats - burnt,
        )  # fmt: skip
        burns = decision.burns_attempt
        wait = decision.again_after
        if self._is_the_sites_illness(request, category):
            burns, wait = False, wait or 0.0
        if wait is None:
            self._count("given_up", category)
            logger.info("Gave up %s at attempt %d: %s", request.url, repeats + 1, category)
            return None
        again = request.copy()
        again.dont_filter = True
        again.meta[RETRY_TIMES] = repeats + 1
        again.meta[BURNT] = burnt + burns
        again.meta[NOT_BEFORE] = self.paces.clock() + wait
        again.meta["first_failure"] = str(category)
        self._count("count" if burns else "parked", category)
        logger.debug("Again in %.1f s: %s (%s)", wait, request.url, category)
        return again

    def _is_the_sites_illness(self, request: Request, category: Category) -> bool:
        """Whether the circuit is to blame: the one that tripped it, and every probe after."""
        return speaks_of_health(category) and (
            self.paces.of(request).circuit.mode is not Mode.CLOSED
        )

    def _note_recovery(self, request: Request) -> None:
        if first := request.meta.get("first_failure"):
            self._count("recovered", first)

    def _count(self, what: str, category: str) -> None:
        self.crawler.stats.inc_value(f"retry/{what}/{category}")


def read_rules(settings: BaseSettings) -> RetryTable:
    """Turn `RETRY_RULES` into a table, or say in one line what is wrong with it."""
    try:
        return RetryTable.from_mapping(settings.getdict("RETRY_RULES"))
    except (ValueError, TypeError) as error:
        words = str(error)
        raise BadInput(words if "RETRY_RULES" in words else f"RETRY_RULES: {words}") from None
