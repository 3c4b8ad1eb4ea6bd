"""One question for a domain: how long until the next request may leave?"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.pace.circuit import CircuitLimits, Mode
from n8n_scraper.policies.pace.domain_state import DomainState, Rules
from n8n_scraper.policies.pace.pace import LOOK_SECONDS
from n8n_scraper.policies.pace.pace_store import MemoryPaceStore
from n8n_scraper.policies.pace.token_bucket import GRACE_SECONDS, BucketLimits
from n8n_scraper.policies.pace.witnesses import Witness
from n8n_scraper.testing.clock import MovableClock
from tests.thoroughness import at_length
from tests.unit.policies.pace.alone import DOMAIN, AloneWith

START = 1_000.0
CIRCUIT = CircuitLimits(failures=3, hold_seconds=60)


def rules(rate: float = 2.0, burst: int = 5, **more: Any) -> Rules:
    return Rules(BucketLimits(rate, burst), CIRCUIT, margin=0, **more)


def alone(rate: float = 2.0, burst: int = 5) -> AloneWith:
    return AloneWith(MovableClock(START), rules(rate, burst))


def left(one: AloneWith, count: int) -> list[float]:
    return [moment - START for moment in one.leave(count)]


def doubted(one: AloneWith, category: Category = Category.SERVER_ERROR) -> AloneWith:
    for _ in range(3):
        one.hear(category, "GET /", host="n8n.io")
    return one


# --- one process ------------------------------------------------------------------------------


def test_nothing_leaves_before_it_is_known_how_the_domain_stands() -> None:
    one = alone()

    assert one.pace.wait(START) is None
    assert not one.pace.take(START)
    assert one.wait() == 0


def test_a_healthy_domain_moves_at_the_pace_of_its_bucket() -> None:
    assert left(alone(), 8) == [0, 0, 0, 0, 0, 0.5, 1.0, 1.5]


def test_no_rate_means_no_waiting_and_nothing_is_reserved() -> None:
    one = alone(rate=0)

    assert left(one, 100) == [0] * 100
    assert one.pace.state == DomainState()
    assert one.pace.available(START) == 5


def test_those_on_their_way_come_first() -> None:
    one = alone(rate=1, burst=1)

    assert one.wait() == 0
    assert one.wait(ahead=1) == 1.0
    assert one.wait(ahead=2) == 2.0


def test_the_longest_of_all_that_holds_it_back_counts() -> None:
    one = alone(rate=0.5, burst=1)
    assert one.take()
    assert one.wait() == pytest.approx(2)  # the bucket
    one.pace.crawl_delay(20)
    assert one.wait() == pytest.approx(20)  # robots
    one.hear_retry_after(30)
    assert one.wait() == pytest.approx(30)  # the server
    doubted(one, Category.TIMEOUT)
    assert one.wait() == pytest.approx(60)  # the circuit


@pytest.mark.parametrize(
    ("delay_seconds", "gap", "rate"),
    [
        (10, 10, 0.1),  # slower than the bucket: a lower bound on every gap
        (0.5, 0.5, 2.0),  # as fast: only the burst is gone
        (0.1, 0.5, 2.0),  # quicker: the bucket's own rate holds
        (0, 0.5, 2.0),  # none
        (-1, 0.5, 2.0),
        (float("nan"), 0.5, 2.0),
        (float("inf"), 0.5, 2.0),
    ],
)
def test_robots_delay_only_ever_slows_down(delay_seconds: float, gap: float, rate: float) -> None:
    one = alone()

    one.pace.crawl_delay(delay_seconds)

    departures = left(one, 30)
    assert departures[-1] - departures[-2] == pytest.approx(gap)
    assert one.rate == pytest.approx(rate)


def test_robots_delay_holds_without_a_rate_too() -> None:
    one = alone(rate=0)

    one.pace.crawl_delay(4)

    assert left(one, 3) == pytest.approx([0, 4, 8])


def test_robots_delay_counts_from_the_request_that_has_left() -> None:
    one = alone()
    one.take()

    one.pace.crawl_delay(4)

    assert left(one, 2) == pytest.approx([4, 8])


def test_after_a_429_nobody_leaves_inside_the_window() -> None:
    one = alone()
    assert one.take()

    one.hear_retry_after(30)
    one.hear(Category.RATE_LIMITED, "GET /workflows/1", sent_at=START)

    assert left(one, 3) == pytest.approx([30, 31, 32])  # and at half the pace that was refused
    assert one.pace.learned_rate == 1.0


def test_while_the_store_is_told_of_a_complaint_nothing_leaves() -> None:
    one = alone()
    assert one.wait() == 0

    with one.pace.complaining():
        assert one.pace.wait(START) is None
        assert one.pace.ask(START) is None

    assert one.take()


def test_a_complaint_of_the_slowest_pace_is_told_and_one_of_an_earlier_process_is_not() -> None:
    clock, slow = MovableClock(START), rules(floor=2.0)
    one = AloneWith(clock, slow)
    one.take()
    one.hear(Category.RATE_LIMITED)
    assert one.pace.is_at_its_floor

    clock.move(1)
    later = AloneWith(clock, slow, one.store)
    later.wait()

    assert not later.pace.is_at_its_floor


def test_a_token_that_comes_too_late_to_be_used_is_replaced_by_another() -> None:
    one = alone(rate=2, burst=1)
    assert one.wait() == 0  # it has one

    one.clock.move(10)

    assert left(one, 3) == pytest.approx([10, 10.5, 11])


def test_a_token_reserved_in_vain_is_not_lost_where_nobody_reserved_after_it() -> None:
    one = alone(rate=2, burst=1)
    one.leave(1)
    assert one.wait() == 0.5  # it has reserved the next

    missed = 0.5 + 2 * GRACE_SECONDS
    one.clock.move(missed)

    assert left(one, 2) == pytest.approx([missed, missed + 0.5])


def test_one_that_is_late_keeps_its_distance_where_nothing_may_go_in_a_burst() -> None:
    one = alone(rate=2, burst=1)
    one.leave(1)
    assert one.wait() == 0.5

    one.clock.move(0.5 + GRACE_SECONDS / 2)  # a little late for its token, which is good still

    assert left(one, 2) == pytest.approx([0.5 + GRACE_SECONDS / 2, 1.0 + GRACE_SECONDS / 2])


def test_good_answers_raise_a_learned_rate_while_requests_leave_all_the_time() -> None:
    one = AloneWith(MovableClock(START), Rules(BucketLimits(100.0, 5)))
    one.take()
    one.hear(Category.RATE_LIMITED)
    assert one.pace.learned_rate == 50

    for _ in range(100):
        one.leave(1)
        one.hear(None)
        one.look()

    assert one.pace.learned_rate == pytest.approx(50 * 1.004**100, rel=0.1)


def test_one_that_is_always_late_asks_for_what_is_due_later() -> None:
    # Given a store that takes so long to answer that what is due now is not good any more
    clock = MovableClock(START)
    one = AloneWith(clock, rules(rate=2, burst=1))
    trip = 5 * GRACE_SECONDS

    for _ in range(100):
        asked_at = clock()
        question = one.pace.ask(asked_at)
        if question is None:
            clock.move(one.pace.wait(clock()) or trip)
        else:
            seen = question(one.store)
            clock.move(trip)
            one.pace.hear(seen, asked_at=asked_at, heard_at=clock())
        if one.pace.take(clock()):
            break

    assert one.pace.stats.requests == 1


# --- the circuit ------------------------------------------------------------------------------


def test_while_the_circuit_is_not_closed_only_its_probe_leaves() -> None:
    one = doubted(alone())
    assert one.pace.circuit.leaves_alone
    one.clock.move(59)
    assert not one.take()

    one.clock.move(1)
    assert [one.take() for _ in range(3)] == [True, False, False]
    probe = one.pace.probe
    assert probe
    one.clock.move(1)
    one.hear(None, sent_at=START + 60, probe=probe)

    assert one.take()
    assert one.pace.probe == ""


def test_the_probe_waits_for_a_token_instead_of_being_lost() -> None:
    one = alone(rate=0.01, burst=1)
    assert one.take()
    doubted(one)

    one.clock.move(60)
    assert not one.take()
    assert one.pace.circuit.mode is Mode.OPEN
    one.clock.move(40)
    assert one.take()
    assert one.pace.circuit.mode is Mode.HALF_OPEN


def test_a_probe_that_never_reports_is_sent_again() -> None:
    one = doubted(alone(rate=0))
    one.clock.move(60)
    assert one.take()
    lost = one.pace.probe

    one.clock.move(CIRCUIT.probe_timeout_seconds)

    assert one.take()
    assert one.pace.probe != lost


def test_one_question_may_take_several_requests() -> None:
    one = doubted(alone(rate=0))
    one.clock.move(60)
    assert one.take()
    assert not one.take()

    one.pace.probe_goes_on()

    assert one.take()


def test_where_there_is_a_witness_nobody_else_is_the_probe() -> None:
    # Given a site in doubt that has answered an address
    one = alone()
    one.pace.witnesses.note("n8n.io", "https://n8n.io/workflows/1/")
    doubted(one)

    # Then a picture does not leave, the question to the witness does
    assert one.pace.witness == Witness("https://n8n.io/workflows/1/")
    assert not one.take()
    assert one.take(as_probe=True)
    assert one.pace.circuit.mode is Mode.HALF_OPEN


def test_after_a_witness_that_fails_another_is_asked() -> None:
    one = alone(rate=0)
    for number in (1, 2):
        one.pace.witnesses.note("n8n.io", f"https://n8n.io/workflows/{number}/")
    doubted(one)
    one.take(as_probe=True)

    one.hear(Category.TIMEOUT, probe=one.pace.probe, sent_at=START, host="n8n.io")

    assert one.pace.circuit.leaves_alone
    assert one.pace.witness == Witness("https://n8n.io/workflows/2/")


def test_a_witness_that_may_not_be_asked_keeps_nobody_waiting() -> None:
    one = alone()
    one.pace.witnesses.note("n8n.io", "https://n8n.io/workflows/1/")
    doubted(one)
    assert one.wait() == 0

    one.pace.give_up_witness()

    assert one.take()


def test_an_answer_of_one_host_says_nothing_of_another() -> None:
    one = alone()
    one.pace.witnesses.note("n8n.io", "https://n8n.io/workflows/1/")

    for _ in range(3):
        one.hear(Category.SERVER_ERROR, host="api.n8n.io")

    assert one.pace.circuit.leaves_alone
    assert one.pace.witness is None


def test_a_failure_is_the_sites_only_while_it_answers_nobody() -> None:
    one = alone()
    assert not one.pace.is_to_blame(START)  # all is well
    doubted(one)

    assert one.pace.is_to_blame(None)
    assert one.pace.is_to_blame(START - 1)
    one.clock.move(1)
    one.hear(None, sent_at=START - 0.5)  # one that was under way
    assert not one.pace.is_to_blame(START - 1)


def test_an_answer_while_all_is_well_is_not_worth_a_word_to_the_store() -> None:
    one = alone()
    one.take()

    assert one.pace.result(START, None, sent_at=START) is None


# --- several processes ------------------------------------------------------------------------


def together(count: int, rate: float = 2.0, burst: int = 5) -> list[AloneWith]:
    clock = MovableClock(START)
    store = MemoryPaceStore(clock)
    return [AloneWith(clock, rules(rate, burst), store) for _ in range(count)]


def test_two_that_share_a_store_share_its_pace() -> None:
    one, other = together(2, burst=1)

    departures = [*one.leave(1), *other.leave(1), *one.leave(1)]

    assert [moment - START for moment in departures] == [0, 0.5, 1.0]


def test_a_restart_is_nothing_special() -> None:
    one, heir = together(2, burst=1)
    one.leave(2)  # and it is killed

    assert heir.wait() == 0.5


def test_who_dies_with_a_reserved_token_wastes_it_and_no_more() -> None:
    one, heir = together(2, burst=1)
    one.leave(1)
    one.wait()  # it has reserved the next, and is killed

    assert heir.leave(2) == pytest.approx([START + 1.0, START + 1.5])


def test_what_one_hears_of_the_server_all_obey_when_they_look_next() -> None:
    one, other = together(2)
    assert one.wait() == other.wait() == 0

    one.hear_retry_after(30)
    one.clock.move(LOOK_SECONDS)
    other.look()

    assert other.wait() == pytest.approx(30 - LOOK_SECONDS)
    assert not other.take()


def test_failures_in_a_row_are_counted_over_all_and_a_success_of_one_speaks_for_all() -> None:
    one, other = together(2)
    one.hear(Category.SERVER_ERROR, sent_at=START)
    other.hear(Category.SERVER_ERROR, sent_at=START)
    one.hear(None, sent_at=START)
    other.hear(Category.SERVER_ERROR, sent_at=START)
    one.hear(Category.SERVER_ERROR, sent_at=START)
    assert not one.pace.circuit.leaves_alone

    other.hear(Category.SERVER_ERROR, sent_at=START)

    assert other.pace.circuit.leaves_alone


def test_of_all_who_wait_for_a_site_that_is_left_alone_one_has_the_probe() -> None:
    crowd = together(8, rate=0)
    for one in crowd:
        one.wait()
    doubted(crowd[0])
    crowd[0].clock.move(60)
    for one in crowd:
        one.look()

    assert [one.take() for one in crowd] == [True] + [False] * 7
    crowd[0].hear(None, sent_at=START + 60, probe=crowd[0].pace.probe)
    crowd[0].clock.move(LOOK_SECONDS)
    for one in crowd:
        one.look()
    assert all(one.take() for one in crowd)


def test_one_that_is_reset_by_hand_is_asked_again_by_all() -> None:
    one, other = together(2, rate=0)
    other.wait()
    doubted(one).wait()

    one.store.change(DOMAIN, DomainState.closed)
    one.clock.move(LOOK_SECONDS)
    for each in (one, other):
        each.look()

    assert one.take()
    assert other.take()


@given(
    rate=st.sampled_from([0.5, 2.0, 20.0, 100.0]),
    burst=st.integers(1, 6),
    steps=st.lists(
        st.tuples(
            st.integers(0, 3),  # which process
            st.sampled_from(["take", "take", "take", "take", "die", "hold", "fail", "answer"]),
            st.one_of(st.floats(0, 0.05), st.floats(0, 3)),  # how long after the one before
        ),
        max_size=60,
    ),
)
def test_whatever_several_do_the_site_never_sees_more_than_one_bucket_and_one_probe(
    rate: float, burst: int, steps: list[tuple[int, str, float]]
) -> None:
    crowd = together(4, rate, burst)
    clock, store = crowd[0].clock, crowd[0].store
    departures: list[float] = []
    silent_until, probes = START, set()
    for number, step, seconds in steps:
        clock.move(seconds)
        one = crowd[number]
        for each in crowd:  # within half a second each sees what the others have done
            each.tell(lambda state, _: state)
        match step:
            case "die":
                crowd[number] = AloneWith(clock, one.pace.rules, store)
            case "hold":
                one.hear_retry_after(5 * seconds)
                silent_until = max(silent_until, clock() + 5 * seconds)
            case "fail":
                one.hear(Category.TIMEOUT, sent_at=clock(), host="n8n.io", probe=one.pace.probe)
            case "answer":
                one.hear(None, sent_at=clock())
            case "take" if one.take():
                assert clock() >= silent_until - 1e-6
                assert one.pace.probe not in probes
                probes |= {one.pace.probe} - {""}
                departures.append(clock())
    for first, opening in enumerate(departures):
        for last in range(first, len(departures)):
            allowed = burst + rate * (departures[last] - opening + GRACE_SECONDS)
            assert last - first + 1 <= allowed + 1e-6


class SiteWithDoomedPaths(RuleBasedStateMachine):
    """Drives processes against a site of which some paths always fail, and which may go down.

    Several requests are under way at a time. One that failed is repeated, as often as the policy of
    attempts would; a witness is asked whenever the circuit wants one.
    """

    @initialize(
        failures=st.integers(1, 5),
        doomed=st.sets(st.integers(0, 40)),
        waiting=st.permutations(range(41)),
        processes=st.integers(1, 3),
    )
    def begin(self, failures: int, doomed: set[int], waiting: list[int], processes: int) -> None:
        limits = CircuitLimits(failures=failures, hold_seconds=60)
        clock = MovableClock(START)
        store = MemoryPaceStore(clock)
        given = Rules(BucketLimits(0, 5), limits)
        self.clock, self.failures = clock, failures
        self.crowd = [AloneWith(clock, given, store) for _ in range(processes)]
        self.doomed, self.waiting = doomed, waiting
        self.failed_at: dict[int, float] = {}
        self.down, self.failed_while_down = False, 0
        self.answered: set[int] = set()
        self.turn = 0

    def ask(self) -> AloneWith:
        """Let one request of the next process leave, and hear how it ends."""
        self.turn = (self.turn + 1) % len(self.crowd)
        one = self.crowd[self.turn]
        one.tell(lambda state, _: state)
        while wait := one.wait():
            self.clock.move(wait)
        self.clock.move(0.1)
        witness = one.pace.witness
        path = int(witness.url) if witness else self.waiting[0]
        assert one.take(as_probe=witness is not None)
        sent_at, probe = self.clock(), one.pace.probe
        if not witness:
            self.waiting = [*self.waiting[1:], path]
        self.clock.move(0.1)
        fails = self.down or path in self.doomed
        if not fails:
            one.pace.witnesses.note("site", str(path))
            self.answered.add(self.turn)
        one.hear(
            Category.SERVER_ERROR if fails else None,
            sent_at=sent_at,
            failed_at=None if witness else self.failed_at.get(path),
            host="site",
            probe=probe,
        )
        if fails and not witness:
            self.failed_at[path] = self.clock()
        self.failed_while_down += fails and self.down
        return one

    @property
    def all_were_answered(self) -> bool:
        return len(self.answered) == len(self.crowd)

    @rule(times=st.integers(1, 20))
    def work_goes_on(self, times: int) -> None:
        for _ in range(times):
            was_left_alone = self.crowd[self.turn].pace.circuit.leaves_alone
            one = self.ask()
            if not self.down and self.all_were_answered:
                # A healthy site is never left alone because of the paths that are doomed.
                assert was_left_alone or not one.pace.circuit.leaves_alone

    @precondition(lambda self: not self.down)
    @rule()
    def the_site_goes_down(self) -> None:
        self.down, self.failed_while_down = True, 0

    @precondition(lambda self: self.down and self.all_were_answered)
    @rule()
    def a_dead_site_is_left_alone_after_so_many_failures_and_one_question(self) -> None:
        while not self.ask().pace.circuit.leaves_alone:
            assert self.failed_while_down <= self.failures + 1

    @precondition(lambda self: self.down)
    @rule()
    def a_site_that_is_back_is_found_at_the_first_probe(self) -> None:
        self.down = False
        if self.all_were_answered and self.crowd[self.turn].pace.circuit.leaves_alone:
            assert self.ask().pace.circuit.mode is Mode.CLOSED


TestSiteWithDoomedPaths = SiteWithDoomedPaths.TestCase
TestSiteWithDoomedPaths.settings = settings(
    max_examples=at_length(100), stateful_step_count=20, deadline=None
)
