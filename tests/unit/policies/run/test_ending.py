"""What a crawl says at its end, and the status it leaves."""

from dataclasses import replace

import pytest

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.item import Outcome
from n8n_scraper.core.source import Noun
from n8n_scraper.policies.run import ending
from n8n_scraper.policies.run.ending import Account, Ending, meaning_of
from n8n_scraper.policies.run.going_on import GoingOn

COMMAND = "scrapy crawl workflows -s JOBDIR=state"
GOING_ON = GoingOn("2026-ab", COMMAND, {}, "state")
ALL_WELL = {Outcome.COMPLETE: 3, Outcome.GONE: 1}


def account(outcomes=ALL_WELL, **more) -> Account:
    """The account of a run; without anything left it is over."""
    return Account(outcomes, **({"is_over": not more.get("left")} | more))


def ending_of(reason, outcomes=ALL_WELL, going_on=GOING_ON, **more) -> Ending:
    own = {name: more.pop(name) for name in ("lost", "not_in_feeds") if name in more}
    return ending.ending_of(reason, account(outcomes, **more), going_on, **own)


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
        ("shutdown", {"is_over": False}, ExitStatus.WORK_LEFT, "stopped"),
        # It did as much as it was told to
        ("finished", {"left": 5}, ExitStatus.WORK_LEFT, "stopped"),
        # The site is down
        ("site_down", {"left": 5}, ExitStatus.SITE_DOWN, "stopped"),
        # The list is not whole
        ("finished", {"inventory_error": "no sitemap"}, ExitStatus.NO_INVENTORY, "failed"),
        # The database is lost: worse than all else, because nothing after it was stored
        ("store_lost", {"lost": True, "left": 5}, ExitStatus.STORE_LOST, "stopped"),
        # A process on another machine has the directory
        ("worked_on", {"lost": True, "left": 5}, ExitStatus.WORKED_ON, "stopped"),
        # Our own error
        ("start_error", {"is_over": False}, ExitStatus.BROKEN, "stopped"),
        ("memusage_exceeded", {"left": 1}, ExitStatus.BROKEN, "stopped"),
    ],
)
def test_each_cause_has_its_own_status(reason, more, status, run_status) -> None:
    end = ending_of(reason, **more)

    assert (end.status, end.run_status) == (status, run_status)


@pytest.mark.parametrize("reason", ["finished", "shutdown", "site_down", "memusage_exceeded"])
def test_a_run_that_is_over_ends_alike_for_all_its_workers(reason) -> None:
    assert ending_of(reason) == ending_of("finished")


@pytest.mark.parametrize(
    ("reason", "status"),
    [("shutdown", ExitStatus.WORK_LEFT), ("site_down", ExitStatus.SITE_DOWN)],
)
def test_a_run_goes_on_as_long_as_others_work_on_it(reason, status) -> None:
    end = ending_of(reason, left=7, others=2)

    assert (end.status, end.run_status) == (status, "running")


def test_who_leaves_others_at_work_is_told_so() -> None:
    assert ending_of("shutdown", left=7, others=1).lines[-1] == (
        f"Stopped with 7 left. 1 other worker still at work on it. To go on: {COMMAND}"
    )


def test_the_last_words_tell_what_is_missing_and_how_to_go_on() -> None:
    end = ending_of("shutdown", {Outcome.COMPLETE: 3, Outcome.FAILED: 0}, left=7)

    assert end.lines == [
        "3 of 10 items ended: 3 complete.",
        f"Stopped with 7 left. To go on: {COMMAND}",
    ]


def test_a_warning_is_told_and_changes_nothing_else() -> None:
    end = ending_of("finished", inventory_warning="the list is short")

    assert (end.status, end.warnings) == (ExitStatus.DONE, ("the list is short",))
    assert end.lines == ending_of("finished").lines


def test_nothing_is_no_success() -> None:
    end = ending_of("finished", {}, inventory_error="the inventory lists no template")

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
    end = ending_of("finished", **late)

    assert end.status is status
    assert end.lines[0] == "4 of 4 items ended: 3 complete, 1 gone."
    assert words in end.lines[1]


def test_what_comes_to_light_at_the_very_end_hides_no_worse_end() -> None:
    lost = ending_of("store_lost", lost=True, left=5)

    assert ending_of("store_lost", lost=True, left=5, feed_lost=True, asking_broke_off=True) == lost


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
        ("finished", {"inventory_error": "The list is not whole."}),
    ],
)
def test_every_end_without_a_directory_names_the_run_to_go_on_with(reason, more) -> None:
    end = ending_of(reason, ALL_WELL, GoingOn("2026-ab", "scrapy crawl x", {}, None), **more)

    assert end.lines[-1].endswith("To go on: scrapy crawl x -a run=2026-ab")


def test_where_no_template_was_begun_nothing_is_said_to_be_lost() -> None:
    forgets = GoingOn("2026-ab", "scrapy crawl x", {}, None)

    end = ending_of("finished", {}, forgets, inventory_error="n8n.io could not be reached.")

    assert end.lines[-1] == "n8n.io could not be reached. To go on: scrapy crawl x"


def test_an_end_speaks_of_what_the_source_has() -> None:
    of_mushrooms = replace(GOING_ON, noun=Noun("mushroom", "mushrooms"))

    end = ending_of("finished", {Outcome.COMPLETE: 2}, of_mushrooms, not_in_feeds=1)

    assert end.lines[0] == "2 of 2 mushrooms ended: 2 complete."
    assert end.warnings[0].startswith("The feed lacks 1 mushroom that ended in other")
    assert "--output mushrooms.jsonl" in end.warnings[0]
    assert meaning_of(ExitStatus.FAILURES, of_mushrooms.noun) == (
        "some mushrooms could not be had in full"
    )


def test_arguments_that_make_no_sense_to_the_site_are_bad_input() -> None:
    end = ending_of("finished", {}, inventory_refusal="There is no such category.")

    assert (end.status, end.run_status) == (ExitStatus.BAD_INPUT, "failed")
    assert end.lines[-1] == "There is no such category."


def test_a_database_that_could_not_be_used_from_the_start_was_not_lost() -> None:
    nothing = GoingOn(None, COMMAND, {}, "state")

    end = ending_of("store_lost", {}, nothing, lost=True)

    assert end.lines[-1] == f"Nothing was begun. Put the database right. To go on: {COMMAND}"


def test_a_feed_that_was_begun_anew_is_not_taken_for_the_whole_run() -> None:
    end = ending_of("finished", not_in_feeds=22)

    assert end.status is ExitStatus.DONE
    assert "lacks 22 items" in end.warnings[0]
    assert "scrapy export" in end.warnings[0]
