"""What happens to a domain that several processes ask, one step after the other."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.pace.circuit import CircuitLimits, CircuitState, Mode, Result
from n8n_scraper.policies.pace.domain_state import (
    MOST_AHEAD_SECONDS,
    REST_SECONDS,
    DomainState,
    Rules,
    Step,
    Wish,
)
from n8n_scraper.policies.pace.learned_rate import LearnedRate
from n8n_scraper.policies.pace.token_bucket import BucketLimits, Reservation

NOW = 1_760_000_000.0
CIRCUIT = CircuitLimits(failures=3, hold_seconds=60)
RULES = Rules(BucketLimits(2.0, 5), CIRCUIT, margin=0)


def reserve(
    state: DomainState, now: float = NOW, tokens: int = 1, epoch: int | None = None
) -> tuple[DomainState, Reservation | None]:
    known = state.epoch if epoch is None else epoch
    return state.reserved(now, Wish(tokens, state.tempo(RULES), known))


def departures(state: DomainState, count: int, now: float = NOW) -> list[float]:
    """When so many leave that ask one after the other, each when the one before has left."""
    left = []
    for _ in range(count):
        state, reservation = reserve(state, now)
        while reservation is None:
            now += 1.0
            state, reservation = reserve(state, now)
        now = max(now, reservation.due_at(0))
        left.append(now - NOW)
    return left


def complaint(sent_at: float = NOW, *, again: bool = False) -> Result:
    return Result(Category.RATE_LIMITED, sent_at, again=again)


def failure(number: int = 1) -> Result:
    return Result(Category.SERVER_ERROR, NOW, evidence=f"/{number}", host="n8n.io")


def opened() -> DomainState:
    state = DomainState()
    for number in range(3):
        state = state.heard(NOW, RULES, failure(number))
    return state


# --- reserving --------------------------------------------------------------------------------


def test_who_does_not_know_how_things_stand_reserves_nothing() -> None:
    state = DomainState(epoch=3)

    assert reserve(state, epoch=2) == (state, None)


def test_what_lies_too_far_ahead_is_not_reserved() -> None:
    state = DomainState(next_at=NOW + MOST_AHEAD_SECONDS + 0.01)

    assert reserve(state) == (state, None)
    assert reserve(state, NOW + 0.01)[1] is not None


def test_a_long_way_to_the_store_saves_up_less() -> None:
    state = DomainState()

    _, reservation = state.reserved(NOW, Wish(1, state.tempo(RULES), 0, lead=0.5))

    assert reservation is not None
    assert reservation.due_at(0) == pytest.approx(NOW - 2.0 + 0.5)


def test_good_answers_are_counted_with_a_reservation() -> None:
    state, _ = DomainState().reserved(NOW, Wish(1, DomainState().tempo(RULES), 0, answers=7))
    state, _ = state.reserved(NOW + 1, Wish(1, state.tempo(RULES), 0, answers=2))

    assert state.learned == LearnedRate(answers=9, since=NOW)


# --- the server's word ------------------------------------------------------------------------


def test_nobody_leaves_inside_the_servers_window_and_no_burst_follows_it() -> None:
    held = DomainState().held(NOW, 30)

    assert held.held_until == NOW + 30
    assert departures(held, 3, NOW + 30) == [30, 30.5, 31]


def test_a_shorter_word_does_not_shorten_a_longer_one() -> None:
    assert DomainState().held(NOW, 30).held(NOW, 5).held_until == NOW + 30


def test_after_a_429_nobody_leaves_inside_the_window_and_one_by_one_after_it() -> None:
    state = DomainState().held(NOW, 30).heard(NOW, RULES, complaint())

    assert departures(state, 3, NOW + 30) == [30, 31, 32]  # and at half the pace that was refused


def test_a_429_without_a_word_empties_the_bucket_and_halves_the_pace() -> None:
    assert departures(DomainState().heard(NOW, RULES, complaint()), 3) == [1, 2, 3]


def test_a_request_that_is_refused_again_teaches_no_slower_pace() -> None:
    state = DomainState().heard(NOW, RULES, complaint())
    taught = state.learned.rate

    for second in range(1, 20):
        state = state.heard(NOW + second, RULES, complaint(NOW + second, again=True))

    assert state.learned.rate == taught
    assert state.next_at > NOW + 19  # but each time the bucket is empty again


def test_a_limit_is_learned_from_what_all_processes_were_let_through() -> None:
    # Given two that have had forty answers in ten seconds together, and a third that complains
    state = DomainState().answered(NOW, RULES, 20).answered(NOW + 5, RULES, 17)
    limits = Rules(BucketLimits(0, 5))

    state = state.heard(NOW + 10, limits, replace(complaint(NOW + 9), answers=3))

    # Then what was refused is four a second, and what is borne a little less
    assert state.learned.rate == pytest.approx(((40 - 10) / 10 * 4) ** 0.5)


# --- what makes reservations void -------------------------------------------------------------


@pytest.mark.parametrize(
    "step",
    [
        partial(DomainState.held, seconds=5),
        partial(DomainState.heard, rules=RULES, result=complaint()),
        partial(DomainState.left_alone, rules=RULES, reason="rate_limited", evidence="/"),
    ],
    ids=["a word of the server", "a complaint", "the circuit's opening"],
)
def test_a_complaint_or_an_outage_makes_reservations_void(step: Step) -> None:
    state, reservation = reserve(DomainState())
    assert reservation is not None

    state = step(state, NOW)

    assert state.epoch > reservation.epoch


def test_failures_that_open_the_circuit_make_reservations_void_and_one_does_not() -> None:
    assert DomainState().heard(NOW, RULES, failure()).epoch == 0
    assert (opened().circuit.mode, opened().epoch) == (Mode.OPEN, 1)


def test_good_answers_and_the_taking_of_tokens_make_nothing_void() -> None:
    state, _ = reserve(DomainState())

    assert state.answered(NOW, RULES, 9).heard(NOW, RULES, Result(None, NOW)).epoch == 0


# --- the circuit ------------------------------------------------------------------------------


def test_an_opened_circuit_leaves_a_failing_site_alone_for_longer_each_time() -> None:
    once = DomainState().left_alone(NOW, RULES, "rate_limited", "/1")
    probing = once.taken(NOW + 60, RULES, "mine", witness=False)

    twice = probing.left_alone(NOW + 61, RULES, "rate_limited", "/2")

    assert (once.circuit.hold_seconds, twice.circuit.hold_seconds) == (60, 120)
    assert (twice.circuit.mode, twice.circuit.tripped_by) == (Mode.OPEN, "/2")
    assert twice.left_alone(NOW + 62, RULES, "rate_limited", "/3") is twice  # it is open already


def test_one_that_takes_the_probe_may_give_it_back() -> None:
    taken = opened().taken(NOW + 60, RULES, "mine", witness=False)

    assert taken.taken(NOW + 60, RULES, "another's", witness=False) is taken
    assert taken.given_back(NOW + 60, "another's") is taken
    back = taken.given_back(NOW + 60, "mine")
    assert back.taken(NOW + 60, RULES, "another's", witness=False).circuit.probe == "another's"


def test_what_is_closed_is_forgotten() -> None:
    assert opened().closed(NOW + 9).circuit == CircuitState(closed_at=NOW + 9)


# --- rest and clocks --------------------------------------------------------------------------


def test_after_a_rest_it_is_counted_anew_what_a_site_lets_through() -> None:
    state = DomainState().answered(NOW, RULES, 1_000)

    assert state.met(NOW + REST_SECONDS) is state
    assert state.met(NOW + REST_SECONDS + 1).learned == LearnedRate()


def test_a_rest_does_not_make_a_complaint_forgotten() -> None:
    state = DomainState().heard(NOW, RULES, complaint())

    assert state.met(NOW + 86_400) is state


@pytest.mark.parametrize("back_seconds", [10.0, 86_400.0])
def test_a_clock_that_is_set_back_makes_nothing_last_longer(back_seconds: float) -> None:
    # Given a domain with a promised token, at its server's word, and left alone
    state, _ = reserve(DomainState(), tokens=8)
    state = state.held(NOW, 30).left_alone(NOW, RULES, "timeout", "/")

    # When the clock is set back
    now = NOW - back_seconds
    settled = state.settled(now)

    # Then all of it is as far ahead as it was
    assert settled.next_at - now == pytest.approx(state.next_at - NOW)
    assert settled.held_until - now == pytest.approx(30)
    assert settled.circuit.due_at(CIRCUIT) - now == pytest.approx(60)


def test_a_clock_that_is_a_little_behind_another_moves_nothing() -> None:
    state = DomainState().held(NOW, 30)

    assert state.settled(NOW - 0.5) is state


# --- for any history --------------------------------------------------------------------------


@given(
    steps=st.lists(
        st.one_of(
            st.tuples(st.just("sleep"), st.floats(0, 30)),
            st.tuples(st.just("take"), st.just(0.0)),
            st.tuples(st.just("hold"), st.floats(0, 60)),
            st.tuples(st.just("result"), st.sampled_from([0.0, 1.0, 2.0])),
        ),
        max_size=60,
    )
)
def test_whatever_happens_no_rule_is_broken_and_nobody_waits_for_ever(
    steps: list[tuple[str, float]],
) -> None:
    state, now, silent_until = DomainState(), NOW, NOW
    left: list[float] = []
    for step, value in steps:
        if step == "sleep":
            now += value
        elif step == "hold":
            state = state.held(now, value)
            silent_until = max(silent_until, now + value)
        elif step == "result":
            category = [None, Category.TIMEOUT, Category.RATE_LIMITED][int(value)]
            state = state.heard(now, RULES, Result(category, now))
        elif state.circuit.mode is Mode.CLOSED:
            state, reservation = reserve(state, now)
            if reservation is not None and reservation.due_at(0) <= now:
                assert now >= silent_until - 1e-6
                left.append(now)
                assert len([one for one in left if one > now - 1]) <= 5 + 2

    later = now + max(state.next_at - now, 0.0)
    assert reserve(state, later)[1] is not None
