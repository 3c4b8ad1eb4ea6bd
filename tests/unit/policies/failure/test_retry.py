"""Whether a failed request is asked again, and when."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.failure.retry import DEFAULT, FINAL, RetryDecision, RetryRule, RetryTable

TABLE = RetryTable()


def middle() -> float:
    return 0.5


@pytest.mark.parametrize(
    "category",
    [
        Category.NETWORK,
        Category.TIMEOUT,
        Category.DNS,
        Category.RATE_LIMITED,
        Category.SERVER_ERROR,
        Category.TRUNCATED,
        Category.BAD_CONTENT,
    ],
)
def test_three_attempts_are_two_waits_of_one_and_two_seconds(category: Category) -> None:
    decisions = [TABLE.decide(category, attempt, random=middle) for attempt in (1, 2, 3)]

    assert [decision.again_after for decision in decisions] == [1.0, 2.0, None]
    assert all(decision.burns_attempt for decision in decisions)


@pytest.mark.parametrize(
    "category",
    [
        Category.NOT_FOUND,
        Category.GONE,
        Category.AUTH,
        Category.FORBIDDEN,
        Category.BLOCKED,
    ],
)
def test_an_answer_that_will_not_change_is_asked_for_once(category: Category) -> None:
    assert TABLE.decide(category, 1, random=middle).again_after is None
    assert TABLE.decide(category, 1, random=middle, server_wait=5).again_after is None


def test_what_nobody_foresaw_gets_one_more_chance() -> None:
    assert TABLE.decide(Category.UNKNOWN, 1, random=middle).again_after is not None
    assert TABLE.decide(Category.UNKNOWN, 2, random=middle).again_after is None


def test_what_a_proxy_failed_is_asked_again_at_once() -> None:
    decisions = [TABLE.decide(Category.PROXY, attempt, random=middle) for attempt in range(1, 6)]

    assert [decision.again_after for decision in decisions] == [0, 0, 0, 0, None]


def test_every_category_has_a_rule() -> None:
    assert set(DEFAULT) == set(Category)


def test_waits_double_up_to_the_cap() -> None:
    rule = RetryRule(attempts=10)

    waits = [rule.wait_seconds(attempt) for attempt in range(1, 10)]

    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert rule.wait_seconds(1_000_000) == 60
    assert RetryRule(attempts=3, base_seconds=0).wait_seconds(1_000_000) == 0


# --- the server's word ------------------------------------------------------------------------


def test_waiting_at_the_server_s_word_burns_no_attempt() -> None:
    decision = TABLE.decide(Category.RATE_LIMITED, 1, random=middle, server_wait=30)

    assert decision == RetryDecision(31, burns_attempt=False)


def test_a_complaint_about_this_request_alone_burns_one() -> None:
    decisions = [
        TABLE.decide(Category.RATE_LIMITED, attempt, random=middle, server_wait=5, may_park=False)
        for attempt in (1, 2, 3)
    ]

    assert decisions == [RetryDecision(6), RetryDecision(7), RetryDecision(None)]


def test_whoever_was_refused_comes_behind_all_that_waited_at_the_server_s_word() -> None:
    decision = TABLE.decide(Category.SERVER_ERROR, 1, random=middle, server_wait=20)

    assert decision == RetryDecision(21)


def test_a_server_that_says_wait_for_ever_is_given_up_at_last() -> None:
    waits = 0
    parked, attempt = 0, 1
    while True:
        decision = TABLE.decide(
            Category.RATE_LIMITED, attempt, random=middle, server_wait=2, parked=parked
        )
        if decision.again_after is None:
            break
        waits += 1
        parked += not decision.burns_attempt
        attempt += decision.burns_attempt

    assert waits == TABLE.parks + 2


def test_a_word_of_zero_seconds_does_not_make_us_hammer() -> None:
    decision = TABLE.decide(Category.RATE_LIMITED, 1, random=middle, server_wait=0)

    assert decision == RetryDecision(1.0, burns_attempt=False)


@pytest.mark.parametrize(
    ("server_wait", "seconds"),
    [
        (None, 1.0),  # our own wait
        (0.5, 1.5),  # one after the other
        (120.0, 121.0),  # longer even than our cap
    ],
)
def test_another_failure_obeys_the_server_too_but_burns_an_attempt(
    server_wait: float | None, seconds: float
) -> None:
    decision = TABLE.decide(Category.SERVER_ERROR, 1, random=middle, server_wait=server_wait)

    assert decision == RetryDecision(seconds, burns_attempt=True)


# --- settings ---------------------------------------------------------------------------------


def test_a_setting_changes_only_what_it_names() -> None:
    table = RetryTable.from_mapping({"network": {"attempts": 5, "jitter": 0}}, parks=3)

    assert table.rules[Category.NETWORK] == RetryRule(attempts=5, jitter=0)
    assert table.rules[Category.TIMEOUT] == DEFAULT[Category.TIMEOUT]
    assert table.parks == 3


@pytest.mark.parametrize("nothing", [None, {}])
def test_no_setting_means_the_default_table(nothing: dict[str, Any] | None) -> None:
    assert RetryTable.from_mapping(nothing).rules == DEFAULT


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ([1], "RETRY_RULES must map categories to rules"),
        ({"netwrok": {}}, "RETRY_RULES knows no category 'netwrok'; there are network, timeout"),
        ({"network": 3}, r'RETRY_RULES\["network"\] must be a mapping of attempts, base_seconds'),
        ({"network": {"retries": 3}}, r'RETRY_RULES\["network"\] must be a mapping of attempts'),
        ({"network": {"attempts": 0}}, r'RETRY_RULES\["network"\]: attempts must be a whole'),
        ({"network": {"attempts": 2.5}}, "attempts must be a whole number from 1"),
        ({"network": {"attempts": True}}, "attempts must be a whole number from 1"),
        ({"network": {"base_seconds": -1}}, "base_seconds must be a number of seconds from 0"),
        ({"network": {"base_seconds": "1"}}, "base_seconds must be a number of seconds from 0"),
        ({"network": {"factor": 0.5}}, "factor must be a number from 1"),
        ({"network": {"cap_seconds": float("inf")}}, "cap_seconds must be a number of seconds"),
        ({"network": {"jitter": 1.0}}, "jitter must be a share from 0 to below 1"),
        ({"network": {"jitter": float("nan")}}, "jitter must be a share from 0 to below 1"),
        ({"not_found": {"attempts": 3}}, r'RETRY_RULES\["not_found"\] must keep 1 attempt'),
    ],
)
def test_a_setting_that_makes_no_sense_is_one_clear_sentence(setting: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        RetryTable.from_mapping(setting)


# --- for any rule -----------------------------------------------------------------------------

rules = st.builds(
    RetryRule,
    attempts=st.integers(1, 50),
    base_seconds=st.floats(0, 100),
    factor=st.floats(1, 10),
    cap_seconds=st.floats(0, 1_000),
    jitter=st.floats(0, 0.99),
)
draws = st.floats(0, 1)


@given(rule=rules, attempt=st.integers(1, 2_000), draw=draws)
def test_a_wait_is_within_its_jitter_and_never_above_the_cap(
    rule: RetryRule, attempt: int, draw: float
) -> None:
    steady = rule.wait_seconds(attempt)

    wait = rule.wait_seconds(attempt, draw)

    assert wait <= rule.cap_seconds
    assert steady * (1 - rule.jitter) - 1e-9 <= wait <= steady * (1 + rule.jitter) + 1e-9


@given(rule=rules, attempt=st.integers(1, 200), draw=draws)
def test_waits_never_shrink_from_one_attempt_to_the_next(
    rule: RetryRule, attempt: int, draw: float
) -> None:
    assert rule.wait_seconds(attempt, draw) <= rule.wait_seconds(attempt + 1, draw) + 1e-9


@given(
    category=st.sampled_from(Category),
    attempt=st.integers(1, 100),
    draw=draws,
    server_wait=st.one_of(st.none(), st.floats(0, 3_600)),
    parked=st.integers(0, 50),
)
def test_no_request_comes_back_before_the_server_allows_or_after_its_last_attempt(
    category: Category, attempt: int, draw: float, server_wait: float | None, parked: int
) -> None:
    decision = TABLE.decide(
        category, attempt, random=lambda: draw, server_wait=server_wait, parked=parked
    )

    if decision.again_after is None:
        assert category in FINAL or attempt >= DEFAULT[category].attempts
    else:
        assert decision.again_after >= (server_wait or 0)
        assert category not in FINAL
