"""What a crawl says at its end, and the status it leaves."""

import pytest

from n8n_scraper.items import Outcome
from n8n_scraper.policies.ending import ExitStatus, ending_of, spoilt

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
    ending = ending_of(reason, ALL_WELL, **more)

    assert (ending.status, ending.run_status) == (status, run_status)


def test_the_last_words_tell_what_is_missing_and_how_to_go_on() -> None:
    ending = ending_of("shutdown", {Outcome.COMPLETE: 3, Outcome.FAILED: 0}, left=7)

    assert ending.lines == [
        "3 of 10 templates ended: 3 complete.",
        "Stopped with 7 left. Run the same command again to go on.",
    ]


def test_a_doubt_is_told_and_changes_nothing_else() -> None:
    ending = ending_of("finished", ALL_WELL, doubt="the list is short")

    assert (ending.status, ending.warning) == (ExitStatus.DONE, "the list is short")
    assert ending.lines == ending_of("finished", ALL_WELL).lines


def test_nothing_is_no_success() -> None:
    ending = ending_of("finished", {}, trouble="the inventory lists no template")

    assert ending.status is ExitStatus.NO_INVENTORY
    assert "0 of 0 templates ended: none." in ending.lines


@pytest.mark.parametrize(
    ("late", "status", "words"),
    [
        ({"feed_lost": True, "asking_broke_off": False}, ExitStatus.FEED_LOST, "A feed could not"),
        ({"feed_lost": True, "asking_broke_off": True}, ExitStatus.BROKEN, "scrapy transcripts"),
    ],
)
def test_what_comes_to_light_at_the_very_end_is_no_success(late, status, words) -> None:
    ending = spoilt(ending_of("finished", ALL_WELL), **late)

    assert ending.status is status
    assert ending.lines[0] == "4 of 4 templates ended: 3 complete, 1 gone."
    assert words in ending.lines[1]


def test_what_comes_to_light_at_the_very_end_hides_no_worse_end() -> None:
    lost = ending_of("store_lost", ALL_WELL, lost=True, left=5)

    assert spoilt(lost, feed_lost=True, asking_broke_off=True) == lost
