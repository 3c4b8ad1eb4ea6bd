"""Which tool is asked first, which next, and which result is kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.tools.coverage import Coverage, coverage_of
from n8n_scraper.policies.tools.ladder import (
    AGAIN_AFTER,
    ENOUGH,
    Attempt,
    Tool,
    after,
    better,
    in_order,
)

ALL = tuple(Tool)
NOW = 1_800_000_000.0
HTTP, FIRECRAWL, DEVTOOLS, PLAYWRIGHT = ALL
ATTEMPTS = st.lists(
    st.builds(
        Attempt,
        tool=st.sampled_from(Tool),
        at=st.floats(NOW - 10 * AGAIN_AFTER, NOW),
        coverage=st.none() | st.floats(0, 1),
        seconds=st.floats(0, 200),
        cost=st.floats(0, 5),
    ),
    max_size=40,
)


def tried(tool: Tool, *coverages: float | None, ago: float = 60.0) -> list[Attempt]:
    """Attempts of one tool, the last of them so many seconds ago."""
    return [
        Attempt(tool, NOW - ago - place, coverage, 1.0, 0.0)
        for place, coverage in enumerate(reversed(coverages))
    ]


def covering(share: float, items: int = 10) -> Coverage:
    return coverage_of(
        [{"title": "x" if n < share * items else ""} for n in range(items)], ["title"]
    )


def test_the_cheapest_begins() -> None:
    assert in_order(reversed(ALL), [], NOW) == ALL


def test_three_times_well_in_a_row_puts_a_tool_first() -> None:
    attempts = [*tried(HTTP, 0.2), *tried(DEVTOOLS, 0.96, 0.97, 1.0)]

    assert in_order(ALL, attempts, NOW) == (FIRECRAWL, DEVTOOLS, PLAYWRIGHT, HTTP)


@pytest.mark.parametrize("coverages", [(1.0, 1.0), (1.0, 1.0, 1.0, 0.94), (1.0, 1.0, None)])
def test_less_than_that_does_not(coverages: tuple[float | None, ...]) -> None:
    assert in_order(ALL, tried(DEVTOOLS, *coverages), NOW) == ALL


def test_of_two_that_do_well_the_cheaper_goes_first() -> None:
    attempts = [*tried(HTTP, 0.1), *tried(FIRECRAWL, 1, 1, 1), *tried(PLAYWRIGHT, 1, 1, 1)]

    assert in_order(ALL, attempts, NOW)[0] is FIRECRAWL


def test_a_cheaper_one_that_was_found_wanting_is_tried_again_after_a_day() -> None:
    well = tried(PLAYWRIGHT, 1, 1, 1)
    lately = [*well, *tried(HTTP, 0.1, ago=AGAIN_AFTER - 60)]
    long_ago = [*well, *tried(HTTP, 0.1, ago=AGAIN_AFTER)]

    assert in_order([HTTP, PLAYWRIGHT], lately, NOW) == (PLAYWRIGHT, HTTP)
    assert in_order([HTTP, PLAYWRIGHT], long_ago, NOW) == (HTTP, PLAYWRIGHT)


@given(tools=st.sets(st.sampled_from(Tool)), attempts=ATTEMPTS)
def test_each_tool_of_the_source_is_asked_once_and_no_other(
    tools: set[Tool], attempts: list[Attempt]
) -> None:
    order = in_order(tools, attempts, NOW)

    assert set(order) == tools
    assert len(order) == len(tools)


@given(attempts=ATTEMPTS)
def test_the_order_in_which_attempts_are_told_does_not_matter(attempts: list[Attempt]) -> None:
    distinct = list({attempt.at: attempt for attempt in attempts}.values())

    assert in_order(ALL, distinct, NOW) == in_order(ALL, reversed(distinct), NOW)


def test_below_what_is_enough_the_next_tool_is_asked() -> None:
    assert after(HTTP, ALL, covering(0.6)) is FIRECRAWL
    assert after(HTTP, ALL, covering(0.7)) is None


def test_a_tool_that_brought_no_answer_is_followed_by_the_next() -> None:
    assert after(DEVTOOLS, ALL, None) is PLAYWRIGHT


def test_after_the_last_there_is_none() -> None:
    assert after(PLAYWRIGHT, ALL, covering(0.0)) is None


def test_fuller_items_are_better_than_many_that_hold_little() -> None:
    events, menu = (covering(0.6, items=5), "events"), (covering(0.1, items=1000), "menu")

    assert better(menu, events) == events
    assert better(events, menu) == events


def test_from_what_is_enough_on_more_is_better() -> None:
    few, many = (covering(1.0, items=3), "few"), (covering(0.8, items=50), "many")

    assert better(many, few) == many


@given(share=st.floats(0, 1))
def test_what_is_enough_beats_what_is_not(share: float) -> None:
    enough, other = (covering(ENOUGH), "enough"), (covering(share, items=1000), "other")

    best = better(other, enough)

    assert best == enough or best[0].share >= ENOUGH


def test_a_result_is_better_than_none() -> None:
    nothing = (coverage_of([], ["title"]), "nothing")

    assert better(nothing, None) == nothing
