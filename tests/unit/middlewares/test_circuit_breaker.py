"""What a domain's circuit hears of every attempt."""

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadConnectionRefusedError
from scrapy.http import TextResponse
from scrapy.utils.misc import build_from_crawler
from scrapy.utils.test import get_crawler

from n8n_scraper.core.signals import circuit_opened
from n8n_scraper.crawl.gate import AS_PROBE
from n8n_scraper.crawl.judgement import EXPECTS
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.middlewares.circuit_breaker import CircuitBreakerMiddleware
from n8n_scraper.policies.pace.witnesses import Witness

SETTINGS = {
    "RATE_LIMIT_RATE": "0",
    "RATE_LIMIT_BURST": "5",
    "CIRCUIT_BREAKER_FAILURES": "10",
    "CIRCUIT_BREAKER_HOLD": "60",
    "CIRCUIT_BREAKER_HOLD_CAP": "900",
}


def crawl() -> tuple[Crawler, CircuitBreakerMiddleware]:
    crawler = get_crawler(settings_dict=SETTINGS)
    crawler._apply_settings()
    return crawler, build_from_crawler(CircuitBreakerMiddleware, crawler)


def fail(middleware: CircuitBreakerMiddleware) -> None:
    error = DownloadConnectionRefusedError("refused")
    middleware.process_exception(Request("http://site.example/"), error)


def test_failures_that_an_earlier_crawl_has_met_count_and_their_time_is_ours() -> None:
    # Given a crawl that begins with nine failures of the one before
    earlier, before = crawl()
    for _ in range(9):
        fail(before)
    later, middleware = crawl()
    paces_of(later).remember(paces_of(earlier).states())
    told: list[str] = []

    def hear(domain: str, since: str) -> None:
        told.append(since)

    later.signals.connect(hear, circuit_opened)

    # When the site fails once more
    fail(middleware)

    # Then its circuit opens, and it is said since when
    assert len(told) == 1
    assert told[0]


def test_a_witness_is_remembered_with_what_its_answer_has_to_be() -> None:
    crawler, middleware = crawl()
    asked = Request("http://site.example/7", meta={AS_PROBE: False, EXPECTS: "json"})

    middleware.process_response(asked, TextResponse(asked.url, body=b"{}"))

    witnesses = paces_of(crawler).of(asked).circuit.witnesses
    assert witnesses.of("site.example") == Witness(asked.url, "json")
