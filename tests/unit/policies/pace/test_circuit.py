"""Whether a failing site may be asked at all."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from n8n_scraper.policies.failure.category import Category, speaks_of_health
from n8n_scraper.policies.pace.circuit import (
    WITNESS_FIRST_SECONDS,
    CircuitLimits,
    CircuitState,
    Mode,
    Result,
)
from tests.thoroughness import at_length

START = 1_000.0
LIMITS = CircuitLimits(failures=3, hold_seconds=60, hold_cap_seconds=200, probe_timeout_seconds=30)
FAILED = Result(Category.SERVER_ERROR, START, evidence="GET /workflows/1: 503", host="n8n.example")
OURS = "the probe of this process"


def after(*results: Result, state: CircuitState | None = None, now: float = START) -> CircuitState:
    state = state or CircuitState()
    for result in results:
        state = state.heard(result, now, LIMITS)
    return state


def answer(sent_at: float = START, probe: str = "") -> Result:
    return Result(None, sent_at, probe)


def opened() -> CircuitState:
    return after(FAILED, FAILED, FAILED)


def probing() -> CircuitState:
    return opened().taken(OURS, START + 60, LIMITS)


def wait(state: CircuitState, now: float, *, witness: bool = True) -> float:
    return max(0.0, state.due_at(LIMITS, witness=witness) - now)


# --- closed -----------------------------------------------------------------------------------


def test_the_last_of_so_many_failures_in_a_row_opens_it_and_says_why() -> None:
    limits, state = CircuitLimits(), CircuitState()
    modes = []

    for number in range(10):
        failed = replace(FAILED, category=Category.TIMEOUT, evidence=f"GET /{number}")
        state = state.heard(failed, START, limits)
        modes.append(state.mode)

    assert modes == [Mode.CLOSED] * 9 + [Mode.OPEN]
    assert (state.reason, state.tripped_by) == ("timeout", "GET /9")
    assert state.due_at(limits) == START + 60


def test_a_success_in_between_starts_the_count_anew() -> None:
    assert after(*[FAILED, FAILED, answer()] * 5).mode is Mode.CLOSED


@pytest.mark.parametrize("category", [c for c in Category if not speaks_of_health(c)])
def test_what_does_not_speak_of_the_sites_health_never_opens_it(category: Category) -> None:
    assert after(*[Result(category, START)] * 100).mode is Mode.CLOSED


def test_our_own_errors_neither_count_nor_wipe_out_what_was_counted() -> None:
    assert after(FAILED, Result(Category.UNKNOWN, START)).failures == 1


def test_a_missing_template_is_a_sign_of_life() -> None:
    assert after(FAILED, Result(Category.NOT_FOUND, START)).failures == 0


def test_a_closed_circuit_needs_no_probe() -> None:
    state = CircuitState()

    assert state.due_at(LIMITS) == -math.inf
    assert state.taken(OURS, START, LIMITS) is state


# --- open -------------------------------------------------------------------------------------


def test_no_probe_is_taken_while_it_is_left_alone() -> None:
    state = opened()

    assert state.taken(OURS, START + 59.9, LIMITS) is state
    assert wait(state, START + 50) == 10


def test_after_the_hold_exactly_one_takes_the_probe() -> None:
    state = opened()

    for name in ("first", "second", "third"):
        state = state.taken(name, START + 60, LIMITS)

    assert (state.mode, state.probe) == (Mode.HALF_OPEN, "first")
    assert wait(state, START + 60) == LIMITS.probe_timeout_seconds


@pytest.mark.parametrize("sent_at", [START - 5, START, START + 70])
def test_late_results_neither_close_nor_prolong_an_open_circuit(sent_at: float) -> None:
    state = opened()

    later = after(
        *[replace(FAILED, sent_at=sent_at), answer(sent_at)] * 10, state=state, now=START + 10
    )

    assert later == state


# --- half open --------------------------------------------------------------------------------


@pytest.mark.parametrize("category", [None, Category.NOT_FOUND])
def test_the_probes_answer_closes_it(category: Category | None) -> None:
    state = after(Result(category, START + 60, OURS), state=probing(), now=START + 61)

    assert (state.mode, state.failures, state.closed_at) == (Mode.CLOSED, 0, START + 61)


def test_a_failing_probe_makes_the_hold_grow_up_to_its_cap() -> None:
    state, now, holds = opened(), START, []
    for number in range(5):
        holds.append(wait(state, now))
        now += wait(state, now)
        state = state.taken(f"{number}", now, LIMITS)
        state = after(replace(FAILED, sent_at=now, probe=f"{number}"), state=state, now=now)

    assert holds == [60, 120, 200, 200, 200]


def test_a_success_brings_the_hold_back_to_its_start() -> None:
    state = after(replace(FAILED, probe=OURS), state=probing(), now=START + 61)
    state = state.taken("second", START + 181, LIMITS)
    state = after(answer(probe="second"), state=state, now=START + 182)

    late = replace(FAILED, sent_at=START + 183)
    state = after(late, late, late, state=state, now=START + 183)

    assert wait(state, START + 183) == 60


@pytest.mark.parametrize("probe", ["", "one that was given up"])
def test_results_of_other_requests_do_not_speak_for_the_probe(probe: str) -> None:
    others = [replace(FAILED, sent_at=START + 61, probe=probe), answer(START + 61, probe)]

    assert after(*others, state=probing(), now=START + 61) == probing()


def test_late_failures_do_not_reopen_what_the_probe_has_closed() -> None:
    state = after(answer(probe=OURS), state=probing(), now=START + 61)

    assert after(*[FAILED] * 9, state=state, now=START + 62) == state


def test_a_probe_that_never_reports_is_given_up() -> None:
    state = probing()

    assert wait(state, START + 70) == 20
    assert state.taken("another", START + 89.9, LIMITS) is state
    assert state.taken("another", START + 90, LIMITS).probe == "another"


def test_a_probe_that_teaches_nothing_counts_as_lost() -> None:
    unknown = Result(Category.UNKNOWN, START + 60, OURS)

    assert after(unknown, state=probing(), now=START + 61) == probing()


def test_a_probe_that_is_given_back_is_anothers_at_once() -> None:
    state = probing().given_back(OURS)

    assert state.mode is Mode.OPEN
    assert state.taken("another", START + 60, LIMITS).probe == "another"
    assert state.given_back("") is state


def test_a_hold_is_never_longer_than_the_cap_that_one_was_told() -> None:
    assert replace(opened(), hold_seconds=1e9).due_at(LIMITS) == START + 200


# --- whom a failure speaks of -----------------------------------------------------------------

WITNESSED = replace(FAILED, witness=True)


def test_failures_in_a_row_are_a_doubt_that_a_witness_settles_at_once() -> None:
    state = after(WITNESSED, WITNESSED, WITNESSED)

    # Nobody else leaves, and the witness may be asked now; no hold has begun
    assert (state.mode, wait(state, START), state.leaves_alone) == (Mode.OPEN, 0, False)
    assert state.host == "n8n.example"
    # Its answer ends the doubt as if nothing had been
    asked = state.taken(OURS, START, LIMITS)
    state = after(answer(probe=OURS), state=asked, now=START + 1)
    assert state == CircuitState(closed_at=START + 1)


def test_a_witness_that_fails_begins_the_first_hold() -> None:
    asked = after(WITNESSED, WITNESSED, WITNESSED).taken(OURS, START, LIMITS)

    failed = replace(WITNESSED, category=Category.TIMEOUT, probe=OURS, evidence="GET /answered")
    state = after(failed, state=asked, now=START + 1)

    assert state.leaves_alone
    assert wait(state, START + 1) == 60
    assert (state.reason, state.tripped_by) == ("timeout", "GET /answered")


def test_who_has_no_witness_leaves_the_probe_to_those_who_have_one() -> None:
    state = after(replace(FAILED, probe=OURS, witness=True), state=probing(), now=START + 61)

    held = START + 61 + 120
    assert state.taken("no witness", held, LIMITS, witness=False) is state
    assert state.taken("a witness", held, LIMITS).probe == "a witness"
    later = held + WITNESS_FIRST_SECONDS
    assert state.taken("no witness", later, LIMITS, witness=False).probe == "no witness"


def test_a_doubt_that_nobody_is_left_to_settle_is_none_and_the_failures_count_on() -> None:
    # Given a process that has doubted, and died
    doubt = after(WITNESSED, replace(WITNESSED, again=True), WITNESSED)

    later = START + WITNESS_FIRST_SECONDS
    state = doubt.taken("no witness", later, LIMITS, witness=False)

    assert (state.mode, state.failures) == (Mode.CLOSED, 2)


def test_without_a_witness_only_different_paths_can_open_it() -> None:
    again = replace(FAILED, again=True)
    state = after(FAILED, FAILED, *[again] * 50)

    assert state.mode is Mode.CLOSED
    assert after(FAILED, state=state).leaves_alone


def test_a_request_that_is_refused_again_while_nobody_is_answered_raises_a_doubt() -> None:
    refused = Result(Category.RATE_LIMITED, START, witness=True)
    assert after(refused).mode is Mode.CLOSED

    again = replace(refused, again=True, nobody_answered=True)

    assert after(refused, again).mode is Mode.OPEN


def test_a_request_that_is_refused_again_while_others_are_answered_raises_none() -> None:
    refused = Result(Category.RATE_LIMITED, START, witness=True)

    assert after(refused, replace(refused, again=True)).mode is Mode.CLOSED


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"failures": 0}, "CIRCUIT_BREAKER_FAILURES must be a whole number"),
        ({"failures": 2.5}, "CIRCUIT_BREAKER_FAILURES must be a whole number"),
        ({"hold_seconds": 0}, "CIRCUIT_BREAKER_HOLD must be more than 0"),
        ({"hold_seconds": math.nan}, "CIRCUIT_BREAKER_HOLD must be more than 0"),
        ({"hold_seconds": 1_000}, "at most 900.0 seconds"),
        ({"hold_cap_seconds": math.inf}, "CIRCUIT_BREAKER_HOLD"),
        ({"growth": 0.5}, "growth must be 1 or more"),
        ({"probe_timeout_seconds": 0}, "probe time-out more than 0"),
    ],
)
def test_limits_that_make_no_sense_are_one_clear_sentence(
    setting: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        CircuitLimits(**setting)


# --- for any history --------------------------------------------------------------------------

LEGAL = {
    (Mode.CLOSED, Mode.OPEN),
    (Mode.OPEN, Mode.HALF_OPEN),
    (Mode.HALF_OPEN, Mode.CLOSED),
    (Mode.HALF_OPEN, Mode.OPEN),
    (Mode.OPEN, Mode.CLOSED),  # a doubt that nobody is left to settle
}


class CircuitHistory(RuleBasedStateMachine):
    """Drives a circuit as several processes would, whose requests report late, twice or never."""

    @initialize(
        limits=st.builds(
            CircuitLimits,
            failures=st.integers(1, 4),
            hold_seconds=st.floats(1, 100),
            growth=st.floats(1, 4),
            hold_cap_seconds=st.floats(100, 300),
            probe_timeout_seconds=st.floats(1, 100),
        )
    )
    def begin(self, limits: CircuitLimits) -> None:
        self.limits, self.state, self.now = limits, CircuitState(), START
        self.sent: list[tuple[float, str]] = []
        self.probes_of_hold, self.names = 0, 0

    def become(self, state: CircuitState) -> None:
        """Check the transition, if there is one."""
        if state.mode is not self.state.mode:
            assert (self.state.mode, state.mode) in LEGAL
            if state.mode is Mode.OPEN:
                self.probes_of_hold = 0
        self.state = state

    @rule(seconds=st.one_of(st.floats(0, 5), st.floats(0, 1_000)))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def time_passes_until_it_is_worth_asking(self) -> None:
        self.now = max(self.now, self.state.due_at(self.limits))

    @precondition(lambda self: self.state.mode is Mode.CLOSED)
    @rule()
    def a_request_leaves(self) -> None:
        self.sent.append((self.now, ""))

    @rule(witness=st.booleans())
    def a_process_asks_for_the_probe(self, witness: bool) -> None:
        self.names += 1
        name, before = f"{self.names}", self.state
        due = before.mode is not Mode.CLOSED and (
            before.due_at(self.limits, witness=witness) <= self.now
        )
        if due and before.mode is Mode.HALF_OPEN:
            self.probes_of_hold = 0  # the one before it was lost
        self.become(before.taken(name, self.now, self.limits, witness=witness))
        if self.state.probe == name:
            assert due
            self.probes_of_hold += 1
            self.sent.append((self.now, name))
        else:
            assert not due or self.state.mode is Mode.CLOSED

    @precondition(lambda self: self.sent)
    @rule(
        data=st.data(),
        category=st.sampled_from([None, *Category]),
        more=st.fixed_dictionaries(
            {"again": st.booleans(), "witness": st.booleans(), "nobody_answered": st.booleans()}
        ),
        twice=st.booleans(),
    )
    def a_request_reports(
        self, data: st.DataObject, category: Category | None, more: dict[str, bool], twice: bool
    ) -> None:
        sent_at, probe = data.draw(st.sampled_from(self.sent))
        if not twice:
            self.sent.remove((sent_at, probe))
        before = self.state
        self.become(before.heard(Result(category, sent_at, probe, **more), self.now, self.limits))
        if before.mode is Mode.OPEN or (before.mode is Mode.HALF_OPEN and probe != before.probe):
            assert self.state == before

    @rule()
    def a_person_resets_it(self) -> None:
        self.state = self.state.closed(self.now)

    @invariant()
    def at_most_one_probe_per_hold(self) -> None:
        assert self.probes_of_hold <= 1 or self.state.mode is Mode.CLOSED

    @invariant()
    def it_is_never_stuck(self) -> None:
        longest = max(self.limits.hold_cap_seconds, self.limits.probe_timeout_seconds)
        due = self.state.due_at(self.limits, witness=False)
        assert due - self.now <= longest + WITNESS_FIRST_SECONDS + 1e-6
        if self.state.mode is not Mode.CLOSED:
            asked = self.state.taken("anybody", due, self.limits, witness=False)
            assert asked.probe == "anybody" or asked.mode is Mode.CLOSED


TestCircuitHistory = CircuitHistory.TestCase
TestCircuitHistory.settings = settings(
    max_examples=at_length(150), stateful_step_count=40, deadline=None
)
