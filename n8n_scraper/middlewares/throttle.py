"""Let each domain's requests out at its pace, and hear its server's word."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Self

from scrapy import Request, signals
from scrapy.http import Response

from n8n_scraper.crawl.gate import AS_PROBE, PROBE, SENT_AT, is_question, question_to_witness
from n8n_scraper.crawl.pacing import Paces, paces_of
from n8n_scraper.crawl.scheduler import NOT_BEFORE, WAITING_SINCE
from n8n_scraper.crawl.stopping import Stopped, is_stopping
from n8n_scraper.policies.pace.circuit import Mode
from n8n_scraper.policies.pace.pace_settings import PaceSettings
from n8n_scraper.policies.pace.server_word import retry_after

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.robotstxt import RobotParser
    from scrapy.spiders import Spider

    from n8n_scraper.policies.pace.pace import Pace

logger = logging.getLogger(__name__)

SERVER_WAIT = "server_wait"
"""Key of `Request.meta`: the seconds that the server asked us to stay away."""

_WITH_A_WORD = (429, 503)
# A stop, or the answer to a circuit's probe, can end a wait early: who sleeps looks up in between.
_LONGEST_SLEEP = 1.0
_NOTICED = 0.01


class ThrottleMiddleware:
    """Take a token for every request at the last moment before it leaves.

    For those that the scheduler gave out there is one. Those that pass it by (robots.txt, pictures,
    requests awaited in a callback, the repeats of all these) wait here. None of them is the probe
    of a site in doubt, unless there is no witness to ask.

    `Retry-After` on 429 and 503, and `Crawl-delay` of robots.txt, hold for the whole domain.

    Settings: `RATE_LIMIT_RATE`, `RATE_LIMIT_BURST`, `RATE_LIMITS`, `RETRY_AFTER_CAP`.
    Stats: `rate_limit/<domain>/requests`, `…/waits`, `…/total_wait`, `…/mean_wait`, `…/rate`,
    `…/retry_after`.
    """

    def __init__(self, paces: Paces, crawler: Crawler) -> None:
        self.paces = paces
        self.crawler = crawler
        self.cap_seconds = PaceSettings.from_settings(crawler.settings).retry_after_cap_seconds

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Share the paces of this crawl."""
        middleware = cls(paces_of(crawler), crawler)
        crawler.signals.connect(middleware.robots_parsed, signals.robots_parsed)
        crawler.signals.connect(middleware.spider_closed, signals.spider_closed)
        return middleware

    async def process_request(self, request: Request) -> Request | None:
        """Take a token, and wait for it where there is none.

        Whoever was let out before its circuit opened goes back: only the probe may leave now.
        """
        pace = self.paces.of(request)
        # Hosts that share a bucket share a slot, and with it AutoThrottle's delay.
        request.meta["download_slot"] = pace.domain
        ready = request.meta.get(WAITING_SINCE, self.paces.clock())
        while not self._leaves(request, pace, ready):
            if _is_too_late(request, pace):
                self._forget(request)
                request.dont_filter = True  # it is no second one
                return request
            if is_stopping(self.crawler):
                raise Stopped
            await self._turn(request, pace)
        self._forget(request)
        return None

    def _leaves(self, request: Request, pace: Pace, ready: float) -> bool:
        now = self.paces.clock()
        if _is_too_late(request, pace) or now < request.meta.get(NOT_BEFORE, now):
            return False
        waited, as_probe = _noticeable(now - ready), bool(request.meta.get(AS_PROBE))
        if not pace.take(now, waited_seconds=waited, as_probe=as_probe):
            return False
        request.meta[SENT_AT], request.meta[PROBE] = now, pace.probe
        return True

    async def _turn(self, request: Request, pace: Pace) -> None:
        """Wait a while, or ask the witness that has to come first.

        Where all that is left to do has passed the scheduler by, nobody else would ask it.
        """
        now = self.paces.clock()
        wait = request.meta.get(NOT_BEFORE, now) - now
        if wait <= 0:
            wait = self.paces.wait(pace)
        if wait is None:
            await self.paces.news(_LONGEST_SLEEP)
        elif wait <= 0 and pace.witness and not request.meta.get(AS_PROBE):
            await self._ask_witness(pace)
        else:
            await self.paces.news(min(wait, _LONGEST_SLEEP))

    async def _ask_witness(self, pace: Pace) -> None:
        """Hear a witness; the circuit draws the conclusion, be there an answer or not."""
        assert self.crawler.engine is not None
        if any(map(is_question, self.paces.on_their_way(pace))):
            await self.paces.news(_LONGEST_SLEEP)
        elif question := question_to_witness(pace, self.paces, self.crawler):
            try:
                await self.crawler.engine.download_async(question)
            except Exception as error:  # noqa: BLE001 - whatever it is, there is no answer
                logger.debug("No answer to %s: %s", question, error)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Hear how long the server wants to be left alone, and let everybody know."""
        self._forget(request)
        request.meta.pop(SERVER_WAIT, None)
        if response.status in _WITH_A_WORD:
            word = response.headers.get("Retry-After")
            text = word.decode("latin-1") if word else None
            seconds = retry_after(text, now_wall=time.time(), cap=self.cap_seconds)
            if seconds is not None:
                request.meta[SERVER_WAIT] = seconds
                pace = self.paces.of(request)
                await self.paces.tell(pace, pace.retry_after(seconds), as_complaint=True)
                self.crawler.stats.inc_value(f"rate_limit/{pace.domain}/retry_after")
                logger.info(
                    "%s asks to be left alone for %g s (status %d)",
                    *(pace.domain, seconds, response.status),
                )
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Expect no longer one that never got as far as its token: robots.txt may forbid it."""
        self._forget(request)

    def robots_parsed(self, robotparser: RobotParser, request: Request) -> None:
        """Keep the distance that robots.txt asks for."""
        agent = self.crawler.settings["ROBOTSTXT_USER_AGENT"] or self.crawler.settings["USER_AGENT"]
        if seconds := robotparser.crawl_delay(agent):
            pace = self.paces.of(request)
            pace.crawl_delay(float(seconds))
            logger.info("robots.txt of %s asks for %g s between requests", pace.domain, seconds)

    def _forget(self, request: Request) -> None:
        self.paces.on_their_way(self.paces.of(request)).discard(request)

    def spider_closed(self, spider: Spider) -> None:
        """Say for each domain what its pace cost."""
        for pace in self.paces.all():
            stats = pace.stats
            for name, value in (
                ("requests", stats.requests),
                ("waits", stats.waits),
                ("total_wait", round(stats.total_wait, 3)),
                ("mean_wait", round(stats.mean, 3)),
                ("rate", round(pace.rate, 3)),
            ):
                self.crawler.stats.set_value(f"rate_limit/{pace.domain}/{name}", value)


def _is_too_late(request: Request, pace: Pace) -> bool:
    """Whether its circuit has opened since a scheduler let it out."""
    return request.meta.get(AS_PROBE) is False and pace.circuit.mode is not Mode.CLOSED


def _noticeable(seconds: float) -> float:
    """What the way through the engine takes is no waiting."""
    return seconds if seconds >= _NOTICED else 0.0
