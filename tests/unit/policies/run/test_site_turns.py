"""When a site is crawled again follows from how its last crawls have ended."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.policies.run.site_turns import (
    FAILURES_IN_A_ROW,
    LONGEST_SECONDS,
    REST_SECONDS,
    Past,
    Verdict,
    standing_of,
    verdict_of,
)

HOUR = 3600.0
GOOD, FAILED, NOTHING = Verdict
NEWEST = 100 * HOUR


def pasts(*verdicts: Verdict) -> list[Past]:
    """Crawls that began an hour apart and took a minute, the newest first."""
    moments = (NEWEST - number * HOUR for number in range(len(verdicts)))
    return [Past(at, at + 60, one) for at, one in zip(moments, verdicts, strict=True)]


@pytest.mark.parametrize(
    ("status", "found", "falls_short", "verdict"),
    [
        (ExitStatus.DONE, 5, False, GOOD),
        (ExitStatus.DONE, 0, False, GOOD),  # nothing is what it always has
        (ExitStatus.DONE, 0, True, FAILED),  # it always has something
        (ExitStatus.DONE, 5, True, FAILED),
        (ExitStatus.FAILURES, 5, False, GOOD),
        (ExitStatus.FAILURES, 0, False, FAILED),
        (ExitStatus.NO_INVENTORY, 0, False, FAILED),
        (ExitStatus.SITE_DOWN, 5, False, FAILED),
        (ExitStatus.BROKEN, 0, False, FAILED),
        (ExitStatus.BAD_INPUT, 0, False, FAILED),
        (ExitStatus.WORK_LEFT, 0, True, NOTHING),
        (ExitStatus.STORE_LOST, 0, True, NOTHING),
        (None, 0, True, NOTHING),
    ],
)
def test_a_crawl_is_judged_by_its_end_and_by_what_it_brought(status, found, falls_short, verdict):
    assert verdict_of(status, found=found, falls_short=falls_short) is verdict


def test_a_site_that_was_never_crawled_is_due():
    assert standing_of([], 2 * HOUR).is_due(now=0.0)


def test_a_site_without_a_schedule_is_never_due():
    standing = standing_of(pasts(GOOD), None)

    assert standing.due_at is None
    assert not standing.is_due(now=10 * NEWEST)


@pytest.mark.parametrize("newest", [GOOD, FAILED, NOTHING])
def test_however_a_crawl_ended_the_next_is_a_whole_interval_later(newest):
    assert standing_of(pasts(newest, GOOD), 2 * HOUR).due_at == NEWEST + 2 * HOUR


def test_each_failure_after_the_first_doubles_the_pause():
    failed = [standing_of(pasts(*[FAILED] * number), 2 * HOUR).due_at for number in (1, 2, 3, 9)]

    assert failed == [NEWEST + hours * HOUR for hours in (2, 4, 8, 24)]


def test_a_crawl_that_says_nothing_neither_ends_nor_lengthens_a_row_of_failures():
    assert standing_of(pasts(NOTHING, FAILED, NOTHING, FAILED, GOOD), 2 * HOUR).failures == 2


def test_a_site_that_has_failed_three_times_in_a_row_is_left_alone_for_an_hour():
    standing = standing_of(pasts(FAILED, FAILED, FAILED, GOOD), 60.0)

    assert standing.rests_until == NEWEST + 60 + REST_SECONDS
    assert not standing.is_due(now=standing.rests_until - 1)
    assert standing.is_due(now=standing.rests_until)


def test_the_trial_after_a_rest_ends_it_or_begins_a_longer_one():
    well, badly = (standing_of(pasts(end, FAILED, FAILED, FAILED), HOUR) for end in (GOOD, FAILED))

    assert well.rests_until == 0
    assert badly.rests_until == NEWEST + 60 + 2 * REST_SECONDS


@given(st.lists(st.sampled_from(Verdict)), st.floats(1.0, 10 * LONGEST_SECONDS))
def test_the_next_time_is_always_later_than_the_last_and_never_out_of_sight(verdicts, every):
    standing = standing_of(pasts(*verdicts), every)

    if verdicts:
        wait = standing.due_at - NEWEST
        assert every * 0.999 <= wait <= max(every, LONGEST_SECONDS) * 1.001
    assert standing.rests_until <= NEWEST + 60 + LONGEST_SECONDS


@given(st.lists(st.sampled_from(Verdict)))
def test_only_as_many_failures_as_are_said_let_a_site_rest(verdicts):
    standing = standing_of(pasts(*verdicts), HOUR)
    since = verdicts[: verdicts.index(GOOD)] if GOOD in verdicts else verdicts

    assert standing.failures == since.count(FAILED)
    assert bool(standing.rests_until) == (standing.failures >= FAILURES_IN_A_ROW)
