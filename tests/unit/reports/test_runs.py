"""Runs for people and machines to look at."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text, update

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger import tool_attempts
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import NewRun, RunStatus
from n8n_scraper.ledger.tables import RunItemRow, WorkerRow
from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.policies.pace.learned_rate import LearnedRate
from n8n_scraper.policies.run.counts import Counts
from n8n_scraper.policies.run.standing import Standing
from n8n_scraper.policies.tools.ladder import Attempt, Tool
from n8n_scraper.reports.runs import RunReport, overview, run_reports
from tests.unit.ledger.given import (
    NO_OUTCOMES,
    a_run,
    ago,
    change,
    close,
    end,
    note,
    noted,
    seen,
    silence,
)
from tests.unit.reports.made import LIVE, STALE, STOPPED


def test_a_live_run_is_told_by_what_its_process_noted_and_what_ended_since(
    database: Database,
) -> None:
    # Given a process that noted its counts some seconds ago, and has ended two more since
    run_id = a_run(database, "1", "2", "3", "4")
    change(database, run_id, discovered_at=ago(60))
    close(database, run_id, "1", Outcome.COMPLETE)
    note(database, run_id, utc_now(), left=3, complete=1)
    time.sleep(0.005)  # times are told in milliseconds
    close(database, run_id, "2", Outcome.COMPLETE)
    close(database, run_id, "3", Outcome.GONE)

    run = seen(database)

    assert run.standing is Standing.LIVE
    assert run.counts.outcomes == NO_OUTCOMES | {"complete": 2, "gone": 1}
    assert run.counts.left == 1


def test_what_was_noted_before_all_was_planned_counts_for_nothing(database: Database) -> None:
    # Given a note of the first moment, when nothing was planned yet
    run_id = a_run(database, "1", "2", "3")
    note(database, run_id, ago(5), left=0)
    close(database, run_id, "1", Outcome.COMPLETE)

    while_planning = seen(database)
    change(database, run_id, discovered_at=ago(1))
    just_planned = seen(database)

    assert while_planning.still_planning
    assert (while_planning.counts.done, while_planning.counts.left) == (1, 2)
    assert (just_planned.counts.done, just_planned.counts.left) == (1, 2)


def test_a_stale_run_is_counted_one_by_one(database: Database) -> None:
    # Given a process that died with a note that was never true
    run_id = a_run(database, "1", "2", "3")
    close(database, run_id, "1", Outcome.COMPLETE)
    note(database, run_id, ago(3600), left=9, complete=9)
    silence(database)

    run = seen(database)

    assert run.standing is Standing.STALE
    assert (run.counts.done, run.counts.left) == (1, 2)
    assert run.templates_per_second is None
    assert run.can_go_on


def test_an_ended_run_is_told_by_its_totals(database: Database) -> None:
    run_id = a_run(database, "1")
    end(database, run_id, RunStatus.STOPPED, complete=7, left=2, exit_status=4)

    run = seen(database)

    assert run.standing is Standing.ENDED
    assert (run.counts.done, run.counts.left, run.exit_status) == (7, 2, 4)


def test_the_rate_and_the_rest_come_from_the_last_two_minutes(database: Database) -> None:
    # Given a crawl that is an hour old, ends one template every two seconds, and was slower before
    ids = [str(number) for number in range(1, 201)]
    run_id = a_run(database, *ids)
    now = time.time()
    closed = [ago(118 - 2 * place) for place in range(60)] + [ago(3000)] * 40
    for workflow_id, at in zip(ids, closed, strict=False):
        close(database, run_id, workflow_id, Outcome.COMPLETE)
        database.do(
            lambda session, one=workflow_id, at=at: session.execute(
                update(RunItemRow).where(RunItemRow.item_id == one).values(closed_at=at)
            )
        )
    change(database, run_id, started_at=ago(3600))
    database.do(lambda session: session.execute(update(WorkerRow).values(since=ago(3600))))
    note(database, run_id, ago(3600), left=200)

    run = seen(database, now=now)

    assert run.counts.done == 100
    assert run.templates_per_second == pytest.approx(0.5, rel=0.02)
    assert run.seconds_left == pytest.approx(200, rel=0.02)


def test_bucket_and_breaker_come_from_what_the_crawl_noted_of_its_domain(
    database: Database,
) -> None:
    run_id = a_run(database, "1")
    now = time.time()
    states = {
        "n8n.io": DomainState(next_at=now - 0.75),
        "i.ytimg.com": DomainState(circuit=CircuitState(10, opened_at=now - 20, hold_seconds=60.0)),
    }
    noted(database, states)

    run = seen(database, run_id, now)

    assert run.bucket is not None
    assert (run.bucket.tokens, run.bucket.burst) == (pytest.approx(2.5), 5)
    assert [(one.domain, one.seconds) for one in run.left_alone] == [
        ("i.ytimg.com", pytest.approx(40))
    ]


def test_a_rate_that_was_learned_and_a_domain_that_is_held_are_told(database: Database) -> None:
    a_run(database, "1")
    now = time.time()
    state = DomainState(now - 60, now + 30, LearnedRate(1.4))
    noted(database, {"n8n.io": state})

    bucket = seen(database, None, now).bucket

    assert bucket is not None
    assert (bucket.tokens, bucket.burst, bucket.rate, bucket.learned) == (0.0, 1, 1.4, True)


def test_a_run_that_kept_no_limits_has_no_bucket(database: Database) -> None:
    a_run(
        database,
        "1",
        new=NewRun("workflows", "n8n", "https://n8n.io", {}, {}, {}, "scrapy crawl workflows"),
    )

    assert seen(database).bucket is None


def test_other_runs_that_nobody_ended_are_listed(database: Database) -> None:
    mine, other, ended = a_run(database), a_run(database), a_run(database)
    end(database, ended, RunStatus.FINISHED, left=0)

    found = overview(database, mine)

    assert found.run.run_id == mine
    assert [run.run_id for run in found.others] == [other]
    everything = run_reports(database)
    assert {run.run_id for run in everything} == {mine, other, ended}


def test_what_tools_brought_of_its_source_is_told_with_a_run(database: Database) -> None:
    mine = a_run(database)
    source = overview(database, mine).run.source
    attempt = Attempt(Tool.FIRECRAWL, 1_800_000_000.0, 1.0, 4.0, 5.0, 2)
    assert overview(database, mine).tools == ()

    database.do(lambda session: tool_attempts.note(session, source, attempt))

    (told,) = overview(database, mine).as_json()["tools"]
    assert (told["tool"], told["cost_an_item"]) == ("firecrawl", 2.5)


def test_looking_waits_for_nobody_who_writes(tmp_path: Path) -> None:
    # Given an SQLite database in which somebody holds the lock to write
    database = Database(f"sqlite:///{tmp_path}/a.db", patience_seconds=0)
    a_run(database, "1")
    writer = create_engine(f"sqlite:///{tmp_path}/a.db", isolation_level="AUTOCOMMIT")
    with writer.connect() as connection:
        connection.execute(text("BEGIN IMMEDIATE"))

        before = time.monotonic()
        run = seen(database)

        connection.execute(text("ROLLBACK"))
    assert run.counts.left == 1
    assert time.monotonic() - before < 1
    writer.dispose()
    database.close()


@pytest.mark.parametrize("run", [LIVE, STALE, STOPPED])
def test_machines_find_the_same_keys_however_it_stands(run: RunReport) -> None:
    read = json.loads(json.dumps(run.as_json()))

    assert list(read) == list(LIVE.as_json())
    assert read["total"] == read["processed"] + read["remaining"] == 100
    assert read["success_percent"] == 97.5


def test_an_exit_status_that_nobody_knows_has_no_meaning() -> None:
    assert replace(STOPPED, exit_status=99).as_json()["meaning"] is None


def test_a_run_that_has_only_begun_is_no_success_and_no_failure() -> None:
    assert replace(LIVE, counts=Counts()).as_json()["success_percent"] is None
