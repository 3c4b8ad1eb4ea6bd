"""What a spider that keeps no archive says at its end, and the status it leaves."""

import pytest

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.policies.run.plain_ending import plain_ending


@pytest.mark.parametrize(
    ("reason", "more", "status"),
    [
        ("finished", {}, ExitStatus.DONE),
        # Its code raised somewhere, so something is missing
        ("finished", {"errors": 2}, ExitStatus.FAILURES),
        ("finished", {"errors": 2, "feed_lost": True}, ExitStatus.FAILURES),
        ("finished", {"feed_lost": True}, ExitStatus.FEED_LOST),
        # Somebody stopped it
        ("shutdown", {"errors": 1}, ExitStatus.WORK_LEFT),
        ("site_down", {}, ExitStatus.SITE_DOWN),
        # Something else closed it
        ("start_error", {}, ExitStatus.BROKEN),
        ("closespider_timeout", {}, ExitStatus.BROKEN),
    ],
)
def test_each_cause_has_its_own_status(reason, more, status) -> None:
    assert plain_ending(reason, **more).status == status


@pytest.mark.parametrize("reason", ["shutdown", "site_down"])
def test_only_with_a_jobdir_does_the_same_command_go_on(reason) -> None:
    with_one, without = (plain_ending(reason, can_go_on=can).lines[0] for can in (True, False))

    assert "Run the same command again" in with_one
    assert "It had no JOBDIR, so nothing goes on with it." in without


def test_who_closed_it_is_named() -> None:
    assert "closespider_timeout" in plain_ending("closespider_timeout").lines[0]


@pytest.mark.parametrize("reason", ["shutdown", "site_down"])
def test_a_feed_that_going_on_begins_anew_is_named_where_going_on_is_offered(reason) -> None:
    with_one, without = (
        plain_ending(reason, can_go_on=can, replaces="q.jsonl").lines[0] for can in (True, False)
    )

    assert "It begins q.jsonl anew" in with_one
    assert "q.jsonl" not in without
