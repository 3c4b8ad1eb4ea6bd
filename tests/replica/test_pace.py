from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from n8n_scraper.testing.clock import MovableClock
from n8n_scraper.testing.replica.journal import most_in_window
from n8n_scraper.testing.replica.limiter import TokenBucket, penalty_seconds
from tests.replica.client import detail, get


def test_a_burst_passes_then_one_request_for_each_new_token():
    clock = MovableClock()
    bucket = TokenBucket(2.0, 5, clock)

    assert [bucket.allows() for _ in range(7)] == [True] * 5 + [False] * 2
    clock.move(0.5)
    assert [bucket.allows(), bucket.allows()] == [True, False]
    clock.move(60)
    assert [bucket.allows() for _ in range(6)] == [True] * 5 + [False]


def test_a_penalty_refuses_all_and_is_not_prolonged():
    clock = MovableClock()
    bucket = TokenBucket(2.0, 5, clock)
    bucket.close_for(10)

    clock.move(6)
    bucket.close_for(10)
    assert not bucket.allows()

    clock.move(4)
    assert bucket.allows()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("3", 3), ("0.5", 0.5), ("-4", 0), ("soon", 1), (None, 1)],
)
def test_a_penalty_lasts_as_long_as_retry_after_says(text, seconds):
    assert penalty_seconds(text) == seconds


def test_a_penalty_may_be_given_as_a_date():
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)

    assert 28 < penalty_seconds(date) <= 30


def test_the_server_enforces_a_rate_over_both_hosts(replica):
    replica.control(enforce_rate=1, enforce_burst=3, retry_after="7")
    paths = [detail(1), replica.truth(2).path, "/sitemap_index.xml", detail(4), "/robots.txt"]

    got = [get(replica.url, path) for path in paths]

    assert [answer.status for answer in got] == [200, 200, 200, 429, 429]
    assert got[-1].headers["Retry-After"] == "7"


def test_what_passed_is_exact_by_the_servers_own_log(replica):
    replica.control(enforce_rate=20, enforce_burst=4)

    for _ in range(120):
        get(replica.url, detail(1))

    log = replica.log()
    passed = [record["t"] for record in log if record["status"] == 200]
    for start, t in enumerate(passed):
        for count, later in enumerate(passed[start:], 1):
            # A hair of tolerance: the log is written before the bucket is asked.
            assert count <= 4 + 20 * (later - t + 0.005)
    assert replica.stats()["by_status"]["429"] == 120 - len(passed)


def test_the_refusal_may_be_a_503_with_words_nobody_understands(replica):
    replica.control(
        enforce_rate=0.1, enforce_burst=1, retry_after_status=503, retry_after="in a while"
    )

    statuses = [get(replica.url, detail(1)) for _ in range(2)]

    assert [answer.status for answer in statuses] == [200, 503]
    assert statuses[1].headers["Retry-After"] == "in a while"


def test_a_penalised_client_gets_nothing_else(replica):
    replica.control(enforce_rate=500, enforce_burst=1, penalise=True, retry_after="60")
    statuses = {get(replica.url, detail(1)).status for _ in range(200)}
    assert statuses == {200, 429}

    assert [get(replica.url, detail(1)).status for _ in range(5)] == [429] * 5


def test_controls_are_never_limited(replica):
    replica.control(enforce_rate=0.1, enforce_burst=1, outage="503")

    assert len([replica.stats() for _ in range(5)]) == 5
    assert replica.log() == []


def test_latency_is_waited_before_the_answer(replica):
    replica.control(latency_ms=80, latency_jitter_ms=10)
    get(replica.url, detail(1))

    record = replica.log()[-1]
    assert 0.08 <= record["ended"] - record["t"] < 0.5


@pytest.mark.parametrize(
    ("times", "most"),
    [
        ([], 0),
        ([1.0], 1),
        ([0.0, 0.5, 0.999], 3),
        ([0.0, 1.0, 2.0], 1),  # a window ends before its length is full
        ([0.0, 0.9, 1.0, 1.8], 3),
    ],
)
def test_the_fullest_second_is_found(times, most):
    assert most_in_window(times) == most
