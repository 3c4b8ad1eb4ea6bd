"""Finding out how fast a server lets us go."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.pace.learned_rate import LearnedRate
from n8n_scraper.policies.pace.pace import Pace
from n8n_scraper.policies.pace.token_bucket import BucketLimits

TRIP_SECONDS = 0.002


@dataclass
class Told:
    """What a crawl of a limited server cost."""

    seconds: float
    complaints: int
    too_early: int
    rate: float


def crawl(
    pages: int, *, told: float, rate: float, burst: int, retry_after: float, told_burst: int = 5
) -> Told:
    """Get pages from a server that enforces a limit which we were not told."""
    pace = Pace("site.example", BucketLimits(told, told_burst))
    now, tokens, last, closed_until, got, complaints, too_early = (
        0.0,
        float(burst),
        0.0,
        -1.0,
        0,
        0,
        0,
    )
    while got < pages:
        if wait := pace.wait(now):
            now += wait
            continue
        assert pace.take(now)
        too_early += now < closed_until - 1e-9
        tokens, last = min(burst, tokens + (now - last) * rate), now
        heard = now + TRIP_SECONDS
        if tokens >= 1:
            tokens, got = tokens - 1, got + 1
            pace.record(heard, None, sent_at=now)
        else:
            complaints, closed_until = complaints + 1, now + retry_after
            pace.heard_retry_after(heard, retry_after)
            pace.record(heard, Category.RATE_LIMITED, sent_at=now)
        now = heard
    return Told(now, complaints, too_early, pace.bucket.rate)


def test_a_server_ten_times_stricter_costs_less_than_half_again_of_the_ideal_time() -> None:
    told = crawl(100, told=50, rate=5, burst=5, retry_after=2)

    assert told.seconds < 1.5 * (100 - 5) / 5
    assert told.complaints <= 4
    assert told.too_early == 0
    assert told.rate == pytest.approx(5, rel=0.15)


@given(
    told=st.floats(0.5, 200),
    rate=st.floats(0.2, 100),
    burst=st.integers(1, 20),
    retry_after=st.floats(0.5, 60),
)
def test_whatever_the_limit_nothing_is_sent_inside_the_window_and_all_is_had(
    told: float, rate: float, burst: int, retry_after: float
) -> None:
    crawled = crawl(60, told=told, rate=rate, burst=burst, retry_after=retry_after)

    assert crawled.too_early == 0
    assert crawled.complaints <= 20
    assert crawled.rate <= told


def test_a_server_that_never_complains_is_asked_at_the_pace_we_were_told() -> None:
    told = crawl(100, told=5, rate=6, burst=6, retry_after=2)

    assert (told.complaints, told.rate) == (0, 5)


def complained(rate: float = 40.0, *, good_answers: int = 5) -> LearnedRate:
    learned = LearnedRate(rate, 5)
    for _ in range(good_answers):
        learned.heard_answer(0.0)
    learned.heard_complaint(1.0, sent_at=0.9)
    return learned


def test_those_under_way_at_a_complaint_say_nothing_new() -> None:
    learned = complained()
    assert learned.rate == 20.0

    assert not learned.heard_complaint(1.1, sent_at=0.95)

    assert learned.rate == 20.0


def test_a_limit_that_is_lifted_is_found_out_by_good_answers() -> None:
    learned = complained()

    for number in range(1, 250):
        learned.heard_answer(1.0 + number)

    assert learned.rate == 40.0
    assert not learned.slowed


def test_the_longer_a_complaint_makes_us_wait_the_more_careful_we_are() -> None:
    rates = []
    for price_seconds in (0, 5, 60):
        learned = LearnedRate(40.0, 5)
        learned.heard_complaint(1.0, price_seconds)
        learned.heard_answer(2.0)
        rates.append(learned.rate)

    assert rates[0] > rates[1] > rates[2] > 20


def test_a_complaint_now_and_then_among_many_good_answers_hardly_slows_us() -> None:
    # Given a site that says 429 once in a hundred times, whatever the rate
    learned, now, slowest = LearnedRate(20.0, 5), 0.0, 20.0
    for _ in range(15):
        for _ in range(100):
            now += 1 / learned.rate
            learned.heard_answer(now)
        learned.heard_complaint(now, 1.0)
        now += 1.0
        slowest = min(slowest, learned.rate)

    assert slowest >= 10.0
    assert learned.rate >= 13.0


def test_complaints_teach_no_pace_below_the_floor_and_say_when_it_is_met() -> None:
    learned = LearnedRate(2.0, 5, floor=0.3)

    rates, met = [], []
    for second in range(5):
        learned.heard_complaint(10.0 * second)
        rates.append(learned.rate)
        met.append(learned.at_its_floor)

    assert rates == [1.0, 0.5, 0.3, 0.3, 0.3]
    assert met == [False, False, True, True, True]
    learned.heard_answer(60.0)
    assert not learned.at_its_floor


@pytest.mark.parametrize(("configured", "begins_at"), [(2.0, 0.3), (0.1, 0.1)])
def test_what_was_learned_below_the_floor_is_tried_again_at_it(
    configured: float, begins_at: float
) -> None:
    assert LearnedRate(configured, 5, floor=0.3, learned=0.004).rate == begins_at


def test_what_was_learned_survives_a_restart() -> None:
    pace = Pace("site.example", BucketLimits(50, 5))
    pace.record(1.0, None)
    pace.record(2.0, Category.RATE_LIMITED)
    taught = pace.bucket.rate

    later = Pace(
        "site.example", BucketLimits(50, 5), state=pace.state(2, 1000), now=0, now_wall=1000
    )

    assert taught < 50
    assert later.bucket.rate == taught
