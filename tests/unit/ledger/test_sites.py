"""The runs of a site are those that were asked for what its crawls are asked for."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.source import Division
from n8n_scraper.ledger import runs, sites
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import NewRun, RunStatus
from n8n_scraper.ledger.sites import SiteRuns
from n8n_scraper.ledger.tables import RunRow
from n8n_scraper.policies.run.chunks import CHUNK_SIZE
from tests.unit.ledger.given import a_run, change, end, silence

NEW = NewRun("events", "events", "https://a.example", {"site": "a"}, {}, {}, "scrapy crawl events")
A = SiteRuns("a", "events", "events", None, Division("site", "a"), {"site": "a"})
WHOLE = NewRun("hk", "hk", "https://h.example", {}, {}, {}, "scrapy crawl hk")
H = SiteRuns("h", "hk", "hk", "https://h.example", None, {})


@pytest.fixture
def database(emptied: Database) -> Database:
    return emptied


def of(database: Database, site: SiteRuns) -> list[str]:
    return database.look(lambda session: [run.run_id for run in site.of(session, 10)])


def under_way(database: Database, site: SiteRuns = A) -> str | None:
    return database.look(lambda session: site.under_way(session))


def long_ago(seconds: float) -> str:
    return (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat()


def test_the_runs_of_a_site_are_those_of_its_division(database):
    first = a_run(database, new=NEW)
    a_run(database, new=replace(NEW, arguments={"site": "b"}))
    a_run(database, new=WHOLE)
    change(database, first, started_at="2026-01-01T00:00:00.000Z")
    second = a_run(database, new=NEW)

    assert of(database, A) == [second, first]


def test_a_source_of_one_place_is_known_by_that_place(database):
    there = a_run(database, new=WHOLE)
    a_run(database, new=replace(WHOLE, site="https://other.example"))

    assert of(database, H) == [there]


def test_what_was_asked_for_by_hand_says_nothing_of_the_site(database):
    by_hand = a_run(database, new=replace(NEW, arguments={"site": "a", "limit": "3"}))

    assert of(database, A) == []
    assert under_way(database) == by_hand  # but nobody else crawls it meanwhile


def test_a_run_with_a_worker_is_under_way(database):
    run_id = a_run(database, new=NEW)

    assert under_way(database) == run_id


def test_a_run_whose_worker_is_lost_is_not_under_way(database):
    a_run(database, new=NEW)
    silence(database)

    assert under_way(database) is None


def test_a_run_that_has_ended_is_not_under_way(database):
    end(database, a_run(database, new=NEW), RunStatus.FINISHED)

    assert under_way(database) is None


def test_a_run_that_was_just_entered_waits_for_its_first_worker(database):
    run_id = database.do(lambda session: runs.enter(session, NEW))

    assert under_way(database) == run_id

    change(database, run_id, started_at=long_ago(61))
    assert under_way(database) is None


@pytest.mark.parametrize(
    ("status", "exit_status", "is_under_way"),
    [
        (RunStatus.RUNNING, None, True),
        (RunStatus.STOPPED, ExitStatus.WORK_LEFT, True),  # between two of its chunks
        (RunStatus.STOPPED, ExitStatus.SITE_DOWN, False),
        (RunStatus.FINISHED, ExitStatus.DONE, False),
    ],
)
def test_a_run_that_was_handed_out_is_under_way_between_its_chunks(
    database, status, exit_status, is_under_way
):
    new = replace(NEW, settings={CHUNK_SIZE: 50})
    run_id = database.do(lambda session: runs.enter(session, new))
    change(database, run_id, status=status, totals={"exit_status": exit_status})

    assert bool(under_way(database)) == is_under_way


def test_a_run_that_was_handed_out_and_forgotten_holds_nobody_up_for_ever(database):
    new = replace(NEW, settings={CHUNK_SIZE: 50})
    run_id = database.do(lambda session: runs.enter(session, new))
    change(database, run_id, started_at=long_ago(3601))

    assert under_way(database) is None


def test_of_many_who_would_begin_at_once_one_does(database):
    def begin(_: int) -> tuple[str, bool]:
        other = Database(database.url.render_as_string(hide_password=False))
        try:
            return other.do(lambda session: sites.begin(session, NEW, A))
        finally:
            other.close()

    with ThreadPoolExecutor(4) as threads:
        begun = list(threads.map(begin, range(4)))

    assert sorted(is_ours for _, is_ours in begun) == [False, False, False, True]
    assert len({run_id for run_id, _ in begun}) == 1


def test_a_run_that_no_process_came_to_is_closed_with_what_its_process_said(database):
    run_id = database.do(lambda session: runs.enter(session, NEW))

    database.do(lambda session: sites.close_if_left(session, run_id, ExitStatus.BAD_INPUT))

    run = database.look(lambda session: session.get_one(RunRow, run_id))
    assert (run.status, run.end_reason) == (RunStatus.STOPPED, "never_begun")
    assert run.totals == {"exit_status": ExitStatus.BAD_INPUT}


def test_a_run_that_somebody_works_on_is_left_as_it_is(database):
    run_id = a_run(database, new=NEW)

    database.do(lambda session: sites.close_if_left(session, run_id, 1))

    run = database.look(lambda session: session.get_one(RunRow, run_id))
    assert run.status == RunStatus.RUNNING
