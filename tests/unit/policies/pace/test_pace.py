"""One question for a domain: how long until the next request may leave?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.pace.circuit import CircuitLimits, Mode
from n8n_scraper.policies.pace.pace import Pace
from n8n_scraper.policies.pace.token_bucket import BucketLimits

START = 1_000.0
WALL = 1_760_000_000.0
CIRCUIT = CircuitLimits(failures=3, hold_seconds=60)


def pace_of(rate: float = 2.0, burst: int = 5) -> Pace:
    return Pace("n8n.io", BucketLimits(rate, burst), CIRCUIT, margin=0)


def departures_of(pace: Pace, count: int, now: float = START) -> list[float]:
    departures = []
    for _ in range(count):
        now += pace.wait(now)
        assert pace.take(now)
        departures.append(now - START)
    return departures


def test_a_healthy_domain_moves_at_the_pace_of_its_bucket() -> None:
    assert departures_of(pace_of(), 8) == [0, 0, 0, 0, 0, 0.5, 1.0, 1.5]


def test_the_longest_of_all_that_holds_it_back_counts() -> None:
    pace = pace_of(rate=0.1, burst=1)
    assert pace.take(START)
    assert pace.wait(START) == 10  # the bucket
    pace.crawl_delay(20)
    assert pace.wait(START) == 20  # robots
    pace.heard_retry_after(START, 30)
    assert pace.wait(START) == 30  # the server
    for _ in range(3):
        pace.record(START, Category.TIMEOUT, "GET /")
    assert pace.wait(START) == 60  # the circuit


def test_after_a_429_nobody_leaves_inside_the_window_and_one_by_one_after_it() -> None:
    pace = pace_of()
    assert pace.take(START)

    pace.heard_retry_after(START, 30)
    pace.record(START, Category.RATE_LIMITED, "GET /workflows/1")

    assert not pace.take(START + 29.9)
    assert departures_of(pace, 3) == [30, 31, 32]  # and at half the pace that was refused


def test_a_429_without_a_word_empties_the_bucket_and_halves_the_pace() -> None:
    pace = pace_of()

    pace.record(START, Category.RATE_LIMITED)

    assert departures_of(pace, 3) == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("delay_seconds", "gap", "rate"),
    [
        (10, 10, 0.1),  # slower than the bucket: a lower bound on every gap
        (0.5, 0.5, 2.0),  # as fast: only the burst is gone
        (0.1, 0.5, 2.0),  # quicker: the bucket's own rate holds, after its burst
        (0, 0.5, 2.0),  # none
        (-1, 0.5, 2.0),
        (float("nan"), 0.5, 2.0),
        (float("inf"), 0.5, 2.0),
    ],
)
def test_robots_delay_only_ever_slows_down(delay_seconds: float, gap: float, rate: float) -> None:
    pace = pace_of()

    pace.crawl_delay(delay_seconds)

    departures = departures_of(pace, 30)
    assert departures[-1] - departures[-2] == pytest.approx(gap)
    assert pace.rate == rate


def test_robots_delay_holds_without_a_rate_too() -> None:
    pace = pace_of(rate=0)

    pace.crawl_delay(4)

    assert departures_of(pace, 3) == [0, 4, 8]
    assert pace.rate == 0.25


def test_while_the_circuit_is_not_closed_only_its_probe_leaves() -> None:
    pace = pace_of()
    opened = [pace.record(START, Category.SERVER_ERROR, "GET /") for _ in range(3)]

    assert opened == [False, False, True]
    assert not pace.take(START + 59)
    assert [pace.take(START + 60) for _ in range(3)] == [True, False, False]
    pace.record(START + 61, None, sent_at=START + 60)
    assert pace.take(START + 61)


def test_the_probe_waits_for_a_token_instead_of_being_lost() -> None:
    pace = pace_of(rate=0.01, burst=1)
    assert pace.take(START)
    for _ in range(3):
        pace.record(START, Category.TIMEOUT)

    assert not pace.take(START + 60)
    assert pace.circuit.mode is Mode.OPEN
    assert pace.take(START + 100)
    assert pace.circuit.mode is Mode.HALF_OPEN


def test_where_there_is_a_witness_nobody_else_is_the_probe() -> None:
    # Given a site in doubt that has answered an address
    pace = pace_of()
    pace.circuit.witnesses.note("n8n.io", "https://n8n.io/workflows/1/")
    for _ in range(3):
        pace.record(START, Category.SERVER_ERROR, host="n8n.io")

    # Then a picture does not leave, the question to the witness does
    assert not pace.take(START)
    assert pace.circuit.mode is Mode.OPEN
    assert pace.take(START, as_probe=True)
    assert pace.circuit.mode is Mode.HALF_OPEN


def test_a_witness_that_may_not_be_asked_keeps_nobody_waiting() -> None:
    pace = pace_of()
    pace.circuit.witnesses.note("n8n.io", "https://n8n.io/workflows/1/")
    for _ in range(3):
        pace.record(START, Category.SERVER_ERROR, host="n8n.io")

    pace.circuit.give_up_witness()

    assert pace.take(START)


def test_a_restart_forgets_neither_tokens_nor_the_circuit() -> None:
    pace = pace_of()
    departures_of(pace, 5)
    tired = pace.state(START, WALL)
    for _ in range(3):
        pace.record(START, Category.TIMEOUT, "GET /")
    ill = pace.state(START, WALL)

    limits = BucketLimits(2.0, 5)
    rested = Pace("n8n.io", limits, CIRCUIT, margin=0, state=tired, now=7, now_wall=WALL + 0.25)
    still_ill = Pace("n8n.io", limits, CIRCUIT, margin=0, state=ill, now=7, now_wall=WALL + 20)

    assert rested.wait(7) == pytest.approx(0.25, abs=1e-5)
    assert still_ill.wait(7) == pytest.approx(40, abs=1e-5)


def test_a_request_that_is_refused_again_teaches_no_slower_pace() -> None:
    pace = pace_of()
    pace.record(START, Category.RATE_LIMITED)
    taught = pace.rate

    for second in range(1, 20):
        pace.record(START + second, Category.RATE_LIMITED, failed_at=START + second - 1)

    assert pace.rate == taught
    assert not pace.take(START + 19)  # but each time the bucket is empty again


def test_a_failure_is_the_sites_only_while_it_answers_nobody() -> None:
    pace = pace_of()
    assert not pace.is_to_blame(START)  # all is well
    for _ in range(3):
        pace.record(START, Category.SERVER_ERROR)

    assert pace.is_to_blame(None)
    assert pace.is_to_blame(START - 1)
    pace.record(START + 1, None, sent_at=START - 0.5)  # one that was under way
    assert not pace.is_to_blame(START - 1)


@given(
    steps=st.lists(
        st.one_of(
            st.tuples(st.just("sleep"), st.floats(0, 30)),
            st.tuples(st.just("take"), st.just(0.0)),
            st.tuples(st.just("hold"), st.floats(0, 60)),
            st.tuples(st.just("result"), st.sampled_from([0.0, 1.0, 2.0])),
        ),
        max_size=60,
    ),
    delay_seconds=st.one_of(st.just(0.0), st.floats(0.1, 10)),
)
def test_whatever_happens_no_rule_is_broken_and_nobody_waits_for_ever(
    steps: list[tuple[str, float]], delay_seconds: float
) -> None:
    pace, now, silent_until = pace_of(), START, START
    pace.crawl_delay(delay_seconds)
    departures: list[float] = []
    for step, value in steps:
        if step == "sleep":
            now += value
        elif step == "hold":
            pace.heard_retry_after(now, value)
            silent_until = max(silent_until, now + value)
        elif step == "result":
            category = [None, Category.TIMEOUT, Category.RATE_LIMITED][int(value)]
            pace.record(now, category)
        elif pace.take(now):
            assert now >= silent_until - 1e-9
            assert not departures or now - departures[-1] >= delay_seconds - 1e-9
            departures.append(now)
            assert len([d for d in departures if d > now - 1]) <= 5 + 2

    assert pace.take(now + pace.wait(now))
