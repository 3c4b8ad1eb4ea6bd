"""Whether a failing site may be asked at all."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from n8n_scraper.policies.failure.category import Category, speaks_of_health
from n8n_scraper.policies.pace.circuit import Circuit, CircuitLimits, CircuitState, Mode
from n8n_scraper.policies.pace.witnesses import Witness

START = 1_000.0
WALL = 1_760_000_000.0
LIMITS = CircuitLimits(failures=3, hold_seconds=60, hold_cap_seconds=200, probe_timeout_seconds=30)


def opened(limits: CircuitLimits = LIMITS) -> Circuit:
    circuit = Circuit(limits)
    for _ in range(limits.failures):
        circuit.record(START, Category.SERVER_ERROR, "GET /workflows/1: 503")
    return circuit


def probing() -> Circuit:
    circuit = opened()
    assert circuit.probe(START + 60)
    return circuit


# --- closed -----------------------------------------------------------------------------------


def test_the_tenth_failure_in_a_row_opens_it_and_says_why() -> None:
    circuit = Circuit()

    heard = [circuit.record(START, Category.TIMEOUT, f"GET /workflows/{i}") for i in range(10)]

    assert heard == [False] * 9 + [True]
    assert circuit.mode is Mode.OPEN
    assert (circuit.reason, circuit.tripped_by) == ("timeout", "GET /workflows/9")
    assert circuit.wait(START) == 60


def test_a_success_in_between_starts_the_count_anew() -> None:
    circuit = Circuit(LIMITS)

    for _ in range(5):
        circuit.record(START, Category.NETWORK)
        circuit.record(START, Category.NETWORK)
        circuit.record_success(START)

    assert circuit.mode is Mode.CLOSED


@pytest.mark.parametrize("category", [c for c in Category if not speaks_of_health(c)])
def test_what_does_not_speak_of_the_site_s_health_never_opens_it(category: Category) -> None:
    circuit = Circuit(LIMITS)

    assert not any(circuit.record(START, category) for _ in range(100))
    assert circuit.wait(START) == 0


def test_our_own_errors_neither_count_nor_wipe_out_what_was_counted() -> None:
    circuit = Circuit(LIMITS)
    circuit.record(START, Category.NETWORK)

    circuit.record(START, Category.UNKNOWN)

    assert circuit.failures == 1


def test_a_missing_template_is_a_sign_of_life() -> None:
    circuit = Circuit(LIMITS)
    circuit.record(START, Category.NETWORK)

    circuit.record(START, Category.NOT_FOUND)

    assert circuit.failures == 0


def test_a_closed_circuit_lets_everyone_in_and_needs_no_probe() -> None:
    circuit = Circuit(LIMITS)

    assert all(circuit.enter(START) for _ in range(5))
    assert not circuit.probe(START)
    assert circuit.wait(START) == 0


# --- open -------------------------------------------------------------------------------------


def test_nobody_enters_while_it_is_open() -> None:
    circuit = opened()

    assert not circuit.enter(START + 59.9)
    assert circuit.wait(START + 50) == 10


def test_after_the_hold_exactly_one_probe_leaves() -> None:
    circuit = opened()

    assert [circuit.enter(START + 60) for _ in range(5)] == [True, False, False, False, False]
    assert circuit.mode is Mode.HALF_OPEN
    assert circuit.wait(START + 60) == LIMITS.probe_timeout_seconds


def test_who_sleeps_for_the_wait_gets_the_probe() -> None:
    circuit = opened(CircuitLimits(failures=1, hold_seconds=0.1))

    now = START + 0.03
    assert circuit.probe(now + circuit.wait(now))


@pytest.mark.parametrize("sent_at", [None, START - 5, START, START + 70])
def test_late_results_neither_close_nor_prolong_an_open_circuit(sent_at: float | None) -> None:
    circuit = opened()

    for _ in range(20):
        assert not circuit.record(START + 10, Category.TIMEOUT, sent_at=sent_at)
        circuit.record_success(START + 10, sent_at=sent_at)

    assert circuit.mode is Mode.OPEN
    assert circuit.wait(START + 10) == 50
    assert circuit.tripped_by == "GET /workflows/1: 503"


# --- half open --------------------------------------------------------------------------------


def test_the_probe_s_answer_closes_it() -> None:
    circuit = probing()

    circuit.record_success(START + 61, sent_at=START + 60)

    assert circuit.mode is Mode.CLOSED
    assert circuit.failures == 0


def test_a_probe_that_finds_a_missing_template_closes_it_too() -> None:
    circuit = probing()

    circuit.record(START + 61, Category.NOT_FOUND, sent_at=START + 60)

    assert circuit.mode is Mode.CLOSED


def test_a_failing_probe_makes_the_hold_grow_up_to_its_cap() -> None:
    circuit, now, holds = opened(), START, []
    for _ in range(5):
        holds.append(circuit.wait(now))
        now += circuit.wait(now)
        assert circuit.probe(now)
        assert circuit.record(now, Category.SERVER_ERROR, sent_at=now)

    assert holds == [60, 120, 200, 200, 200]


def test_a_success_brings_the_hold_back_to_its_start() -> None:
    circuit = probing()
    circuit.record(START + 61, Category.TIMEOUT)
    assert circuit.probe(START + 61 + 120)
    circuit.record_success(START + 182)

    for _ in range(3):
        circuit.record(START + 183, Category.TIMEOUT)

    assert circuit.wait(START + 183) == 60


def test_late_results_of_earlier_requests_do_not_speak_for_the_probe() -> None:
    circuit = probing()

    assert not circuit.record(START + 61, Category.TIMEOUT, sent_at=START - 1)
    circuit.record_success(START + 61, sent_at=START - 1)

    assert circuit.mode is Mode.HALF_OPEN


def test_late_failures_do_not_reopen_what_the_probe_has_closed() -> None:
    circuit = probing()
    circuit.record_success(START + 61, sent_at=START + 60)

    late = [circuit.record(START + 62, Category.TIMEOUT, sent_at=START - 1) for _ in range(9)]

    assert not any(late)
    assert circuit.failures == 0


def test_a_probe_that_never_reports_is_given_up() -> None:
    circuit = probing()

    assert circuit.wait(START + 70) == 20
    assert not circuit.probe(START + 89.9)
    assert [circuit.probe(START + 90) for _ in range(3)] == [True, False, False]


def test_a_probe_that_teaches_nothing_counts_as_lost() -> None:
    circuit = probing()

    circuit.record(START + 61, Category.UNKNOWN, sent_at=START + 60)

    assert circuit.mode is Mode.HALF_OPEN
    assert circuit.probe(START + 90)


def test_a_person_can_reset_it() -> None:
    circuit = opened()

    circuit.reset()

    assert circuit.wait(START) == 0
    assert circuit.state(START, WALL) == CircuitState()


# --- whom a failure speaks of -----------------------------------------------------------------

PAGE = "http://n8n.example/workflows/1"


def trusted() -> Circuit:
    """A circuit that knows an address which its host has answered."""
    circuit = Circuit(LIMITS)
    circuit.witnesses.note("n8n.example", PAGE)
    return circuit


def fail(circuit: Circuit, times: int = 3, now: float = START, **more: Any) -> list[bool]:
    return [
        circuit.record(now, Category.SERVER_ERROR, "it", host="n8n.example", **more)
        for _ in range(times)
    ]


def test_failures_in_a_row_are_a_doubt_that_a_witness_settles_at_once() -> None:
    circuit = trusted()

    heard = fail(circuit)

    # Nobody else leaves, and the witness may be asked now; no hold has begun
    assert heard == [False, False, False]
    assert (circuit.mode, circuit.wait(START), circuit.leaves_alone) == (Mode.OPEN, 0, False)
    assert circuit.witness == Witness(PAGE)
    # Its answer ends the doubt as if nothing had been
    assert circuit.enter(START)
    circuit.record(START + 1, None, sent_at=START)
    assert (circuit.mode, circuit.failures, circuit.witness) == (Mode.CLOSED, 0, None)


def test_a_witness_that_fails_begins_the_first_hold_and_another_is_asked_after_it() -> None:
    circuit = trusted()
    circuit.witnesses.note("n8n.example", PAGE + "2")
    fail(circuit)
    assert circuit.enter(START)

    assert circuit.record(START + 1, Category.TIMEOUT, PAGE, sent_at=START, host="n8n.example")

    assert circuit.leaves_alone
    assert circuit.wait(START + 1) == 60
    assert (circuit.reason, circuit.tripped_by) == ("timeout", PAGE)
    assert circuit.witness == Witness(PAGE + "2")


def test_an_answer_of_one_host_says_nothing_of_another() -> None:
    circuit = trusted()

    for _ in range(3):
        opened_now = circuit.record(START, Category.SERVER_ERROR, host="api.n8n.example")

    assert opened_now
    assert circuit.witness is None


def test_without_a_witness_only_different_paths_can_open_it() -> None:
    circuit = Circuit(LIMITS)
    fail(circuit, 2)

    assert not any(fail(circuit, 50, failed_at=START - 1))
    assert circuit.mode is Mode.CLOSED
    assert fail(circuit, 1) == [True]


def test_a_request_that_is_refused_again_while_nobody_is_answered_raises_a_doubt() -> None:
    circuit = trusted()
    circuit.record(START, Category.RATE_LIMITED, host="n8n.example")
    assert circuit.mode is Mode.CLOSED

    circuit.record(START + 2, Category.RATE_LIMITED, host="n8n.example", failed_at=START)

    assert circuit.witness == Witness(PAGE)


def test_a_request_that_is_refused_again_while_others_are_answered_raises_none() -> None:
    circuit = trusted()
    circuit.record(START, Category.RATE_LIMITED, host="n8n.example")
    circuit.record(START + 1.5, None, sent_at=START + 1)

    circuit.record(START + 2, Category.RATE_LIMITED, host="n8n.example", failed_at=START)

    assert circuit.mode is Mode.CLOSED
    assert circuit.alive_since(START)
    assert not circuit.alive_since(START + 1)
    assert not circuit.alive_since(None)


def test_a_doubt_does_not_outlive_its_process() -> None:
    circuit = trusted()
    fail(circuit)

    assert circuit.state(START, WALL) == CircuitState(failures=3)


# --- restarts ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("down_seconds", "remaining"),
    [
        (0, 60),
        (25, 35),  # the rest of the hold
        (60, 0),  # over meanwhile: a probe is due
        (86_400, 0),
        (-10, 60),  # the wall clock was set back: once more from now,
        (-86_400, 60),  # but never longer than the hold
    ],
)
def test_a_restart_keeps_it_open_for_the_rest_of_its_hold(
    down_seconds: float, remaining: float
) -> None:
    state = opened().state(START, WALL)

    circuit = Circuit(LIMITS, state, now=7.0, now_wall=WALL + down_seconds)

    assert circuit.mode is Mode.OPEN
    assert circuit.wait(7.0) == pytest.approx(remaining)
    assert circuit.reason == "server_error"
    assert circuit.tripped_by == "GET /workflows/1: 503"


def test_a_probe_that_was_out_is_asked_again_after_a_restart() -> None:
    state = probing().state(START + 70, WALL)

    circuit = Circuit(LIMITS, state, now=7.0, now_wall=WALL)

    assert circuit.enter(7.0)


def test_failures_counted_so_far_survive_a_restart() -> None:
    before = Circuit(LIMITS)
    before.record(START, Category.NETWORK)
    before.record(START, Category.NETWORK)

    circuit = Circuit(LIMITS, before.state(START, WALL), now=7.0, now_wall=WALL)

    assert circuit.record(7.0, Category.NETWORK)


@pytest.mark.parametrize(
    ("state", "wait"),
    [
        (CircuitState(3, WALL, 1e9), 200),  # a hold beyond the cap
        (CircuitState(3, WALL, math.inf), 200),
        (CircuitState(3, WALL, -5), 60),  # no hold at all: the usual one
        (CircuitState(3, WALL, math.nan), 60),
        (CircuitState(3, math.nan, 60), 60),
        (CircuitState(3, math.inf, 60), 60),
        (CircuitState(3, -math.inf, 60), 60),
        (CircuitState(-3), 0),
    ],
)
def test_a_state_that_makes_no_sense_never_holds_longer_than_the_cap(
    state: CircuitState, wait: float
) -> None:
    circuit = Circuit(LIMITS, state, now=7.0, now_wall=WALL)

    assert circuit.wait(7.0) == wait
    assert circuit.failures >= 0


def test_a_restart_needs_the_wall_time() -> None:
    with pytest.raises(ValueError, match="now_wall"):
        Circuit(LIMITS, CircuitState())


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
}


class CircuitHistory(RuleBasedStateMachine):
    """Drives a circuit as a crawl would, with requests that report late, twice or never."""

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
        self.limits = limits
        self.circuit = Circuit(limits)
        self.now = START
        self.offset = WALL  # wall time minus this process's clock
        self.mode = Mode.CLOSED
        self.sent: list[float] = []
        self.probe_at = -math.inf
        self.probes_of_hold = 0

    def watch(self) -> None:
        """Check the transition that an operation made, if any."""
        if self.circuit.mode is not self.mode:
            assert (self.mode, self.circuit.mode) in LEGAL
            if self.circuit.mode is Mode.OPEN:
                self.probes_of_hold = 0
        self.mode = self.circuit.mode

    @rule(seconds=st.one_of(st.floats(0, 5), st.floats(0, 1_000)))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def time_passes_until_it_is_worth_asking(self) -> None:
        self.now += self.circuit.wait(self.now)

    @rule()
    def a_request_asks_to_enter(self) -> None:
        allowed, lost = self.circuit.wait(self.now) <= 0, self.mode is Mode.HALF_OPEN
        entered = self.circuit.enter(self.now)

        assert entered == allowed
        if not entered:
            return
        if self.mode is not Mode.CLOSED:
            assert self.circuit.mode is Mode.HALF_OPEN
            if lost:
                timeout = self.limits.probe_timeout_seconds
                assert self.now - self.probe_at >= timeout - 1e-9
                self.probes_of_hold = 0
            self.probes_of_hold += 1
            self.probe_at = self.now
        self.sent.append(self.now)
        self.watch()

    @precondition(lambda self: self.sent)
    @rule(data=st.data(), category=st.sampled_from([None, *Category]), again=st.booleans())
    def a_request_reports(
        self, data: st.DataObject, category: Category | None, again: bool
    ) -> None:
        sent_at = data.draw(st.sampled_from(self.sent))
        if not again:
            self.sent.remove(sent_at)
        opened_now = self.circuit.record(self.now, category, "it", sent_at=sent_at)
        assert opened_now == (self.mode is not Mode.OPEN and self.circuit.mode is Mode.OPEN)
        if self.mode is Mode.OPEN:
            assert self.circuit.mode is Mode.OPEN
        if self.mode is Mode.HALF_OPEN and sent_at < self.probe_at:
            assert self.circuit.mode is Mode.HALF_OPEN
        self.watch()

    @rule(clock=st.floats(0, 1e6), down=st.floats(0, 100), step=st.sampled_from([0, -3_600, 3_600]))
    def the_process_restarts(self, clock: float, down: float, step: float) -> None:
        before = self.circuit.wait(self.now)
        wall = self.now + self.offset
        state = self.circuit.state(self.now, wall)
        self.now, self.offset, self.sent = clock, wall + down + step - clock, []

        self.circuit = Circuit(self.limits, state, now=self.now, now_wall=self.now + self.offset)

        assert (self.circuit.mode is Mode.CLOSED) == (self.mode is Mode.CLOSED)
        if step == 0 and self.mode is Mode.OPEN:
            assert self.circuit.wait(self.now) == pytest.approx(max(0, before - down), abs=1e-4)
        self.mode, self.probes_of_hold = self.circuit.mode, 0

    @rule()
    def a_person_resets_it(self) -> None:
        self.circuit.reset()
        self.mode = self.circuit.mode
        assert self.circuit.wait(self.now) == 0

    @invariant()
    def at_most_one_probe_per_hold(self) -> None:
        assert self.probes_of_hold <= 1 or self.mode is Mode.CLOSED

    @invariant()
    def it_is_never_stuck(self) -> None:
        longest = max(self.limits.hold_cap_seconds, self.limits.probe_timeout_seconds)
        wait = self.circuit.wait(self.now)
        assert 0 <= wait <= longest + 1e-6
        assert self.circuit.wait(self.now + wait) == 0


TestCircuitHistory = CircuitHistory.TestCase
TestCircuitHistory.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)


class SiteWithDoomedPaths(RuleBasedStateMachine):
    """Drives a circuit against a site of which some paths always fail, and which may go down.

    Several requests are under way at a time. One that failed is repeated, as often as the policy of
    attempts would; a witness is asked whenever the circuit wants one.
    """

    @initialize(
        failures=st.integers(1, 5),
        doomed=st.sets(st.integers(0, 40)),
        waiting=st.permutations(range(41)),
    )
    def begin(self, failures: int, doomed: set[int], waiting: list[int]) -> None:
        self.circuit = Circuit(CircuitLimits(failures=failures, hold_seconds=60))
        self.doomed, self.waiting = doomed, waiting
        self.failed_at: dict[int, float] = {}
        self.now, self.down, self.failed_while_down = START, False, 0
        self.answered_once = False

    def ask(self) -> None:
        """Let one request leave, as the scheduler would, and hear how it ends."""
        self.now += self.circuit.wait(self.now) + 0.1
        sent_at, witness = self.now, self.circuit.witness
        assert self.circuit.enter(sent_at)
        path = int(witness.url) if witness else self.waiting[0]
        if not witness:
            self.waiting = [*self.waiting[1:], path]
        self.now += 0.1
        fails = self.down or path in self.doomed
        if not fails:
            self.circuit.witnesses.note("site", str(path))
        self.circuit.record(
            self.now,
            Category.SERVER_ERROR if fails else None,
            sent_at=sent_at,
            failed_at=None if witness else self.failed_at.get(path),
            host="site",
        )
        if fails and not witness:
            self.failed_at[path] = self.now
        self.answered_once |= not fails
        self.failed_while_down += fails and self.down

    @rule(times=st.integers(1, 20))
    def work_goes_on(self, times: int) -> None:
        for _ in range(times):
            was_left_alone = self.circuit.leaves_alone
            self.ask()
            if not self.down and self.answered_once:
                # A healthy site is never left alone because of the paths that are doomed,
                assert was_left_alone or not self.circuit.leaves_alone

    @precondition(lambda self: not self.down)
    @rule()
    def the_site_goes_down(self) -> None:
        self.down, self.failed_while_down = True, 0

    @precondition(lambda self: self.down and self.answered_once)
    @rule()
    def a_dead_site_is_left_alone_after_so_many_failures_and_one_question(self) -> None:
        while not self.circuit.leaves_alone:
            self.ask()
            assert self.failed_while_down <= self.circuit.limits.failures + 1

    @precondition(lambda self: self.down)
    @rule()
    def a_site_that_is_back_is_found_at_the_first_probe(self) -> None:
        self.down = False
        if self.answered_once and self.circuit.leaves_alone:
            self.ask()
            assert self.circuit.mode is Mode.CLOSED


TestSiteWithDoomedPaths = SiteWithDoomedPaths.TestCase
TestSiteWithDoomedPaths.settings = settings(max_examples=150, stateful_step_count=20, deadline=None)
