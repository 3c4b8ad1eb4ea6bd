"""Finding out how fast a server lets us go."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.pace.domain_state import Rules
from n8n_scraper.policies.pace.learned_rate import LearnedRate
from n8n_scraper.policies.pace.token_bucket import BucketLimits
from n8n_scraper.testing.clock import MovableClock
from tests.unit.policies.pace.alone import AloneWith

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
    clock = MovableClock(0.0)
    pace = AloneWith(clock, Rules(BucketLimits(told, told_burst)))
    tokens, last, closed_until = float(burst), 0.0, -1.0
    got = complaints = too_early = 0
    while got < pages:
        if wait := pace.wait():
            clock.move(wait)
            continue
        assert pace.take()
        now = clock()
        too_early += now < closed_until - 1e-9
        tokens, last = min(burst, tokens + (now - last) * rate), now
        clock.move(TRIP_SECONDS)
        if tokens >= 1:
            tokens, got = tokens - 1, got + 1
            pace.hear(None, sent_at=now)
        else:
            complaints, closed_until = complaints + 1, now + retry_after
            pace.hear_retry_after(retry_after)
            pace.hear(Category.RATE_LIMITED, sent_at=now)
        pace.look()
    return Told(clock(), complaints, too_early, pace.rate)


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
    assert crawled.rate <= told * (1 + 1e-9)


def test_a_server_that_never_complains_is_asked_at_the_pace_we_were_told() -> None:
    told = crawl(100, told=5, rate=6, burst=6, retry_after=2)

    assert (told.complaints, told.rate) == (0, 5)


LIMITS = BucketLimits(40.0, 5)


def complained(*, good_answers: int = 5) -> LearnedRate:
    learned = LearnedRate().heard_answers(good_answers, 0.0, LIMITS)
    return learned.heard_complaint(1.0, LIMITS, sent_at=0.9)


def test_those_under_way_at_a_complaint_say_nothing_new() -> None:
    learned = complained()
    assert learned.rate == 20.0

    assert learned.heard_complaint(1.1, LIMITS, sent_at=0.95) == learned


def test_a_limit_that_is_lifted_is_found_out_by_good_answers() -> None:
    learned = complained()

    for number in range(1, 250):
        learned = learned.heard_answers(1, 1.0 + number, LIMITS)

    assert learned.rate is None


def test_answers_told_together_raise_the_rate_as_one_by_one() -> None:
    one_by_one = complained()
    for _ in range(30):
        one_by_one = one_by_one.heard_answers(1, 2.0, LIMITS)

    assert complained().heard_answers(30, 2.0, LIMITS).rate == pytest.approx(one_by_one.rate)


def test_the_longer_a_complaint_makes_us_wait_the_more_careful_we_are() -> None:
    rates = []
    for price_seconds in (0, 5, 60):
        learned = LearnedRate().heard_complaint(1.0, LIMITS, price_seconds=price_seconds)
        rates.append(learned.heard_answers(1, 2.0, LIMITS).rate)

    assert rates[0] > rates[1] > rates[2] > 20


def test_a_complaint_now_and_then_among_many_good_answers_hardly_slows_us() -> None:
    # Given a site that says 429 once in a hundred times, whatever the rate
    limits = BucketLimits(20.0, 5)
    learned, now, slowest = LearnedRate(), 0.0, 20.0
    for _ in range(15):
        for _ in range(100):
            now += 1 / (learned.rate or 20.0)
            learned = learned.heard_answers(1, now, limits)
        learned = learned.heard_complaint(now, limits, price_seconds=1.0)
        now += 1.0
        slowest = min(slowest, learned.rate or 20.0)

    assert slowest >= 10.0
    assert (learned.rate or 20.0) >= 13.0


def test_complaints_teach_no_pace_below_the_floor_and_say_when_it_is_met() -> None:
    limits, learned = BucketLimits(2.0, 5), LearnedRate()

    rates, met = [], []
    for second in range(5):
        learned = learned.heard_complaint(10.0 * second, limits, floor=0.3)
        rates.append(learned.rate)
        met.append(learned.is_at_its_floor(limits, 0.3))

    assert rates == [1.0, 0.5, 0.3, 0.3, 0.3]
    assert met == [False, False, True, True, True]
    assert not learned.heard_answers(1, 60.0, limits, 0.3).is_at_its_floor(limits, 0.3)


def test_a_process_that_was_told_to_go_slower_is_not_taught_anything() -> None:
    learned, slower = complained(), BucketLimits(2.0, 5)

    assert learned.within(slower, 0.0) is None
    assert learned.heard_answers(1, 2.0, slower).rate == learned.rate


@pytest.mark.parametrize(("configured", "begins_at"), [(2.0, 0.3), (0.1, 0.1)])
def test_what_was_learned_below_the_floor_is_tried_again_at_it(
    configured: float, begins_at: float
) -> None:
    limits, learned = BucketLimits(configured, 5), LearnedRate(0.004)

    assert (learned.within(limits, 0.3) or configured) == begins_at
