"""What a domain's circuit hears of every attempt."""

import asyncio
from dataclasses import replace

import pytest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadConnectionRefusedError
from scrapy.http import TextResponse
from scrapy.utils.misc import build_from_crawler
from scrapy.utils.test import get_crawler

from n8n_scraper.core.signals import circuit_closed, circuit_opened
from n8n_scraper.crawl.gate import AS_PROBE
from n8n_scraper.crawl.judgement import EXPECTS
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.middlewares.circuit_breaker import CircuitBreakerMiddleware
from n8n_scraper.policies.pace.pace_store import MemoryPaceStore
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
    asyncio.run(middleware.process_exception(Request("http://site.example/"), error))


def told_of(crawler: Crawler, signal: object) -> list[dict[str, str]]:
    """What is said with a signal, from now on."""
    told: list[dict[str, str]] = []

    def hear(**said: str) -> None:
        told.append({name: said[name] for name in ("domain", "since") if name in said})

    crawler.signals.connect(hear, signal, weak=False)
    return told


def test_failures_that_another_crawl_has_met_count_and_their_time_is_ours() -> None:
    # Given a crawl that shares its pace with one which has met nine failures
    store = MemoryPaceStore()
    other, before = crawl()
    later, middleware = crawl()
    for crawler in (other, later):
        paces_of(crawler).share(store)
    for _ in range(9):
        fail(before)
    told = told_of(later, circuit_opened)

    # When the site fails once more
    fail(middleware)

    # Then its circuit opens, and it is said since when
    assert [one["domain"] for one in told] == ["site.example"]
    assert told[0]["since"]


def test_what_another_crawl_finds_out_is_said_by_all(caplog: pytest.LogCaptureFixture) -> None:
    # Given two crawls that share their pace
    caplog.set_level("INFO")
    store = MemoryPaceStore()
    (one, middleware), (other, _) = crawl(), crawl()
    for crawler in (one, other):
        paces_of(crawler).share(store)
    opened, closed = told_of(other, circuit_opened), told_of(other, circuit_closed)
    theirs = paces_of(other).of_domain("site.example")
    look = lambda: asyncio.run(paces_of(other).tell(theirs, lambda state, _: state))  # noqa: E731

    # When the one has the site left alone, and somebody resets it
    for _ in range(10):
        fail(middleware)
    look()
    store.change("site.example", lambda state, now: replace(state.closed(now), reset_at="now"))
    look()

    # Then the other says both
    assert (len(opened), len(closed)) == (1, 1)
    assert "site.example is left alone for 60 s after DownloadConnectionRefused" in caplog.text
    assert "may be asked again: its circuit was reset by hand" in caplog.text


def test_a_witness_is_remembered_with_what_its_answer_has_to_be() -> None:
    crawler, middleware = crawl()
    asked = Request("http://site.example/7", meta={AS_PROBE: False, EXPECTS: "json"})

    asyncio.run(middleware.process_response(asked, TextResponse(asked.url, body=b"{}")))

    witnesses = paces_of(crawler).of(asked).witnesses
    assert witnesses.of("site.example") == Witness(asked.url, "json")
