"""When a crawl will be through."""

import random
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.run.counts import Counts
from n8n_scraper.policies.run.eta import Course, Throughput, rate_of, time_for


def ends(
    total: int, mean: float, jitter: float, burst: int, delay: float, seed: int
) -> list[float]:
    """When each template of a steady crawl ends, after a start that is not steady."""
    draw = random.Random(seed)
    gaps = [mean * draw.uniform(1 - jitter, 1 + jitter) for _ in range(total)]
    gaps[:burst] = [mean / 50] * burst
    gaps[0] += delay
    return list(accumulate(gaps))


def test_nothing_is_promised_before_anything_has_ended() -> None:
    throughput = Throughput()

    assert throughput.seconds_left(10, now=0.0) is None
    throughput.mark(0.0, 0)
    throughput.mark(5.0, 0)
    assert throughput.seconds_left(10, now=5.0) is None


@given(
    mean=st.floats(0.02, 20),
    total=st.integers(600, 1500),
    burst=st.integers(0, 12),
    delay=st.floats(0, 8),
    seed=st.integers(0, 10_000),
    data=st.data(),
)
def test_from_a_third_of_a_steady_crawl_on_the_estimate_is_right_within_a_tenth(
    mean, total, burst, delay, seed, data
) -> None:
    # Given a crawl that starts with a pause and a burst, and then varies by 30 % each time
    moments = ends(total, mean, 0.3, burst, delay * mean, seed)
    done = data.draw(st.integers(total // 3 + 1, total - 1))
    throughput = Throughput()
    throughput.mark(0.0, 0)
    for number, moment in enumerate(moments[:done], 1):
        throughput.mark(moment, number)

    # When somebody asks, at any moment until the next one ends
    passed = data.draw(st.floats(0, 0.99)) * (moments[done] - moments[done - 1])
    left = throughput.seconds_left(total - done, moments[done - 1] + passed)

    # Then the answer is right; of the last few, only chance knows what they will take
    truth = moments[-1] - moments[done - 1] - passed
    by_chance = 4 * mean if total - done < 200 else 0.0
    assert left == pytest.approx(truth, rel=0.1, abs=by_chance)


@given(mean=st.floats(0.02, 20), total=st.integers(30, 300), data=st.data())
def test_at_an_even_pace_a_short_crawl_is_enough(mean, total, data) -> None:
    moments = ends(total, mean, 0.0, 2, mean * 2, seed=0)
    done = data.draw(st.integers(total // 3 + 1, total - 1))
    throughput = Throughput()
    throughput.mark(0.0, 0)
    for number, moment in enumerate(moments[:done], 1):
        throughput.mark(moment, number)

    left = throughput.seconds_left(total - done, moments[done - 1])

    assert left == pytest.approx(moments[-1] - moments[done - 1], rel=0.02)


def test_only_the_last_while_counts() -> None:
    throughput = Throughput(window_seconds=10)
    for second in range(100):
        throughput.mark(float(second), second)  # one a second
    for number in range(1, 301):
        throughput.mark(99 + number / 5, 99 + number)  # then five a second

    assert throughput.per_second(now=159.0) == pytest.approx(5)


def test_a_crawl_slower_than_the_window_has_an_estimate_too() -> None:
    throughput = Throughput(window_seconds=10)
    for number in range(20):
        throughput.mark(number * 60.0, number)

    assert throughput.seconds_left(10, now=19 * 60.0) == pytest.approx(600)


def test_what_an_earlier_process_had_done_is_nobodys_speed() -> None:
    # Given a run of which five hundred had ended before
    throughput = Throughput()
    throughput.mark(0.0, 500)
    for number in range(1, 21):
        throughput.mark(number * 2.0, 500 + number)

    assert throughput.per_second(now=40.0) == pytest.approx(0.5)


def test_a_pause_lowers_the_speed_little_by_little_and_never_brings_the_end_nearer() -> None:
    throughput = Throughput()
    for number in range(21):
        throughput.mark(float(number), number)

    estimates = [throughput.seconds_left(30, now=20.0 + pause) for pause in (0, 1, 5, 60, 600)]

    assert estimates[:2] == [pytest.approx(30), pytest.approx(29)]
    assert estimates[1:] == sorted(estimates[1:])


def test_when_some_are_to_be_done_again_it_is_measured_anew() -> None:
    throughput = Throughput()
    for number in range(21):
        throughput.mark(float(number), number)

    throughput.mark(21.0, 11)

    assert throughput.per_second(now=21.0) is None


@given(ended=st.integers(-1, 1000), seconds=st.floats(-1, 1e6), silence=st.floats(-10, 1e6))
def test_a_rate_is_never_higher_than_what_was_seen(ended, seconds, silence) -> None:
    rate = rate_of(ended, seconds, silence)

    if ended <= 0 or seconds <= 0:
        assert rate is None
    else:
        assert rate is not None
        assert 0 < rate <= ended / seconds
        assert time_for(10, rate, silence) >= 0


def test_nothing_left_takes_no_time() -> None:
    assert time_for(0, 2.0, 0.0) == 0


def test_a_process_counts_what_it_has_done_itself() -> None:
    course = Course()
    course.begin(100.0, 40)
    course.begin(105.0, 45)  # somebody else who tells of it comes later

    course.mark(110.0, 50)

    assert course.elapsed(110.0) == 10
    assert course.own(50) == 10
    assert course.progress(110.0, Counts({"complete": 50})).mean_seconds == 1


def test_a_process_that_has_not_begun_has_taken_no_time() -> None:
    course = Course()

    assert course.elapsed(5.0) == 0
    assert course.progress(5.0, Counts()).mean_seconds is None
