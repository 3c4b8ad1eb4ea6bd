"""How a run stands."""

import json
from dataclasses import replace

import pytest

from n8n_scraper.policies.run.progress import BucketLevel, LeftAlone
from n8n_scraper.policies.run.standing import RunStands, Standing, standing_of

LIVE = RunStands(
    run_id="20251011T183000-ab12",
    spider="workflows",
    source="https://n8n.io",
    arguments={"category": "Lead Generation"},
    jobdir="state",
    command="scrapy crawl workflows -a 'category=Lead Generation' -s JOBDIR=state -s A=5",
    status="running",
    standing=Standing.LIVE,
    owner="box:4711:c0ffee",
    started_at="2025-10-11T18:30:00.123Z",
    ended_at=None,
    end_reason=None,
    exit_status=None,
    outcomes={"complete": 38, "partial": 0, "gone": 1, "blocked": 0, "failed": 1},
    unsettled=1,
    left=60,
    elapsed_seconds=60.0,
    templates_per_second=2 / 3,
    seconds_left=90.0,
    bucket=BucketLevel(0.3, 5, 2.0),
    left_alone=(LeftAlone("n8n.io", 40.0),),
)
STALE = replace(LIVE, standing=Standing.STALE, templates_per_second=None, seconds_left=None)
STOPPED = replace(
    STALE,
    standing=Standing.ENDED,
    status="stopped",
    exit_status=4,
    ended_at="2025-10-11T18:31:00.000Z",
)


@pytest.mark.parametrize(
    ("status", "lease_left", "standing"),
    [
        ("running", 3.0, Standing.LIVE),
        ("running", 0.0, Standing.STALE),
        ("running", -30.0, Standing.STALE),
        ("running", None, Standing.STALE),  # entered by a version without leases
        ("finished", None, Standing.ENDED),
        ("stopped", 10.0, Standing.ENDED),
    ],
)
def test_a_run_lives_as_long_as_its_lease(status, lease_left, standing) -> None:
    assert standing_of(status, lease_left) is standing


def test_a_live_run_says_how_far_how_fast_and_what_holds_it_back() -> None:
    assert LIVE.lines() == [
        "run 20251011T183000-ab12 · live, process box 4711 · https://n8n.io",
        "40 of 100 templates (40 %): 38 complete, 1 gone, 1 failed · 97.5 % successful",
        "40.0 templates a minute · 1 min 00 s so far · 1 min 30 s left",
        "bucket 0.3/5 · n8n.io left alone for 40 s more",
    ]


def test_a_run_whose_process_is_gone_says_so_and_how_to_go_on() -> None:
    lines = STALE.lines()

    assert "stale: its process box 4711 is gone or stopped" in lines[0]
    assert lines[-1] == (
        "to go on: scrapy crawl workflows -a 'category=Lead Generation' -s JOBDIR=state -s A=5"
    )


def test_a_stopped_run_says_what_its_exit_status_means_and_how_to_go_on() -> None:
    lines = STOPPED.lines()

    assert "ended (stopped, exit status 4: it was stopped with work left)" in lines[0]
    assert lines[2] == "2025-10-11T18:30:00Z to 2025-10-11T18:31:00Z, 1 min 00 s"
    assert lines[-1].startswith("to go on: scrapy crawl")


def test_a_run_that_never_had_a_template_is_begun_by_its_command() -> None:
    unbegun = replace(STOPPED, jobdir=None, command="scrapy crawl x", outcomes={}, left=0)

    assert unbegun.lines()[-1] == "to go on: scrapy crawl x"


def test_a_run_without_a_directory_cannot_go_on() -> None:
    line = replace(STOPPED, jobdir=None, command="scrapy crawl workflows").lines()[-1]

    assert line == (
        "it had no JOBDIR, so nothing goes on with it; "
        "a crawl that can be gone on with: "
        f"scrapy crawl workflows -s JOBDIR=state-{STOPPED.run_id}"
    )


def test_a_finished_run_is_followed_by_a_new_one() -> None:
    finished = replace(STOPPED, status="finished", exit_status=0, left=0)

    assert finished.lines()[-1].startswith("a new run: scrapy crawl")
    assert not finished.can_go_on


def test_a_finished_run_with_failures_names_the_command_that_tries_them_again() -> None:
    finished = replace(STOPPED, status="finished", exit_status=3, left=0)

    assert f"scrapy runs retry-failed {LIVE.run_id} && scrapy crawl" in finished.lines()[-1]


def test_what_could_not_be_had_in_full_was_no_success() -> None:
    partly = replace(STOPPED, outcomes={"complete": 418, "partial": 82}, unsettled=82, left=0)
    nearly = replace(partly, outcomes={"complete": 12_999, "partial": 1}, unsettled=1)

    assert "83.6 % successful" in partly.lines()[1]
    assert "99.9 % successful" in nearly.lines()[1]


def test_a_run_whose_arguments_made_no_sense_is_not_to_be_gone_on_with() -> None:
    refused = replace(STOPPED, status="failed", exit_status=2)

    assert "an argument made no sense to the site" in refused.lines()[0]
    assert not any("scrapy crawl" in line for line in refused.lines())
    assert not refused.can_go_on


def test_a_run_that_has_only_begun_divides_by_nothing() -> None:
    begun = replace(LIVE, outcomes={}, left=0, still_planning=True)

    assert begun.lines()[1] == "0 of 0 templates: none ended yet · still reading the inventory"
    assert begun.as_json()["success_percent"] is None


@pytest.mark.parametrize("run", [LIVE, STALE, STOPPED])
def test_machines_find_the_same_keys_however_it_stands(run: RunStands) -> None:
    read = json.loads(json.dumps(run.as_json()))

    assert list(read) == list(LIVE.as_json())
    assert read["total"] == read["processed"] + read["remaining"] == 100
    assert read["success_percent"] == 97.5


def test_an_exit_status_that_nobody_knows_has_no_meaning() -> None:
    assert replace(STOPPED, exit_status=99).as_json()["meaning"] is None


@pytest.mark.parametrize(
    ("named", "words"), [(None, ""), ("sqlite:///copy.db", " -s DATABASE_URL=sqlite:///copy.db")]
)
def test_its_command_names_the_database_that_was_asked(named: str | None, words: str) -> None:
    # Given a run whose row was copied with its database
    original = replace(STOPPED, command="scrapy crawl x -s DATABASE_URL=sqlite:///a.db -s JOBDIR=s")

    assert original.asked_in(named).lines()[-1] == f"to go on: scrapy crawl x -s JOBDIR=s{words}"
