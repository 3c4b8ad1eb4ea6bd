"""What a crawl says at its end, and the status it leaves."""

from dataclasses import replace
from functools import partial

import pytest

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.item import Outcome
from n8n_scraper.core.source import Noun
from n8n_scraper.policies.run import ending
from n8n_scraper.policies.run.ending import meaning_of
from n8n_scraper.policies.run.going_on import GoingOn

COMMAND = "scrapy crawl workflows -s JOBDIR=state"
GOING_ON = GoingOn("2026-ab", COMMAND, {}, "state")
ending_of = partial(ending.ending_of, going_on=GOING_ON)
spoilt = partial(ending.spoilt, going_on=GOING_ON)
ALL_WELL = {Outcome.COMPLETE: 3, Outcome.GONE: 1}


@pytest.mark.parametrize(
    ("reason", "more", "status", "run_status"),
    [
        ("finished", {}, ExitStatus.DONE, "finished"),
        # Something ended, but not for good
        ("finished", {"unsettled": 1}, ExitStatus.FAILURES, "finished"),
        # Somebody stopped it
        ("shutdown", {"left": 5}, ExitStatus.WORK_LEFT, "stopped"),
        ("shutdown", {"left": 5, "unsettled": 1}, ExitStatus.WORK_LEFT, "stopped"),
        # Even when it stopped with nothing planned yet, nobody knows whether that is all
        ("shutdown", {}, ExitStatus.WORK_LEFT, "stopped"),
        # The site is down
        ("site_down", {"left": 5}, ExitStatus.SITE_DOWN, "stopped"),
        # The list is not whole
        ("finished", {"trouble": "no sitemap"}, ExitStatus.NO_INVENTORY, "failed"),
        # The database is lost: worse than all else, because nothing after it was stored
        ("store_lost", {"lost": True, "left": 5}, ExitStatus.STORE_LOST, "stopped"),
        # Our own error
        ("start_error", {}, ExitStatus.BROKEN, "stopped"),
        ("memusage_exceeded", {"left": 1}, ExitStatus.BROKEN, "stopped"),
    ],
)
def test_each_cause_has_its_own_status(reason, more, status, run_status) -> None:
    end = ending_of(reason, ALL_WELL, **more)

    assert (end.status, end.run_status) == (status, run_status)


def test_the_last_words_tell_what_is_missing_and_how_to_go_on() -> None:
    end = ending_of("shutdown", {Outcome.COMPLETE: 3, Outcome.FAILED: 0}, left=7)

    assert end.lines == [
        "3 of 10 items ended: 3 complete.",
        f"Stopped with 7 left. To go on: {COMMAND}",
    ]


def test_a_doubt_is_told_and_changes_nothing_else() -> None:
    end = ending_of("finished", ALL_WELL, doubt="the list is short")

    assert (end.status, end.warnings) == (ExitStatus.DONE, ("the list is short",))
    assert end.lines == ending_of("finished", ALL_WELL).lines


def test_nothing_is_no_success() -> None:
    end = ending_of("finished", {}, trouble="the inventory lists no template")

    assert end.status is ExitStatus.NO_INVENTORY
    assert "0 of 0 items ended: none." in end.lines


@pytest.mark.parametrize(
    ("late", "status", "words"),
    [
        ({"feed_lost": True, "asking_broke_off": False}, ExitStatus.FEED_LOST, "A feed could not"),
        ({"feed_lost": True, "asking_broke_off": True}, ExitStatus.BROKEN, "scrapy transcripts"),
    ],
)
def test_what_comes_to_light_at_the_very_end_is_no_success(late, status, words) -> None:
    end = spoilt(ending_of("finished", ALL_WELL), **late)

    assert end.status is status
    assert end.lines[0] == "4 of 4 items ended: 3 complete, 1 gone."
    assert words in end.lines[1]


def test_what_comes_to_light_at_the_very_end_hides_no_worse_end() -> None:
    lost = ending_of("store_lost", ALL_WELL, lost=True, left=5)

    assert spoilt(lost, feed_lost=True, asking_broke_off=True) == lost


def test_failures_name_the_command_that_tries_only_them_again() -> None:
    end = ending_of("finished", {Outcome.COMPLETE: 418, Outcome.PARTIAL: 82}, unsettled=82)

    assert end.lines[-1] == (
        "82 could not be had in full. To try them again: "
        f"scrapy runs retry-failed 2026-ab && {COMMAND}"
    )


@pytest.mark.parametrize(
    ("reason", "more"),
    [
        ("shutdown", {"left": 5}),
        ("site_down", {"left": 5}),
        ("store_lost", {"lost": True, "left": 5}),
        ("memusage_exceeded", {"left": 5}),
        ("finished", {"trouble": "The list is not whole."}),
    ],
)
def test_no_end_without_a_directory_promises_that_something_goes_on(reason, more) -> None:
    end = ending.ending_of(reason, ALL_WELL, GoingOn("2026-ab", "scrapy crawl x", {}, None), **more)

    assert "nothing goes on with it" in end.lines[-1].lower()
    assert end.lines[-1].endswith("scrapy crawl x -s JOBDIR=state-2026-ab")


def test_where_no_template_was_begun_nothing_is_said_to_be_lost() -> None:
    forgets = GoingOn("2026-ab", "scrapy crawl x", {}, None)

    end = ending.ending_of("finished", {}, forgets, trouble="n8n.io could not be reached.")

    assert end.lines[-1] == "n8n.io could not be reached. To go on: scrapy crawl x"


def test_an_end_speaks_of_what_the_source_has() -> None:
    of_mushrooms = replace(GOING_ON, noun=Noun("mushroom", "mushrooms"))

    end = ending.ending_of("finished", {Outcome.COMPLETE: 2}, of_mushrooms, not_in_feeds=1)

    assert end.lines[0] == "2 of 2 mushrooms ended: 2 complete."
    assert end.warnings[0].startswith("The feed lacks 1 mushroom that ended before")
    assert "--output mushrooms.jsonl" in end.warnings[0]
    assert meaning_of(ExitStatus.FAILURES, of_mushrooms.noun) == (
        "some mushrooms could not be had in full"
    )


def test_arguments_that_make_no_sense_to_the_site_are_bad_input() -> None:
    end = ending_of("finished", {}, refusal="There is no such category.")

    assert (end.status, end.run_status) == (ExitStatus.BAD_INPUT, "failed")
    assert end.lines[-1] == "There is no such category."


def test_a_database_that_could_not_be_used_from_the_start_was_not_lost() -> None:
    nothing = GoingOn(None, COMMAND, {}, "state")

    end = ending.ending_of("store_lost", {}, nothing, lost=True)

    assert end.lines[-1] == f"Nothing was begun. Put the database right. To go on: {COMMAND}"


def test_a_feed_that_was_begun_anew_is_not_taken_for_the_whole_run() -> None:
    end = ending_of("finished", ALL_WELL, not_in_feeds=22)

    assert end.status is ExitStatus.DONE
    assert "lacks 22 items" in end.warnings[0]
    assert "scrapy export" in end.warnings[0]
