"""The token bucket, as a server would check it: by the moments at which requests leave."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.pace.domain_state import DomainState, Unused, Wish
from n8n_scraper.policies.pace.token_bucket import (
    BucketLimits,
    BucketStats,
    Reservation,
    Tempo,
    default_margin,
)

START = 1_000.0
TOLERANCE = 1e-6

gaps = st.lists(
    st.one_of(st.just(0.0), st.floats(0, 3), st.floats(0, 100_000)), min_size=1, max_size=40
)
rates = st.floats(0.05, 200)
bursts = st.integers(1, 20)
margins = st.one_of(st.none(), st.just(0.0), st.floats(0, 1))


class Bucket:
    """A bucket that several draw on, each with tokens reserved one after the other."""

    def __init__(self, rate: float, burst: int, margin: float | None = None) -> None:
        self.tempo = Tempo.of(BucketLimits(rate, burst), margin=margin)
        self.state = DomainState()

    def reserve(
        self, now: float, tokens: int = 1, unused: Unused | None = None
    ) -> Reservation | None:
        wish = Wish(tokens, self.tempo, self.state.epoch, unused=unused)
        self.state, reservation = self.state.reserved(now, wish)
        return reservation

    def departures(self, arrivals: list[float]) -> list[float]:
        """Let each who comes reserve as soon as it may, and leave as soon as its token is due."""
        left = []
        for now in arrivals:
            while (reservation := self.reserve(now)) is None:
                now += 1.0
            left.append(max(now, reservation.due_at(0)))
        return left


def arrivals_of(gaps: list[float]) -> list[float]:
    now = START
    return [now := now + gap for gap in gaps]


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
    left = Bucket(2.0, 5, margin=0).departures([START] * 40)

    assert [moment - START for moment in left[:8]] == [0, 0, 0, 0, 0, 0.5, 1.0, 1.5]
    assert left[-1] - START == 17.5


def test_the_margin_is_paid_once_and_leaves_the_rate_alone() -> None:
    left = [moment - START for moment in Bucket(2.0, 5).departures([START] * 40)]

    assert left[4] == pytest.approx(0.125)
    assert left[5:] == pytest.approx([0.625 + 0.5 * late for late in range(35)])


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
    assert Tempo.of(BucketLimits(rate, 5)).capacity == pytest.approx(5 - margin)


def test_a_server_that_counts_late_and_early_arrivals_is_not_overdrawn() -> None:
    departures = Bucket(2.0, 5).departures([START] * 30)

    # every second request is 9 ms late on its way, as if the network hiccuped
    arrivals = [leaves + 0.009 * (i % 2 == 0) for i, leaves in enumerate(departures)]

    assert_within_limits(sorted(arrivals), 2.0, 5)


def test_a_burst_of_one_still_lets_requests_go() -> None:
    assert Bucket(2.0, 1).departures([START] * 3) == [START, START + 0.5, START + 1.0]


@pytest.mark.parametrize(("rate", "block"), [(0.1, 1), (2, 1), (20, 1), (100, 2), (1_000, 20)])
def test_more_are_reserved_at_once_where_they_follow_closely(rate: float, block: int) -> None:
    assert Tempo.of(BucketLimits(rate, 5)).block == block


@pytest.mark.parametrize(
    ("given", "rate", "capacity"),
    [
        ({}, 4.0, 5.0),
        ({"rate": 1.5}, 1.5, 1.0),  # learned: nothing goes in a burst
        ({"least_interval": 10.0}, 0.1, 1.0),  # robots.txt asks for a distance
        ({"least_interval": 0.1}, 4.0, 1.0),  # which never makes it faster
        ({"rate": 1.5, "least_interval": 0.1}, 1.5, 1.0),
    ],
)
def test_what_the_site_asks_for_only_ever_slows_down(
    given: dict[str, float], rate: float, capacity: float
) -> None:
    tempo = Tempo.of(BucketLimits(4.0, 5), margin=0, **given)

    assert (tempo.rate, tempo.capacity) == pytest.approx((rate, capacity))


def test_no_rate_is_no_limit_unless_the_site_has_one() -> None:
    limits = BucketLimits(0, 5)

    assert Tempo.of(limits).rate == 0
    assert Tempo.of(limits, rate=2.0).rate == 2.0
    assert Tempo.of(limits, least_interval=4.0).rate == 0.25


def test_what_is_saved_is_told_from_the_moment_of_the_next_token() -> None:
    tempo = Tempo.of(BucketLimits(2.0, 5), margin=0)

    assert tempo.saved(START, START) == 1
    assert tempo.saved(START - 1, START) == 3
    assert tempo.saved(START - 60, START) == 5
    assert tempo.saved(START + 2, START) == -3


def test_stats_count_requests_waits_and_seconds() -> None:
    stats = BucketStats()

    for waited in (0.0, 0.5, 1.0):
        stats.add(waited)

    assert stats == BucketStats(requests=3, waits=2, total_wait=1.5)
    assert stats.mean == 0.5
    assert BucketStats().mean == 0.0


# --- settings ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rate", [-1, math.nan, math.inf, "2", None, True])
def test_a_rate_that_makes_no_sense_names_the_setting(rate: float) -> None:
    with pytest.raises(ValueError, match=r"RATE_LIMIT_RATE \(or a rate in RATE_LIMITS\) must be"):
        BucketLimits(rate, 5)


@pytest.mark.parametrize("burst", [0, -5, 2.5, math.nan, math.inf, "5", None, False])
def test_a_burst_that_makes_no_sense_names_the_setting(burst: int) -> None:
    with pytest.raises(ValueError, match=r"RATE_LIMIT_BURST \(or a burst in RATE_LIMITS\) must be"):
        BucketLimits(2.0, burst)


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
    bucket = Bucket(rate, burst, margin)

    departures = bucket.departures(arrivals_of(gaps))

    assert_within_limits(sorted(departures), rate, bucket.tempo.capacity)


@given(gaps=gaps, rate=st.floats(1, 200), burst=bursts)
def test_who_comes_first_leaves_first(gaps: list[float], rate: float, burst: int) -> None:
    departures = Bucket(rate, burst).departures(arrivals_of(gaps))

    assert departures == sorted(departures)


@given(gaps=gaps, rate=st.floats(2, 200), burst=bursts, margin=margins)
def test_nobody_waits_longer_than_the_ideal_bucket_and_the_margin_would_make_them(
    gaps: list[float], rate: float, burst: int, margin: float | None
) -> None:
    bucket, arrivals = Bucket(rate, burst, margin), arrivals_of(gaps)

    departures = bucket.departures(arrivals)

    paid_once = (burst - bucket.tempo.capacity) / rate
    ahead = 1.0  # of one that came when too many were promised, and has asked again
    for ours, ideal in zip(departures, ideal_departures(rate, burst, arrivals), strict=True):
        assert ideal - TOLERANCE <= ours <= ideal + paid_once + ahead + TOLERANCE


@given(
    limits=st.sampled_from([(5.0, 3), (5.0, 1), (20.0, 5), (100.0, 5)]),
    uses=st.lists(
        st.tuples(
            st.integers(1, 5),  # how many tokens at once
            st.one_of(st.just(0.0), st.floats(0, 0.5), st.floats(0, 10)),  # when they are wanted
            st.floats(0, 1),  # how late they are used, of the time in which they are good
        ),
        max_size=25,
    ),
)
def test_tokens_of_several_processes_used_as_late_as_may_be_never_overdraw(
    limits: tuple[float, int], uses: list[tuple[int, float, float]]
) -> None:
    # Given processes that reserve and dawdle as they like
    bucket, now, left = Bucket(*limits, margin=0), START, []
    for tokens, gap, dawdling in uses:
        now += gap
        reservation = bucket.reserve(now, tokens)
        for number in range(reservation.tokens if reservation else 0):
            good_until = reservation.good_until(number)
            earliest = max(now, reservation.due_at(number))
            if earliest <= good_until:
                left.append(earliest + dawdling * (good_until - earliest))

    # Then the server counts no more than what it allows, but for the grace
    rate, burst = limits
    assert_within_limits(sorted(left), rate, burst + bucket.tempo.grace * rate)


@given(
    rate=rates,
    burst=bursts,
    tokens=st.integers(2, 8),
    used=st.integers(1, 7),
    later=st.floats(0, 9),
)
def test_unused_tokens_are_there_again_as_if_they_had_not_been_reserved(
    rate: float, burst: int, tokens: int, used: int, later: float
) -> None:
    used = min(used, tokens - 1)
    bucket, as_if = Bucket(rate, burst), Bucket(rate, burst)
    mine = bucket.reserve(START, tokens)
    as_if.reserve(START, used)
    assert mine is not None

    reserved = bucket.reserve(START + later, unused=Unused(mine.next_at, mine.due_at(used)))

    expected = as_if.reserve(START + later)
    assert (reserved is None) == (expected is None)
    if reserved and expected:
        assert reserved.next_at == pytest.approx(expected.next_at, abs=TOLERANCE)


@given(rate=rates, burst=bursts, tokens=st.integers(1, 8), later=st.floats(0, 9))
def test_unused_tokens_are_lost_when_another_has_reserved_since(
    rate: float, burst: int, tokens: int, later: float
) -> None:
    bucket = Bucket(rate, burst)
    mine = bucket.reserve(START, tokens)
    assert mine is not None
    others = bucket.reserve(START)

    reserved = bucket.reserve(START + later, unused=Unused(mine.next_at, mine.due_at(0)))

    if others and reserved:
        assert reserved.due_at(0) >= others.next_at - TOLERANCE


@given(jumps=st.lists(st.floats(-1_000, 1_000), min_size=1, max_size=40), rate=rates, burst=bursts)
def test_no_jump_of_the_clock_ever_grants_extra_tokens(
    jumps: list[float], rate: float, burst: int
) -> None:
    bucket, now, dues = Bucket(rate, burst), START, []
    for jump in jumps:
        now += jump
        if reservation := bucket.reserve(now):
            dues.append(reservation.due_at(0))

    assert all(later - earlier >= 1 / rate - TOLERANCE for earlier, later in pairwise(dues))
