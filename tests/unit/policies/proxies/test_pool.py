"""Whose turn it is, who rests, and who is to blame."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from n8n_scraper.policies.proxies.fault import Fault
from n8n_scraper.policies.proxies.pool import Blame, Health, ProxyPool, RestLimits
from n8n_scraper.policies.proxies.proxy import Proxy
from tests.thoroughness import at_length

NOW = 1_000.0
SITE = "n8n.io"
A, B, C = (Proxy(f"{name}.example", 8080) for name in "abc")
LIMITS = RestLimits(seconds=60, cap_seconds=200)


def pool(*proxies: Proxy) -> ProxyPool:
    return ProxyPool(proxies or (A, B, C), LIMITS)


def health_of(made: ProxyPool, proxy: Proxy) -> Health:
    return dict(made.health())[proxy]


def turn(made: ProxyPool, now: float = NOW, **besides: str) -> Proxy | None:
    """Whose turn it is for a request that is back at once."""
    proxy = made.choose(now, **besides)
    if proxy is not None:
        made.is_back(proxy)
    return proxy


def fail(
    made: ProxyPool,
    proxy: Proxy,
    now: float = NOW,
    fault: Fault = Fault.BROKEN,
    target: str = SITE,
    *,
    as_trial: bool = False,
) -> float:
    """Let a request fail; give the rest that this began, or 0."""
    if made.failed(proxy, fault, target) is Blame.PROXY:
        return made.blamed(proxy, now, fault, as_trial=as_trial)
    return 0.0


def rest(made: ProxyPool, proxy: Proxy, now: float = NOW) -> float:
    """Let a proxy fail until it rests, and give for how long."""
    return next(filter(None, (fail(made, proxy, now, Fault.ABSENT) for _ in range(9))))


# --- whose turn it is -------------------------------------------------------------------------


def test_proxies_take_turns_request_by_request() -> None:
    made = pool()

    assert [turn(made) for _ in range(7)] == [A, B, C, A, B, C, A]


def test_one_that_has_not_answered_yet_comes_behind_those_that_have() -> None:
    # Given a proxy that never answers
    made = pool()
    silent = made.choose(NOW)

    # Then the others are asked while it is waited for
    assert silent is A
    assert [turn(made) for _ in range(4)] == [B, C, B, C]


def test_a_repeat_goes_through_another_proxy_where_there_is_one() -> None:
    made = pool(A, B)

    assert turn(made, besides=A.name) is B
    assert turn(made, besides=A.name) is B
    assert turn(pool(A), besides=A.name) is A


def test_while_all_rest_nobody_is_chosen() -> None:
    made = pool(A, B)
    rest(made, A), rest(made, B, NOW + 10)

    assert made.choose(NOW + 20) is None
    assert made.wait(NOW + 20) == 40
    assert turn(made, NOW + 60) is A


# --- rest and healing -------------------------------------------------------------------------


def test_the_third_failure_in_a_row_lets_it_rest() -> None:
    made = pool()

    heard = [fail(made, A) for _ in range(3)]

    assert heard == [0, 0, 60]
    assert made.resting(NOW + 59.9) == [A]
    assert made.ready(NOW + 59.9) == 2
    assert made.resting(NOW + 60) == []


def test_a_success_heals() -> None:
    made = pool()
    for _ in range(2):
        fail(made, A)

    made.worked(A, NOW, SITE)

    assert [fail(made, A) for _ in range(2)] == [0, 0]
    assert made.resting(NOW) == []


def test_after_its_rest_the_next_failure_sends_it_back_for_longer_up_to_the_cap() -> None:
    made, now = pool(), NOW
    rests = [rest(made, A)]

    for _ in range(4):
        now += rests[-1]
        rests.append(fail(made, A, now))

    assert rests == [60, 120, 200, 200, 200]


def test_one_that_works_again_is_as_good_as_new_and_that_is_told() -> None:
    made = pool()
    rest(made, A)

    assert made.worked(A, NOW + 60, SITE)
    assert not made.worked(A, NOW + 61, SITE)
    assert rest(made, A, NOW + 62) == 60


def test_an_answer_that_was_under_way_ends_a_rest() -> None:
    made = pool()
    rest(made, A)

    made.worked(A, NOW + 1, SITE)

    assert made.resting(NOW + 1) == []


def test_a_failure_that_was_under_way_does_not_prolong_a_rest() -> None:
    made = pool(A)
    rest(made, A)

    assert fail(made, A, NOW + 30) == 0
    assert made.wait(NOW + 30) == 30


def test_one_that_was_tried_in_vain_while_it_rested_rests_anew() -> None:
    made = pool(A)
    rest(made, A)

    assert fail(made, A, NOW + 30, as_trial=True) == 120
    assert made.wait(NOW + 30) == 120


# --- whose fault it is ------------------------------------------------------------------------

PICTURES = "pictures.example"


def test_a_failure_is_the_proxys_as_long_as_nothing_speaks_for_it() -> None:
    made = pool()

    assert made.failed(A, Fault.FOREIGN, SITE) is Blame.PROXY
    made.worked(A, NOW, SITE)
    made.worked(B, NOW + 1, PICTURES)
    assert made.failed(A, Fault.FOREIGN, SITE) is Blame.PROXY
    assert made.failed(C, Fault.FOREIGN, SITE) is Blame.PROXY


def test_one_that_has_carried_others_since_the_site_last_answered_is_out_of_suspicion() -> None:
    made = pool()
    made.worked(A, NOW, SITE)

    assert made.failed(A, Fault.REFUSED, PICTURES) is Blame.NOBODY
    made.worked(B, NOW + 1, PICTURES)
    assert made.failed(A, Fault.REFUSED, PICTURES) is Blame.PROXY


def test_a_site_that_many_such_proxies_asked_in_vain_is_to_blame() -> None:
    # Given a site that answered, and proxies that have carried others since
    made = pool()
    made.worked(A, NOW, SITE)
    for proxy in (A, B, C):
        made.worked(proxy, NOW + 1, PICTURES)

    blamed = [made.failed(proxy, Fault.SILENT, SITE) for proxy in (A, B, C) * 4]

    assert blamed == [Blame.NOBODY] * 9 + [Blame.SITE] * 3
    made.worked(A, NOW + 2, SITE)
    made.worked(A, NOW + 3, PICTURES)
    assert made.failed(A, Fault.SILENT, SITE) is Blame.NOBODY


@pytest.mark.parametrize("fault", [Fault.ABSENT, Fault.LOCKED])
def test_what_can_only_be_the_proxys_is_never_anybody_elses(fault: Fault) -> None:
    made = pool()
    made.worked(A, NOW, SITE)

    assert {made.failed(A, fault, PICTURES) for _ in range(20)} == {Blame.PROXY}


def test_a_rotator_is_blamed_for_itself_only_and_not_for_those_behind_it() -> None:
    rotator = Proxy("127.0.0.1", 8089, rotates=True)
    made = pool(rotator)

    assert {made.failed(rotator, Fault.BROKEN, SITE) for _ in range(20)} == {Blame.NOBODY}
    assert rest(made, rotator) == 60


def test_whether_any_worked_since_a_moment_is_known() -> None:
    made = pool()

    assert not made.worked_since(-1e9)
    made.worked(A, NOW, SITE)
    assert made.worked_since(NOW - 1)
    assert not made.worked_since(NOW)
    assert made.answered_since(SITE, NOW - 1)
    assert not made.answered_since(SITE, NOW)
    assert not made.answered_since(PICTURES, NOW - 1)


def test_a_pool_that_rests_serves_nobody() -> None:
    made = pool(A)
    assert not made.serves_nobody(NOW)

    rest(made, A)

    assert made.serves_nobody(NOW)
    assert not made.serves_nobody(NOW + 60)


def test_a_rotator_that_fails_all_the_time_serves_nobody_though_it_does_not_rest() -> None:
    rotator = Proxy("127.0.0.1", 8089, rotates=True)
    made = pool(rotator)

    for _ in range(10):
        assert not made.serves_nobody(NOW)
        made.failed(rotator, Fault.FOREIGN, SITE)

    assert made.serves_nobody(NOW)
    assert made.in_vain == [Fault.FOREIGN] * 10
    made.worked(rotator, NOW, SITE)
    assert not made.serves_nobody(NOW)


# --- another list -----------------------------------------------------------------------------


def test_another_list_keeps_what_is_known_of_those_that_stay() -> None:
    # Given one that rests and one that has had its turn
    made = pool(A, B)
    rest(made, A)
    turn(made)

    # When the list changes
    made.replace([B, A, C])

    # Then the new one comes first, and the one that rests goes on to
    assert [turn(made) for _ in range(3)] == [C, B, C]
    assert made.resting(NOW) == [A]
    assert health_of(made, B).requests == 2


def test_one_that_has_left_the_list_is_heard_without_harm() -> None:
    made = pool(A, B)
    under_way = made.choose(NOW)
    made.replace([B])

    assert under_way is A
    made.is_back(A)
    assert made.failed(A, Fault.ABSENT, SITE) is Blame.NOBODY
    assert not made.worked(A, NOW, SITE)
    assert [proxy for proxy, _ in made.health()] == [B]


# --- whatever happens -------------------------------------------------------------------------


@given(st.integers(0, 100_000), st.floats(1e-3, 1e6), st.floats(1, 100))
def test_a_rest_is_never_longer_than_the_cap(rests: int, seconds: float, more: float) -> None:
    limits = RestLimits(seconds, cap_seconds=seconds * more)

    assert 0 <= limits.rest_seconds(rests) <= limits.cap_seconds
    assert limits.rest_seconds(rests) >= min(limits.rest_seconds(max(rests - 1, 0)), seconds)


class AnyTraffic(RuleBasedStateMachine):
    """Requests that go out, come back or not, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.pool = pool()
        self.now = NOW
        self.under_way: list[Proxy] = []
        self.failures = dict.fromkeys((A, B, C), 0)

    @rule(seconds=st.floats(0, 500))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def one_leaves(self) -> None:
        resting = self.pool.resting(self.now)
        chosen = self.pool.choose(self.now)
        assert (chosen is None) == (len(resting) == 3)
        if chosen is not None:
            assert chosen not in resting
            self.under_way.append(chosen)

    @rule(which=st.integers(0, 99), fault=st.sampled_from(list(Fault)))
    def one_fails(self, which: int, fault: Fault) -> None:
        if self.under_way:
            proxy = self.under_way.pop(which % len(self.under_way))
            self.pool.is_back(proxy)
            rested = proxy in self.pool.resting(self.now)
            self.failures[proxy] += not rested
            began = fail(self.pool, proxy, self.now, fault)
            assert (began > 0) == (self.failures[proxy] >= 3 and not rested)

    @rule(which=st.integers(0, 99))
    def one_is_answered(self, which: int) -> None:
        if self.under_way:
            proxy = self.under_way.pop(which % len(self.under_way))
            self.pool.is_back(proxy)
            self.pool.worked(proxy, self.now, SITE)
            self.failures[proxy] = 0
            assert proxy not in self.pool.resting(self.now)

    @invariant()
    def the_books_agree(self) -> None:
        for proxy, health in self.pool.health():
            assert health.under_way == self.under_way.count(proxy)
            assert health.requests == health.worked + health.failed + health.under_way
        assert self.pool.ready(self.now) + len(self.pool.resting(self.now)) == 3
        assert (self.pool.wait(self.now) == 0) == (self.pool.ready(self.now) > 0)
        assert self.pool.wait(self.now) < math.inf


TestAnyTraffic = AnyTraffic.TestCase
TestAnyTraffic.settings = settings(deadline=None, max_examples=at_length(50))
