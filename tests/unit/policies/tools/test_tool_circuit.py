"""When a tool rests, and when it is tried again."""

from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.tools.tool_circuit import FAILURES_IN_A_ROW, RestLimits, ToolCircuit

LIMITS = RestLimits(hold_seconds=60.0, cap_seconds=200.0, probe_seconds=30.0)


def after_failures(number: int, now: float = 0.0) -> ToolCircuit:
    circuit = ToolCircuit()
    for _ in range(number):
        circuit = circuit.failed(now, LIMITS)
    return circuit


def test_two_failures_in_a_row_let_it_go_on() -> None:
    assert after_failures(FAILURES_IN_A_ROW - 1).rest(0.0) == 0.0


def test_the_third_begins_a_rest_that_ends() -> None:
    resting = after_failures(FAILURES_IN_A_ROW)

    assert [resting.rest(now) for now in (0.0, 59.0, 60.0)] == [60.0, 1.0, 0.0]


def test_an_answer_in_between_makes_it_none_in_a_row() -> None:
    circuit = after_failures(FAILURES_IN_A_ROW - 1).worked().failed(0.0, LIMITS)

    assert circuit.rest(0.0) == 0.0


def test_after_a_rest_one_request_tries_and_the_others_wait_for_its_end() -> None:
    trying = after_failures(FAILURES_IN_A_ROW).asked(60.0, LIMITS)

    assert trying.rest(60.0) == 30.0
    assert trying.worked().rest(60.0) == 0.0
    assert trying.ended().rest(60.0) == 0.0


def test_each_trial_that_fails_begins_a_longer_rest_up_to_the_cap() -> None:
    circuit, now, rests = after_failures(FAILURES_IN_A_ROW), 60.0, []

    for _ in range(3):
        circuit = circuit.asked(now, LIMITS).failed(now, LIMITS)
        rests.append(circuit.rest(now))
        now += circuit.rest(now)

    assert rests == [120.0, 200.0, 200.0]


def test_the_tools_own_word_is_heeded_at_its_first_failure() -> None:
    circuit = ToolCircuit().failed(0.0, LIMITS, wait_seconds=25.0)

    assert circuit.rest(0.0) == 25.0
    assert circuit.worked() == ToolCircuit()


@given(st.lists(st.sampled_from(["asked", "worked", "failed", "ended", "later"]), max_size=40))
def test_whatever_happens_no_rest_is_longer_than_the_cap(events: list[str]) -> None:
    circuit, now = ToolCircuit(), 0.0
    for event in events:
        match event:
            case "asked" if not circuit.rest(now):
                circuit = circuit.asked(now, LIMITS)
            case "worked":
                circuit = circuit.worked()
            case "ended":
                circuit = circuit.ended()
            case "failed":
                circuit = circuit.failed(now, LIMITS)
            case "later":
                now += 50.0
        assert 0.0 <= circuit.rest(now) <= LIMITS.cap_seconds
