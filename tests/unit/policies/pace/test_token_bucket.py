"""The token bucket, as a server would check it: by the moments at which requests leave."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.pace.token_bucket import (
    BucketLimits,
    BucketState,
    BucketStats,
    TokenBucket,
    default_margin,
)

START = 1_000.0
WALL = 1_760_000_000.0
TOLERANCE = 1e-6

gaps = st.lists(
    st.one_of(st.just(0.0), st.floats(0, 3), st.floats(0, 100_000)), min_size=1, max_size=40
)
rates = st.floats(0.05, 200)
bursts = st.integers(1, 20)
margins = st.one_of(st.none(), st.just(0.0), st.floats(0, 1))


def arrivals_of(gaps: list[float]) -> list[float]:
    now = START
    return [now := now + gap for gap in gaps]


def departures_of(bucket: TokenBucket, arrivals: list[float]) -> list[float]:
    return [now + bucket.reserve(now) for now in arrivals]


def ideal_departures(rate: float, burst: int, arrivals: list[float]) -> list[float]:
    """Count tokens one by one, as the textbook does; slow, but evidently right."""
    tokens, at, departures = float(burst), arrivals[0], []
    for now in arrivals:
        moment = max(now, at)
        tokens = min(burst, tokens + (moment - at) * rate)
        if tokens < 1:
            moment += (1 - tokens) / rate
            tokens = 1.0
        tokens, at = tokens - 1, moment
        departures.append(moment)
    return departures


def assert_within_limits(departures: list[float], rate: float, burst: float) -> None:
    for first, opening in enumerate(departures):
        for last in range(first, len(departures)):
            window = departures[last] - opening
            assert last - first + 1 <= burst + rate * window + TOLERANCE * max(1.0, rate)


# --- what a crowd gets ------------------------------------------------------------------------


def test_forty_callers_at_one_instant_leave_over_seventeen_and_a_half_seconds() -> None:
    bucket = TokenBucket(2.0, 5, margin=0)

    waits = [bucket.reserve(START) for _ in range(40)]

    assert waits[:8] == [0, 0, 0, 0, 0, 0.5, 1.0, 1.5]
    assert waits[-1] == 17.5


def test_the_margin_is_paid_once_and_leaves_the_rate_alone() -> None:
    bucket = TokenBucket(2.0, 5)

    waits = [bucket.reserve(START) for _ in range(40)]

    assert waits[4] == pytest.approx(0.125)
    assert waits[5:] == pytest.approx([0.625 + 0.5 * late for late in range(35)])


@pytest.mark.parametrize(
    ("rate", "margin"),
    [
        (0.1, 0.25),  # a slow bucket keeps a quarter of a token
        (2.0, 0.25),  # n8n.io
        (10.0, 0.5),  # fifty milliseconds are half a token here
        (100.0, 1.0),
        (5_000.0, 1.0),  # never more than one token
    ],
)
def test_the_default_margin_covers_fifty_milliseconds_of_jitter(rate: float, margin: float) -> None:
    assert default_margin(rate) == pytest.approx(margin)
    assert TokenBucket(rate, 5).available(START) == pytest.approx(5 - margin)


def test_a_server_that_counts_late_and_early_arrivals_is_not_overdrawn() -> None:
    bucket = TokenBucket(2.0, 5)
    departures = [START + bucket.reserve(START) for _ in range(30)]

    # every second request is 9 ms late on its way, as if the network hiccuped
    arrivals = [leaves + 0.009 * (i % 2 == 0) for i, leaves in enumerate(departures)]

    assert_within_limits(sorted(arrivals), 2.0, 5)


def test_a_burst_of_one_still_lets_requests_go() -> None:
    bucket = TokenBucket(2.0, 1)

    assert [bucket.reserve(START) for _ in range(3)] == [0, 0.5, 1.0]


def test_no_rate_means_no_waiting() -> None:
    bucket = TokenBucket(0, 5)

    assert {bucket.reserve(START) for _ in range(1_000)} == {0.0}
    assert bucket.take(START)
    assert bucket.available(START) == 5


# --- asking first, taking then ----------------------------------------------------------------


def test_who_sleeps_for_the_wait_gets_the_token() -> None:
    bucket = TokenBucket(3.0, 1)
    now = 1_234.567
    for _ in range(1_000):
        now += bucket.wait(now)
        assert bucket.take(now)


def test_asking_takes_nothing() -> None:
    bucket = TokenBucket(2.0, 1)

    assert [bucket.wait(START) for _ in range(3)] == [0, 0, 0]
    assert bucket.take(START)
    assert not bucket.take(START)
    assert not bucket.take(START)
    assert bucket.wait(START) == 0.5


def test_a_clock_that_goes_backwards_grants_nothing() -> None:
    bucket = TokenBucket(2.0, 5, margin=0)
    for _ in range(5):
        assert bucket.take(START)

    assert not bucket.take(START - 3_600)
    assert bucket.available(START - 3_600) == 0.0
    assert bucket.wait(START) == 0.5


def test_stats_count_requests_waits_and_seconds() -> None:
    bucket = TokenBucket(2.0, 1, margin=0)

    bucket.reserve(START)
    bucket.reserve(START)
    assert bucket.take(START + 1.0, waited_seconds=1.0)

    assert bucket.stats == BucketStats(requests=3, waits=2, total_wait=1.5)
    assert bucket.stats.mean == 0.5
    assert BucketStats().mean == 0.0


# --- the server's word ------------------------------------------------------------------------


def test_nobody_leaves_inside_the_server_s_window_and_no_burst_follows_it() -> None:
    bucket = TokenBucket(2.0, 5)

    bucket.hold(START + 30)

    assert bucket.wait(START) == 30
    assert not bucket.take(START + 29.999)
    assert bucket.available(START + 29) == 0.0
    assert [bucket.reserve(START + 30) for _ in range(3)] == pytest.approx([0, 0.5, 1.0])


@pytest.mark.parametrize(
    ("tokens_after", "waits"),
    [
        (0.0, [30.5, 31.0, 31.5]),  # an empty bucket
        (1.0, [30.0, 30.5, 31.0]),  # the default
        (2.0, [30.0, 30.0, 30.5]),
        (99.0, [30.0, 30.0, 30.0]),  # never more than the bucket can hold
    ],
)
def test_the_tokens_after_a_hold_can_be_chosen(tokens_after: float, waits: list[float]) -> None:
    bucket = TokenBucket(2.0, 3, margin=0)

    bucket.hold(START + 30, tokens_after=tokens_after)

    assert [bucket.reserve(START) for _ in range(3)] == waits


def test_a_shorter_word_does_not_shorten_a_longer_one() -> None:
    bucket = TokenBucket(2.0, 5)

    bucket.hold(START + 30)
    bucket.hold(START + 5)

    assert bucket.held(START) == 30


def test_the_server_is_obeyed_even_without_a_rate() -> None:
    bucket = TokenBucket(0, 5)

    bucket.hold(START + 30)

    assert bucket.reserve(START) == 30
    assert bucket.wait(START + 30) == 0


@pytest.mark.parametrize("until", [math.inf, math.nan])
def test_a_hold_without_an_end_is_refused(until: float) -> None:
    with pytest.raises(ValueError, match="finite moment"):
        TokenBucket(2.0, 5).hold(until)


# --- restarts ---------------------------------------------------------------------------------


def emptied(rate: float = 2.0, burst: int = 5) -> TokenBucket:
    bucket = TokenBucket(rate, burst, margin=0)
    for _ in range(burst):
        assert bucket.take(START)
    return bucket


def restarted(state: BucketState, *, now_wall: float, now: float = 7.0) -> TokenBucket:
    return TokenBucket(2.0, 5, margin=0, state=state, now=now, now_wall=now_wall)


@pytest.mark.parametrize(
    ("down_seconds", "tokens"),
    [
        (0.0, 0.0),  # a restart alone refills nothing
        (1.0, 2.0),  # what the elapsed time earned
        (2.5, 5.0),
        (86_400.0, 5.0),  # never more than the burst
        (-1.0, 0.0),  # the wall clock was set back: an empty bucket
        (-86_400.0, 0.0),
    ],
)
def test_a_restart_refills_what_the_elapsed_time_earned(down_seconds: float, tokens: float) -> None:
    state = emptied().state(START, WALL)

    bucket = restarted(state, now_wall=WALL + down_seconds)

    assert bucket.available(7.0) == pytest.approx(tokens, abs=1e-5)


def test_a_full_bucket_from_the_future_comes_back_empty() -> None:
    state = TokenBucket(2.0, 5).state(START, WALL + 3_600)

    assert restarted(state, now_wall=WALL).available(7.0) == 0.0


def test_promised_departures_and_the_server_s_word_survive_a_restart() -> None:
    promised = TokenBucket(2.0, 5, margin=0)
    for _ in range(15):
        promised.reserve(START)
    held = TokenBucket(2.0, 5, margin=0)
    held.hold(START + 30)
    held_without_rate = TokenBucket(0, 5)
    held_without_rate.hold(START + 30)

    after_promises = restarted(promised.state(START, WALL), now_wall=WALL + 1)
    after_hold = restarted(held.state(START, WALL), now_wall=WALL + 10)
    still_held = TokenBucket(
        0, 5, state=held_without_rate.state(START, WALL), now=7.0, now_wall=WALL + 10
    )

    assert after_promises.wait(7.0) == pytest.approx(4.5)
    assert after_hold.wait(7.0) == pytest.approx(20)
    assert still_held.wait(7.0) == pytest.approx(20)


@pytest.mark.parametrize(
    "state",
    [
        BucketState(math.nan, WALL),
        BucketState(5.0, math.nan),
        BucketState(math.inf, WALL),
        BucketState(5.0, -math.inf, math.inf),
    ],
)
def test_a_state_that_makes_no_sense_is_an_empty_bucket(state: BucketState) -> None:
    assert restarted(state, now_wall=WALL).available(7.0) == 0.0


def test_more_tokens_than_the_bucket_holds_are_cut_to_its_size() -> None:
    assert restarted(BucketState(1e9, WALL), now_wall=WALL).available(7.0) == 5.0


def test_a_restart_needs_the_wall_time() -> None:
    with pytest.raises(ValueError, match="now_wall"):
        TokenBucket(2.0, 5, state=BucketState(1.0, WALL))


# --- settings ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rate", [-1, math.nan, math.inf, "2", None, True])
def test_a_rate_that_makes_no_sense_names_the_setting(rate: float) -> None:
    with pytest.raises(ValueError, match=r"RATE_LIMIT_RATE \(or a rate in RATE_LIMITS\) must be"):
        BucketLimits(rate, 5)


@pytest.mark.parametrize("burst", [0, -5, 2.5, math.nan, math.inf, "5", None, False])
def test_a_burst_that_makes_no_sense_names_the_setting(burst: int) -> None:
    with pytest.raises(ValueError, match=r"RATE_LIMIT_BURST \(or a burst in RATE_LIMITS\) must be"):
        BucketLimits(2.0, burst)


@pytest.mark.parametrize("margin", [-0.1, math.nan, math.inf])
def test_a_margin_that_makes_no_sense_is_refused(margin: float) -> None:
    with pytest.raises(ValueError, match="margin"):
        TokenBucket(2.0, 5, margin=margin)


def test_limits_are_read_per_domain() -> None:
    limits = BucketLimits.by_domain({"n8n.io": {"rate": 2.0, "burst": 5}})

    assert limits == {"n8n.io": BucketLimits(2.0, 5)}


@pytest.mark.parametrize("entry", [2.0, {}, {"rate": 2.0}, {"rate": 2.0, "burst": 5, "x": 1}])
def test_an_entry_of_another_shape_is_refused_with_its_domain(entry: object) -> None:
    with pytest.raises(ValueError, match=r'RATE_LIMITS\["n8n\.io"\] must look like'):
        BucketLimits.by_domain({"n8n.io": entry})


# --- for any pattern of arrivals --------------------------------------------------------------


@given(gaps=gaps, rate=rates, burst=bursts, margin=margins)
def test_no_window_ever_sees_more_than_the_burst_and_what_the_rate_earned(
    gaps: list[float], rate: float, burst: int, margin: float | None
) -> None:
    bucket = TokenBucket(rate, burst, margin=margin)

    departures = departures_of(bucket, arrivals_of(gaps))

    assert_within_limits(departures, rate, bucket.capacity)


@given(gaps=gaps, rate=rates, burst=bursts)
def test_who_comes_first_leaves_first(gaps: list[float], rate: float, burst: int) -> None:
    departures = departures_of(TokenBucket(rate, burst), arrivals_of(gaps))

    assert departures == sorted(departures)


@given(gaps=gaps, rate=rates, burst=bursts, margin=margins)
def test_nobody_waits_longer_than_the_ideal_bucket_and_the_margin_would_make_them(
    gaps: list[float], rate: float, burst: int, margin: float | None
) -> None:
    bucket = TokenBucket(rate, burst, margin=margin)
    arrivals = arrivals_of(gaps)

    departures = departures_of(bucket, arrivals)

    paid_once = (burst - bucket.capacity) / rate
    for ours, ideal in zip(departures, ideal_departures(rate, burst, arrivals), strict=True):
        assert ideal - TOLERANCE <= ours <= ideal + paid_once + TOLERANCE


@given(gaps=gaps, rate=rates, burst=bursts)
def test_taking_when_free_grants_as_much_as_reserving(
    gaps: list[float], rate: float, burst: int
) -> None:
    promised = departures_of(TokenBucket(rate, burst), arrivals_of(gaps))
    bucket, now, taken = TokenBucket(rate, burst), START, []
    for arrival in arrivals_of(gaps):
        now = max(now, arrival)
        now += bucket.wait(now)
        assert bucket.take(now)
        taken.append(now)

    assert taken == pytest.approx(promised, abs=TOLERANCE)


@given(jumps=st.lists(st.floats(-1_000, 1_000), min_size=1, max_size=40), rate=rates, burst=bursts)
def test_no_jump_of_the_clock_ever_grants_extra_tokens(
    jumps: list[float], rate: float, burst: int
) -> None:
    bucket = TokenBucket(rate, burst)

    departures = departures_of(bucket, arrivals_of(jumps))

    assert_within_limits(sorted(departures), rate, bucket.capacity)


@given(
    gaps=gaps,
    rate=rates,
    burst=bursts,
    restarts=st.sets(st.integers(0, 39)),
    clock_starts_at=st.floats(0, 1e6),
    hold_seconds=st.one_of(st.none(), st.floats(0, 100)),
)
def test_restarting_at_any_point_never_grants_more_than_running_on(
    gaps: list[float],
    rate: float,
    burst: int,
    restarts: set[int],
    clock_starts_at: float,
    hold_seconds: float | None,
) -> None:
    arrivals = arrivals_of(gaps)
    steady, bucket, offset = TokenBucket(rate, burst), TokenBucket(rate, burst), 0.0
    if hold_seconds is not None:
        steady.hold(START + hold_seconds)
        bucket.hold(START + hold_seconds)
    for number, now in enumerate(arrivals):
        if number in restarts:
            state = bucket.state(now + offset, WALL + now)
            offset = clock_starts_at - now
            bucket = TokenBucket(rate, burst, state=state, now=now + offset, now_wall=WALL + now)
        assert bucket.reserve(now + offset) >= steady.reserve(now) - 1e-5
