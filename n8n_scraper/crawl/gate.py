"""Say when a domain's next request may leave, and wake the engine for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request, signals
from scrapy.exceptions import IgnoreRequest
from scrapy.utils.asyncio import CallLaterResult, call_later
from twisted.python.failure import Failure

from n8n_scraper.crawl.judgement import EXPECTS
from n8n_scraper.crawl.scrapy_internals import downloads_of, engines_alarm
from n8n_scraper.policies.pace.circuit import Mode

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler

    from n8n_scraper.crawl.pacing import Paces
    from n8n_scraper.policies.pace.pace import Pace


AS_PROBE = "as_probe"
"""Key of `Request.meta`: whether a scheduler let it out as the probe of an open circuit."""

PROBE = "probe"
"""Key of `Request.meta`: the name under which it has left as the probe of an open circuit."""

SENT_AT = "sent_at"
"""Key of `Request.meta`: when the request left, on the crawl's clock."""

NO_WITNESS = "no_witness"
"""Key of `Request.meta`: that it is answered says little of whether the rest of the site works."""


class Gate:
    """What every scheduler of ours asks before it gives out a request.

    A domain never has more requests at work than its download slot takes, and keeps the delay that
    AutoThrottle gives that slot: nothing ever queues behind the scheduler.
    """

    def __init__(self, paces: Paces, crawler: Crawler) -> None:
        self.paces = paces
        self.crawler = crawler
        self._wake_engine: Callable[[], object] = lambda: None
        self._alarm: CallLaterResult | None = None

    def open(self) -> None:
        """Find the way to tell the engine that something is due."""
        self._wake_engine = self.paces.on_news = engines_alarm(self.crawler)

    def close(self) -> None:
        """Cancel the alarm; the engine is told no more."""
        self.wake_in(None)
        self._wake_engine = self.paces.on_news = lambda: None

    def wait(self, pace: Pace, now: float, waiting: int = 1) -> float | None:
        """Seconds until one more of `waiting` requests may leave.

        None until something wakes the engine: one that is at work has ended, or the store of the
        paces has answered.
        """
        ahead = len(self.paces.on_their_way(pace))
        slot = downloads_of(self.crawler, pace.domain)
        if slot is not None and len(slot.active) >= slot.concurrency:
            return None
        wait = self.paces.wait(pace, ahead=ahead, waiting=waiting)
        if slot is None or wait is None:
            return wait
        return max(wait, max(slot.lastseen + slot.delay - now, 0.0) + ahead * slot.delay)

    def let_out(self, pace: Pace, waiting: Callable[[], Request]) -> Request:
        """Let out the request that waits, or the question to a witness that has to come first."""
        if question := question_to_witness(pace, self.paces, self.crawler):
            return question
        request = waiting()
        request.meta[AS_PROBE] = pace.circuit.mode is not Mode.CLOSED
        self.paces.on_their_way(pace).add(request)
        return request

    def wake_in(self, seconds: float | None) -> None:
        """Set the alarm, in place of any earlier one."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if seconds is not None:
            self._alarm = call_later(max(seconds, 0.0), self._wake_engine)


def question_to_witness(pace: Pace, paces: Paces, crawler: Crawler) -> Request | None:
    """Let out the question to the witness of a circuit that is not closed; None without one.

    Whoever keeps an eye on all that is scheduled, such as a budget, may refuse it: then there is
    no witness any more.
    """
    if (witness := pace.witness) is None:
        return None
    question = Request(
        witness.url,
        callback=_no_answer_needed,
        errback=_no_answer_needed,
        meta={
            AS_PROBE: True,
            EXPECTS: witness.expects,
            "dont_cache": True,
            "dont_redirect": True,
            "dont_retry": True,
            "handle_httpstatus_all": True,
        },
        dont_filter=True,
    )
    if _is_refused(question, crawler):
        pace.give_up_witness()
        return None
    paces.on_their_way(pace).add(question)
    return question


def is_question(request: Request) -> bool:
    """Whether it asks a witness."""
    return request.callback is _no_answer_needed


def _is_refused(request: Request, crawler: Crawler) -> bool:
    heard = crawler.signals.send_catch_log(
        signals.request_scheduled,
        request=request,
        spider=crawler.spider,
        dont_log=IgnoreRequest,
    )
    return any(
        isinstance(answer, Failure) and isinstance(answer.value, IgnoreRequest)
        for _, answer in heard
    )


def _no_answer_needed(_: object) -> None:
    """The circuit has heard it; there is nothing to read."""
