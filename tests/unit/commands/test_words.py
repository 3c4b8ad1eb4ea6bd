"""Reports in words."""

from dataclasses import replace

import pytest

from n8n_scraper.commands.words import run_heading, run_lines, worker_line
from n8n_scraper.core.source import FOREIGN
from n8n_scraper.policies.run.counts import Counts
from n8n_scraper.reports.workers import Presence, WorkerReport
from tests.unit.reports.made import ALL_ENDED, LIVE, STALE, STOPPED


def test_a_live_run_says_how_far_how_fast_and_what_holds_it_back() -> None:
    assert run_lines(LIVE) == [
        "run 20251011T183000-ab12 · live, process box 4711 · https://n8n.io",
        "40 of 100 templates (40 %): 38 complete, 1 gone, 1 failed · 97.5 % successful",
        "40.0 templates a minute · 1 min 00 s so far · 1 min 30 s left",
        "bucket 0.3/5 · n8n.io left alone for 40 s more",
    ]


def test_a_run_whose_process_is_gone_says_so_and_how_to_go_on() -> None:
    lines = run_lines(STALE)

    assert "stale: its process box 4711 is gone or stopped" in lines[0]
    assert lines[-1] == (
        "to go on: scrapy crawl workflows -a 'category=Lead Generation' -s JOBDIR=state -s A=5"
    )


def test_a_run_that_waits_for_its_first_process_is_not_called_stale() -> None:
    assert "· no process works on it ·" in run_lines(replace(STALE, owner=None))[0]


def test_a_run_that_only_others_work_on_names_no_command() -> None:
    assert run_lines(replace(STALE, source=FOREIGN))[-1] == (
        "the program that reports on it goes on with it"
    )


def test_a_stopped_run_says_what_its_exit_status_means_and_how_to_go_on() -> None:
    lines = run_lines(STOPPED)

    assert "ended (stopped, exit status 4: it was stopped with work left)" in lines[0]
    assert lines[2] == "2025-10-11T18:30:00Z to 2025-10-11T18:31:00Z, 1 min 00 s"
    assert lines[-1].startswith("to go on: scrapy crawl")


def test_a_run_that_never_had_a_template_is_begun_by_its_command() -> None:
    unbegun = replace(STOPPED, jobdir=None, command="scrapy crawl x", counts=Counts())

    assert run_lines(unbegun)[-1] == "to go on: scrapy crawl x"


def test_a_run_without_a_directory_goes_on_by_its_name() -> None:
    line = run_lines(replace(STOPPED, jobdir=None, command="scrapy crawl workflows"))[-1]

    assert line == f"to go on: scrapy crawl workflows -a run={STOPPED.run_id}"


def test_the_workers_of_a_run_are_named_one_by_one_where_there_are_several() -> None:
    one = WorkerReport("box:4711:c0ffee", Presence.ALIVE, at(0), None, None, None, 3, {"a": 7}, 0)
    lost = replace(one, worker="box:4712:x", presence=Presence.LOST, items_lost=2)
    left = replace(one, worker="box:4713:x", presence=Presence.ENDED, ended_at=at(9), held=0)

    alone = run_lines(replace(LIVE, workers=(one,)))
    together = run_lines(replace(LIVE, workers=(one, lost, left)))

    assert not [line for line in alone if "worker" in line]
    assert together[3:6] == [
        "  worker box 4711 · alive, here since 2025-10-11T18:30:00Z · 3 held · 7 ended",
        "  worker box 4712 · lost, here since 2025-10-11T18:30:00Z · 3 held · 7 ended"
        " · 2 lost to others",
        "  and 1 that left",
    ]
    assert worker_line(replace(left, end_reason="shutdown")) == (
        "worker box 4713 · ended, here since 2025-10-11T18:30:00Z"
        " · shutdown 2025-10-11T18:30:09Z · 7 ended"
    )


def test_a_run_of_several_processes_says_how_many_are_at_work() -> None:
    one = WorkerReport("box:4711:c0ffee", Presence.ALIVE, at(0), None, None, None, 3, {}, 0)

    heading = run_heading(replace(LIVE, workers=(one, replace(one, worker="box:4712:x"))))

    assert "live, 2 processes" in heading


def at(second: int) -> str:
    return f"2025-10-11T18:30:{second:02}.000Z"


def test_a_finished_run_is_followed_by_a_new_one() -> None:
    finished = replace(STOPPED, status="finished", exit_status=0, counts=ALL_ENDED)

    assert run_lines(finished)[-1].startswith("a new run: scrapy crawl")
    assert not finished.can_go_on


def test_a_finished_run_with_failures_names_the_command_that_tries_them_again() -> None:
    finished = replace(STOPPED, status="finished", exit_status=3, counts=ALL_ENDED)

    assert f"scrapy runs retry-failed {LIVE.run_id} && scrapy crawl" in run_lines(finished)[-1]


def test_what_could_not_be_had_in_full_was_no_success() -> None:
    partly = replace(STOPPED, counts=Counts({"complete": 418, "partial": 82}, 82))
    nearly = replace(partly, counts=Counts({"complete": 12_999, "partial": 1}, 1))

    assert "83.6 % successful" in run_lines(partly)[1]
    assert "99.9 % successful" in run_lines(nearly)[1]


def test_a_run_whose_arguments_made_no_sense_is_not_to_be_gone_on_with() -> None:
    refused = replace(STOPPED, status="failed", exit_status=2)

    assert "an argument made no sense to the site" in run_lines(refused)[0]
    assert not any("scrapy crawl" in line for line in run_lines(refused))
    assert not refused.can_go_on


def test_a_run_that_has_only_begun_divides_by_nothing() -> None:
    begun = replace(LIVE, counts=Counts(), still_planning=True)

    assert run_lines(begun)[1] == "0 of 0 templates: none ended yet · still reading the inventory"


@pytest.mark.parametrize(
    ("named", "words"), [(None, ""), ("sqlite:///copy.db", " -s DATABASE_URL=sqlite:///copy.db")]
)
def test_its_command_names_the_database_that_was_asked(named: str | None, words: str) -> None:
    # Given a run whose row was copied with its database
    original = replace(STOPPED, command="scrapy crawl x -s DATABASE_URL=sqlite:///a.db -s JOBDIR=s")

    assert run_lines(original.asked_in(named))[-1] == f"to go on: scrapy crawl x -s JOBDIR=s{words}"
