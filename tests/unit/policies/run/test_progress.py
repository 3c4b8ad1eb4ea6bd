"""How far a crawl is, in words."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.run.counts import Counts
from n8n_scraper.policies.run.progress import (
    BucketLevel,
    CrawlProgress,
    Every,
    LeftAlone,
    duration,
    pictures,
    so_many,
    soonest_first,
    summary,
    time_left,
)

HALF = CrawlProgress(
    Counts({"complete": 29, "gone": 1, "failed": 0}, 0, 30),
    elapsed_seconds=45,
    requests_per_second=2.0,
    seconds_left=45,
)
FULL = replace(HALF, bucket=BucketLevel(0.31, 5, 2.0), left_alone=(LeftAlone("n8n.io", 40.2),))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(None, "?"), (0.4, "0 s"), (59.4, "59 s"), (61, "1 min 01 s"), (7300, "2 h 01 min")],
)
def test_a_time_span_reads_as_a_person_says_it(seconds, words) -> None:
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(None, ""), (0.04, "0.0 s left"), (9.9, "9.9 s left"), (9.96, "10 s left")],
)
def test_a_short_rest_is_told_with_its_tenths(seconds, words) -> None:
    assert time_left(seconds) == words


def test_the_line_of_a_log_holds_everything() -> None:
    assert HALF.line() == (
        "30 of 60 items (50 %): 29 complete, 1 gone · 2.00 requests/s · 45 s so far · 45 s left"
    )


def test_the_line_tells_the_bucket_and_whom_we_leave_alone() -> None:
    assert "· bucket 0.3/5 · n8n.io left alone for 40 s more ·" in FULL.line()


@pytest.mark.parametrize(
    ("level", "words"),
    [
        (BucketLevel(4.75, 5, 2.0), "bucket 4.8/5"),
        (BucketLevel(0.2, 1, 1.4, learned=True), "bucket 0.2/1 at 1.40/s, learned"),
        (BucketLevel(5, 5, 0.0), "no limit"),
    ],
)
def test_a_bucket_says_its_rate_where_it_was_learned(level, words) -> None:
    assert level.words() == words


def test_a_domain_whose_time_is_over_is_being_tried() -> None:
    assert LeftAlone("n8n.io", 0.0).words() == "n8n.io being tried again"


def test_the_domain_that_is_tried_first_is_named_first() -> None:
    late, early = LeftAlone("a.io", 40), LeftAlone("b.io", 3)

    assert soonest_first([late, early]) == (early, late)


@given(width=st.integers(0, 200))
def test_details_are_never_wider_than_there_is_room(width) -> None:
    assert len(FULL.details(width)) <= width


def test_what_is_most_telling_stays_the_longest() -> None:
    assert FULL.details(90).endswith("n8n.io left alone for 40 s more · 45 s left")
    assert FULL.details(48) == "n8n.io left alone for 40 s more · 45 s left"
    assert HALF.details(40) == "29 complete, 1 gone · 45 s left"


def test_a_finished_crawl_has_no_rest() -> None:
    assert "left" not in replace(HALF, counts=Counts({"complete": 60}), seconds_left=3.0).line()


def test_every_ten_is_told_once_even_when_several_pass_at_once() -> None:
    ten = Every(10)

    assert [done for done in (0, 9, 10, 11, 35, 36, 40) if ten.is_due(done)] == [10, 35, 40]


def test_a_resumed_run_counts_its_tens_from_where_it_is() -> None:
    ten = Every(10)
    ten.begin(57)

    assert [done for done in (57, 58, 60, 61) if ten.is_due(done)] == [60]


def test_the_summary_tells_totals_success_time_and_speed() -> None:
    words = summary(
        Counts({"complete": 56, "gone": 1, "blocked": 1, "failed": 2}, unsettled=3), 60, 30.0
    )

    assert words == (
        "60 of 60 items (100 %) ended: 56 complete, 1 gone, 1 blocked, 2 failed"
        " · 95.0 % successful · 30 s · 0.50 s each · 120.0 items a minute"
    )


def test_what_came_of_the_pictures_is_told_where_some_were_asked_for() -> None:
    assert pictures(0, 0) == ""
    assert pictures(1, 3) == "1 picture stored, 3 could not be had"
    assert pictures(0, 7) == "0 pictures stored, 7 could not be had"


def test_the_summary_of_a_resumed_run_counts_the_speed_of_its_own_part() -> None:
    words = summary(Counts({"complete": 60}), 20, 30.0)

    assert "· 20 in 30 s · 1.50 s each · 40.0 items a minute" in words


def test_the_summary_of_nothing_divides_by_nothing() -> None:
    assert summary(Counts(), 0, 0.0) == "0 of 0 items ended: none · 0 s"


def test_one_thing_has_no_plural() -> None:
    assert [so_many(number, "video") for number in (0, 1, 2)] == ["0 videos", "1 video", "2 videos"]
