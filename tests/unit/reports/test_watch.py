"""What the rules of the alerts look at, in both databases."""

import time

import pytest

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import RunStatus
from n8n_scraper.policies.alerts.figures import CircuitFigures, CoverageFigures
from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.reports.watch import LATELY_SECONDS, watch
from tests import templates
from tests.unit.ledger.given import (
    a_run,
    ago,
    change,
    close,
    end,
    note,
    noted,
    silence,
)
from tests.unit.making import template


@pytest.fixture
def database(emptied: Database) -> Database:
    """One database after the other would take most of the time."""
    return emptied


def ended(database: Database, seconds: float, at: float) -> str:
    """A run of three that ended in order, so long ago, and took so long."""
    run_id = a_run(database, "1")
    close(database, run_id, "1", Outcome.COMPLETE)
    end(database, run_id, RunStatus.FINISHED, exit_status=0, complete=1, left=0)
    change(database, run_id, started_at=ago(at + seconds), ended_at=ago(at))
    return run_id


def test_an_archive_without_runs_shows_nothing(database: Database) -> None:
    seen = watch(database)

    assert (seen.runs, seen.circuits, seen.coverage) == ((), (), None)


def test_a_run_under_way_shows_what_has_ended_lately(database: Database) -> None:
    run_id = a_run(database, "1", "2", "3", "4")
    close(database, run_id, "1", Outcome.COMPLETE)
    close(database, run_id, "2", Outcome.FAILED, category="timeout")

    (run,) = watch(database).runs
    (later,) = watch(database, time.time() + LATELY_SECONDS + 5).runs

    assert (run.has_ended, run.is_stale, run.exit_status) == (False, False, None)
    assert (run.ended_lately, run.unsettled_lately, run.items, run.had) == (2, 1, 4, 1)
    assert (later.ended_lately, later.unsettled_lately) == (0, 0)


def test_a_run_that_nobody_works_on_shows_how_long_it_has_been_silent(database: Database) -> None:
    run_id = a_run(database, "1")
    note(database, run_id, ago(700), left=1)
    silence(database)

    (run,) = watch(database).runs

    assert run.is_stale
    assert 699 < run.silent_seconds < 760


def test_the_newest_that_has_ended_and_all_that_began_since_are_shown(database: Database) -> None:
    for at in (9000.0, 6000.0):
        ended(database, 60.0, at=at)
    newest = ended(database, 90.0, at=3000.0)
    under_way = a_run(database, "1")

    runs = watch(database).runs

    assert [run.run_id for run in runs] == [under_way, newest]
    assert [round(one) for one in runs[1].earlier_seconds] == [60, 60]
    assert round(runs[1].seconds) == 90
    assert (runs[1].is_over, runs[1].exit_status, runs[1].had) == (True, 0, 1)


def test_the_history_of_a_run_is_of_those_that_were_asked_for_the_same(database: Database) -> None:
    other = ended(database, 5.0, at=9000.0)
    change(database, other, arguments={"mode": "update"})
    ended(database, 60.0, at=6000.0)
    ended(database, 90.0, at=3000.0)

    (run,) = watch(database).runs

    assert [round(one) for one in run.earlier_seconds] == [60]


def test_domains_that_are_left_alone_are_shown(database: Database) -> None:
    now = time.time()
    alone = CircuitState(
        failures=9, opened_at=now, closed_at=now - 50, hold_seconds=60.0, reason="timeout"
    )
    in_doubt = CircuitState(failures=9, opened_at=now, hold_seconds=0.0)
    noted(
        database,
        {"n8n.io": DomainState(circuit=alone), "other.example": DomainState(circuit=in_doubt)},
    )

    assert watch(database).circuits == (CircuitFigures("n8n.io", "timeout", now - 50),)
    assert watch(database, elsewhere=None).circuits is None


def test_coverage_is_looked_at_where_it_is_wanted(database: Database) -> None:
    database.do(lambda session: templates.save(session, template("7"), []))

    seen = watch(database, fields={"n8n": ["title", "nonsense"], "unknown": ["title"]})

    assert seen.coverage == (
        CoverageFigures("n8n", "title", 1.0),
        CoverageFigures("n8n", "nonsense", None),
        CoverageFigures("unknown", "title", None),
    )
