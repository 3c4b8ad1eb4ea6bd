"""What is wrong, by figures of one moment."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.policies.alerts.figures import (
    CircuitFigures,
    CoverageFigures,
    RunFigures,
    Watched,
)
from n8n_scraper.policies.alerts.rules import (
    LEAST_ITEMS,
    LEAST_RUNS,
    LEAST_SLOWER_SECONDS,
    Rule,
    Thresholds,
    findings,
    looked_at,
    slowest_usual,
)

WELL = RunFigures(
    source="n8n",
    run_id="20260101T000000-ab12",
    noun="templates",
    has_ended=True,
    is_over=True,
    exit_status=0,
    items=100,
    had=100,
    ended_lately=100,
    seconds=600.0,
    earlier_seconds=(590.0, 600.0, 610.0, 605.0, 595.0),
)
LIVE = replace(WELL, has_ended=False, is_over=False, exit_status=None)
BARS = Thresholds(coverage={"n8n": {"title": 0.99}})


def rules(run: RunFigures, thresholds: Thresholds = BARS) -> list[Rule]:
    return [one.rule for one in findings(Watched((run,)), thresholds)]


@pytest.mark.parametrize("run", [WELL, LIVE])
def test_of_a_run_that_is_well_nothing_is_told(run: RunFigures) -> None:
    assert rules(run) == []


@pytest.mark.parametrize("status", list(ExitStatus))
def test_a_run_has_failed_unless_it_ended_or_was_stopped_in_order(status: ExitStatus) -> None:
    well = {ExitStatus.DONE, ExitStatus.FAILURES, ExitStatus.WORK_LEFT, ExitStatus.WORKED_ON}

    told = rules(replace(WELL, exit_status=status))

    assert told == ([] if status in well else [Rule.RUN_FAILED])


def test_a_run_is_stale_when_it_has_been_silent_for_as_long_as_that_takes() -> None:
    silent = replace(LIVE, is_stale=True, silent_seconds=599.0)

    assert rules(silent) == []
    assert rules(replace(silent, silent_seconds=600.0)) == [Rule.RUN_STALE]


@pytest.mark.parametrize("items", [0, 50])
def test_a_run_that_ended_in_order_and_brought_nothing_is_told(items: int) -> None:
    assert rules(replace(WELL, items=items, had=0, ended_lately=0)) == [Rule.NOTHING]


def test_a_run_that_was_stopped_before_it_brought_anything_is_none_of_that() -> None:
    assert rules(replace(WELL, is_over=False, exit_status=4, had=0, ended_lately=0)) == []


@given(ended=st.integers(0, 500), share=st.floats(0, 1))
def test_the_rate_of_errors_is_taken_of_enough_items_only(ended: int, share: float) -> None:
    unsettled = int(ended * share)

    told = rules(replace(LIVE, ended_lately=ended, unsettled_lately=unsettled))

    assert (Rule.ERROR_RATE in told) == (ended >= LEAST_ITEMS and unsettled / ended > 0.1)


def test_a_run_under_way_is_slow_before_it_has_ended() -> None:
    limit = slowest_usual(WELL.earlier_seconds)
    assert limit is not None

    assert rules(replace(LIVE, seconds=limit)) == []
    assert rules(replace(LIVE, seconds=limit + 1)) == [Rule.SLOW]


def test_without_a_history_no_run_is_slow() -> None:
    short = WELL.earlier_seconds[: LEAST_RUNS - 1]

    assert rules(replace(LIVE, seconds=1e9, earlier_seconds=short)) == []


@given(earlier=st.lists(st.floats(0, 1e6), min_size=LEAST_RUNS, max_size=30))
def test_what_is_slow_takes_longer_than_nearly_all_before_it_and_by_a_minute(
    earlier: list[float],
) -> None:
    limit = slowest_usual(tuple(earlier))

    assert limit is not None
    assert limit >= sorted(earlier)[int(0.95 * (len(earlier) - 1))] + LEAST_SLOWER_SECONDS
    assert limit == slowest_usual(tuple(reversed(earlier)))


def test_the_limit_is_the_95th_percentile_and_twice_the_deviation() -> None:
    assert slowest_usual((0.0, 100.0, 200.0, 300.0, 400.0)) == pytest.approx(380 + 2 * 141.4214)


def test_an_open_circuit_has_to_be_open_for_a_while() -> None:
    seen = Watched(circuits=(CircuitFigures("n8n.io", "timeout", closed_at=5.0),))

    (one,) = findings(seen, Thresholds(circuit_seconds=600.0))

    assert (one.key, one.for_seconds, one.not_before) == ("circuit_open:n8n.io", 600.0, 5.0)


@pytest.mark.parametrize(
    ("share", "is_wrong"), [(1.0, False), (0.99, False), (0.98, True), (None, True)]
)
def test_a_field_is_held_to_its_bar(share: float | None, is_wrong: bool) -> None:
    seen = Watched(coverage=(CoverageFigures("n8n", "title", share),))

    assert bool(findings(seen, BARS)) is is_wrong


def test_a_field_without_a_bar_is_held_to_none() -> None:
    assert findings(Watched(coverage=(CoverageFigures("n8n", "slug", 0.0),)), BARS) == []


def test_of_what_was_not_looked_at_nothing_is_known() -> None:
    assert looked_at(Watched(circuits=())) == frozenset(Rule) - {Rule.COVERAGE}
    assert looked_at(Watched(coverage=())) == frozenset(Rule) - {Rule.CIRCUIT_OPEN}


def test_two_runs_of_a_source_make_one_alert_of_a_kind() -> None:
    bad = replace(WELL, exit_status=1)

    found = findings(Watched((bad, replace(bad, run_id="older"))), BARS)

    assert [one.key for one in found] == ["run_failed:n8n"]
    assert bad.run_id in found[0].words
