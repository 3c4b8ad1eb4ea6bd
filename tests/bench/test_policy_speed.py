"""Policies must never be what a crawl waits for: a hundred thousand decisions a second each."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from time import process_time

import pytest

from n8n_scraper.policies.failure.body import body_facts
from n8n_scraper.policies.failure.category import Category, classify
from n8n_scraper.policies.failure.retry import RetryTable
from n8n_scraper.policies.pace.domain_state import DomainState, Rules, Wish
from n8n_scraper.policies.pace.pace import Pace
from n8n_scraper.policies.pace.pace_store import MemoryPaceStore
from n8n_scraper.policies.pace.token_bucket import BucketLimits, Tempo
from n8n_scraper.testing.clock import MovableClock

# A hundred thousand a second on an idle machine; the suite runs on a busy one, and is measured.
LEAST = [
    pytest.param(20_000, 5_000, id="suite"),
    pytest.param(100_000, 100_000, id="bench", marks=pytest.mark.long),
]

STATUSES = [200, 301, 404, 429, 503, 520]
EXCEPTIONS = [TimeoutError(), ConnectionResetError(), ValueError(), OSError(101, "unreachable")]


def bucket_decisions(many: int) -> None:
    state = DomainState()
    wish = Wish(1, Tempo.of(BucketLimits(2.0, 5)), 0)
    for number in range(many):
        state, _ = state.reserved(number * 0.1, wish)


def status_classifications(many: int) -> None:
    for number in range(many):
        classify(status=STATUSES[number % 6])


def exception_classifications(many: int) -> None:
    for number in range(many):
        classify(exception=EXCEPTIONS[number % 4])


def retry_decisions(many: int) -> None:
    table = RetryTable()
    for number in range(many):
        table.decide(Category.TIMEOUT, 1 + number % 3, random=lambda: 0.5)


def rate_of(work: Callable[[int], None], many: int) -> float:
    """Take the best of five, so that a busy machine does not speak for the code."""
    seconds = []
    for _ in range(5):
        began = process_time()
        work(many)
        seconds.append(process_time() - began)
    return many / min(seconds)


def show(capsys: pytest.CaptureFixture[str], sentence: str) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{sentence}")


@pytest.mark.parametrize(("least", "many"), LEAST)
@pytest.mark.parametrize(
    "work",
    [
        bucket_decisions,
        status_classifications,
        exception_classifications,
        retry_decisions,
    ],
    ids=lambda work: work.__name__,
)
def test_so_many_decisions_are_taken_in_a_second(
    work: Callable[[int], None], least: int, many: int, capsys: pytest.CaptureFixture[str]
) -> None:
    per_second = rate_of(work, many)

    show(capsys, f"{work.__name__}: {per_second:,.0f} per second")
    assert per_second >= least


@pytest.mark.parametrize("rate", [0, 1_000_000.0])
@pytest.mark.parametrize(("least", "many"), LEAST)
def test_a_whole_round_of_pace_costs_a_few_of_them(
    least: int, many: int, rate: float, capsys: pytest.CaptureFixture[str]
) -> None:
    def rounds(many: int) -> None:
        clock = MovableClock(0.0)
        store = MemoryPaceStore(clock)
        pace = Pace("n8n.io", Rules(BucketLimits(rate, 5)))
        for number in range(many):
            now = clock.now = float(number)
            while question := pace.ask(now):
                pace.hear(question(store), asked_at=now, heard_at=now)
            pace.wait(now)
            pace.take(now)
            pace.result(now, None, sent_at=now)

    per_second = rate_of(rounds, many)

    show(capsys, f"ask, wait, take and hear at {rate:,.0f}/s: {per_second:,.0f} rounds per second")
    assert per_second >= least / 5


def test_stating_the_facts_of_a_template_costs_little_more_than_parsing_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    node = {"id": "x", "name": "HTTP", "position": [1, 2], "parameters": {"url": "https://a.b"}}
    body = json.dumps({"nodes": [node] * 150}).encode()
    headers = {"content-type": "application/json", "content-length": str(len(body))}

    def parsing(many: int) -> None:
        for _ in range(many):
            json.loads(body)

    def stating(many: int) -> None:
        for _ in range(many):
            body_facts(body, headers, expects="json")

    parsed, stated = rate_of(parsing, 500), rate_of(stating, 500)

    show(capsys, f"{len(body):,} bytes of JSON: {stated:,.0f} facts, {parsed:,.0f} parses a second")
    assert stated > parsed / 2
