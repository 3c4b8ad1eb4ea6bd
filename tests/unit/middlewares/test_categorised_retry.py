"""A second chance for each kind of failure."""

import asyncio
import json

import pytest
from scrapy import Request
from scrapy.exceptions import DownloadTimeoutError, IgnoreRequest
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.misc import build_from_crawler
from scrapy.utils.test import get_crawler

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.gate import AS_PROBE
from n8n_scraper.crawl.judgement import UnusableAnswer
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.crawl.scheduler import FAILED_AT, NOT_BEFORE
from n8n_scraper.middlewares.categorised_retry import CategorisedRetryMiddleware
from n8n_scraper.middlewares.throttle import SERVER_WAIT
from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.failure.retry_settings import RetrySettings
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.testing.clock import MovableClock
from tests.unit.scheduling import hear

SETTINGS = {
    "RATE_LIMIT_RATE": "2",
    "RATE_LIMIT_BURST": "5",
    "CIRCUIT_BREAKER_FAILURES": "10",
    "CIRCUIT_BREAKER_HOLD": "60",
    "CIRCUIT_BREAKER_HOLD_CAP": "900",
}
URL = "http://site.example/workflows/1"


class Chance:
    """The middleware with a crawler around it, called directly."""

    def __init__(self, **settings: object) -> None:
        self.crawler = get_crawler(settings_dict={**SETTINGS, **settings})
        self.crawler._apply_settings()
        self.middleware = build_from_crawler(CategorisedRetryMiddleware, self.crawler)
        self.paces = paces_of(self.crawler)
        self.paces.clock = MovableClock()

    def answered(self, request: Request, status: int, body: bytes = b"{}") -> object:
        response = TextResponse(request.url, status=status, body=body, request=request)
        return self.middleware.process_response(request, response)

    def wait_of(self, request: object) -> float:
        assert isinstance(request, Request)
        return request.meta[NOT_BEFORE] - self.paces.clock()


def request(**meta: object) -> Request:
    return Request(URL, meta={"expects": "json", **meta})


def test_a_failure_is_repeated_after_one_second_then_after_two_then_given_up() -> None:
    chance = Chance()

    second = chance.answered(request(), 500)
    third = chance.answered(second, 500)
    last = chance.answered(third, 500)

    assert chance.wait_of(second) == pytest.approx(1, rel=0.15)
    assert chance.wait_of(third) == pytest.approx(2, rel=0.15)
    assert isinstance(last, Response)
    assert chance.crawler.stats.get_value("retry/count/server_error") == 2
    assert chance.crawler.stats.get_value("retry/given_up/server_error") == 1


def test_success_after_a_repeat_is_counted_under_the_first_failure() -> None:
    chance = Chance()
    again = chance.answered(request(), 503)

    answer = chance.answered(again, 200)

    assert answer.status == 200
    assert chance.crawler.stats.get_value("retry/recovered/server_error") == 1


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_what_asking_again_does_not_change_goes_straight_to_the_spider(status: int) -> None:
    assert isinstance(Chance().answered(request(), status), Response)


@pytest.mark.parametrize(
    ("body", "category"),
    [
        (b"", Category.BAD_CONTENT),
        (b"<html>oops</html>", Category.BAD_CONTENT),
        (json.dumps({"a": ["x"] * 99}).encode()[:-20], Category.TRUNCATED),
    ],
)
def test_a_good_status_does_not_hide_a_bad_answer(body: bytes, category: Category) -> None:
    chance = Chance(RETRY_RULES={category: {"attempts": 1}})

    with pytest.raises(UnusableAnswer) as refused:
        chance.answered(request(), 200, body)

    assert refused.value.category is category


@pytest.mark.parametrize(
    ("heard", "said"), [({}, 1), ({"errback": print}, 0), ({"callback": NO_CALLBACK}, 0)]
)
def test_an_answer_that_is_refused_is_told_where_no_errback_hears_of_it(
    heard: dict[str, object], said: int, caplog: pytest.LogCaptureFixture
) -> None:
    chance = Chance(RETRY_RULES={Category.BAD_CONTENT: {"attempts": 1}})

    with pytest.raises(UnusableAnswer):
        chance.answered(request().replace(**heard), 200, b"<html>oops</html>")

    assert caplog.text.count("could not be had") == said


def test_a_wall_is_not_insisted_on() -> None:
    wall = (
        b"<html><head><title>Just a moment...</title></head><body>"
        b"<script src='/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1'></script>"
        b"</body></html>"
    )
    asked = request(expects="html")

    with pytest.raises(UnusableAnswer) as refused:
        Chance().middleware.process_response(asked, HtmlResponse(URL, body=wall, request=asked))

    assert refused.value.category is Category.BLOCKED


def test_the_servers_word_is_waited_for_and_costs_nothing() -> None:
    chance, asked = Chance(), request(**{SERVER_WAIT: 30.0, AS_PROBE: False})
    for _ in range(5):
        asked = chance.answered(asked, 429)
        asked.meta[SERVER_WAIT] = 30.0

    assert chance.wait_of(asked) == pytest.approx(31, abs=0.2)
    assert chance.crawler.stats.get_value("retry/parked/rate_limited") == 5
    assert chance.crawler.stats.get_value("retry/count/rate_limited") is None


def test_while_the_circuit_is_open_a_failure_costs_no_attempt() -> None:
    chance = Chance(CIRCUIT_BREAKER_FAILURES="1")
    asked = request()
    pace = chance.paces.of(asked)
    hear(chance.paces, pace, Category.SERVER_ERROR)

    for _ in range(5):
        asked = chance.answered(asked, 500)

    assert isinstance(asked, Request)
    assert chance.crawler.stats.get_value("retry/parked/server_error") == 5


def test_a_complaint_costs_an_attempt_once_the_site_has_answered_others_since() -> None:
    chance = Chance()
    asked = request(**{SERVER_WAIT: 0.0, AS_PROBE: False})
    asked = chance.answered(asked, 429)  # nobody knows yet whether it is meant for all

    for _ in range(3):
        chance.paces.clock.move(0.001)
        hear(chance.paces, chance.paces.of(request()), None)  # another was answered
        asked = chance.answered(asked, 429)

    assert isinstance(asked, Response)
    assert chance.crawler.stats.get_value("retry/parked/rate_limited") == 1
    assert chance.crawler.stats.get_value("retry/given_up/rate_limited") == 1


def test_what_others_wait_for_is_not_parked() -> None:
    chance, asked = Chance(), request(**{SERVER_WAIT: 0.0})  # a robots.txt, say

    for _ in range(3):
        asked = chance.answered(asked, 429)

    assert isinstance(asked, Response)


def test_with_a_circuit_that_opens_at_once_a_doomed_request_ends_all_the_same() -> None:
    chance = Chance(CIRCUIT_BREAKER_FAILURES="1")
    asked, repeats = request(), 0

    while isinstance(asked, Request) and repeats < 20:
        pace = chance.paces.of(asked)
        hear(chance.paces, pace, Category.SERVER_ERROR, failed_at=asked.meta.get(FAILED_AT))
        asked = chance.answered(asked, 500)
        asyncio.run(chance.paces.tell(pace, DomainState.closed))  # its witness answered
        chance.paces.clock.move(0.001)
        hear(chance.paces, pace, None)
        repeats += 1

    assert repeats == 4


def test_a_question_to_a_witness_is_asked_once() -> None:
    assert isinstance(Chance().answered(request(dont_retry=True), 500), Response)


def test_no_answer_is_repeated_and_a_refusal_of_our_own_is_not() -> None:
    chance = Chance()

    assert isinstance(
        chance.middleware.process_exception(request(), DownloadTimeoutError()), Request
    )
    assert chance.middleware.process_exception(request(), IgnoreRequest()) is None


@pytest.mark.parametrize(
    "rules", ['{"server_error": 3}', '{"colour": {}}', "{", '{"not_found": {"attempts": 2}}']
)
def test_rules_that_make_no_sense_are_named_in_one_line(rules: str) -> None:
    with pytest.raises(BadInput, match="RETRY_RULES"):
        RetrySettings.from_settings({"RETRY_RULES": rules})
