"""What did not end well is tried again."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import NewRun, RunStatus, State
from n8n_scraper.ledger.retrying import Retried, retry_failed
from tests.unit.ledger.given import (
    SETTINGS,
    a_run,
    close,
    end,
    seen,
    states,
)


def test_what_failed_is_pending_again_and_the_run_can_go_on(database: Database) -> None:
    # Given a finished run with a failed and a blocked template
    run_id = a_run(database, "1", "2", "3", "4")
    close(database, run_id, "1", Outcome.COMPLETE)
    close(database, run_id, "2", Outcome.FAILED, category="timeout")
    close(database, run_id, "3", Outcome.BLOCKED, category="forbidden")
    close(database, run_id, "4", Outcome.GONE)
    end(database, run_id, RunStatus.FINISHED, left=0, exit_status=3)

    retried = database.do(lambda session: retry_failed(session, "last"))
    run = seen(database, run_id)

    assert retried == Retried(run_id, 2)
    assert (run.status, run.counts.done, run.counts.left, run.can_go_on) == ("stopped", 2, 2, True)
    assert states(database, run_id) == {State.DONE: 1, State.GONE: 1, State.PENDING: 2}


def test_nothing_is_taken_from_a_process_that_lives(database: Database) -> None:
    run_id = a_run(database, "1")
    close(database, run_id, "1", Outcome.FAILED)

    with pytest.raises(BadInput, match="is being worked on"):
        database.do(lambda session: retry_failed(session, run_id))


def test_a_budget_that_was_spent_is_not_spent_again(database: Database) -> None:
    update = NewRun(
        "workflows",
        "n8n",
        "https://n8n.io",
        {"mode": "update", "budget": "9"},
        SETTINGS,
        {},
        "scrapy crawl workflows",
    )
    run_id = a_run(database, "1", new=update)
    close(database, run_id, "1", Outcome.FAILED)
    end(database, run_id, RunStatus.FINISHED, failed=1, left=0)

    with pytest.raises(BadInput, match="the next update asks first for what failed"):
        database.do(lambda session: retry_failed(session, run_id))


def test_a_run_that_had_no_directory_is_tried_again_all_the_same(database: Database) -> None:
    run_id = a_run(
        database,
        "1",
        new=NewRun("workflows", "n8n", "https://n8n.io", {}, {}, {}, "scrapy crawl workflows"),
    )
    close(database, run_id, "1", Outcome.FAILED)
    end(database, run_id, RunStatus.FINISHED, failed=1, left=0)

    assert database.do(lambda session: retry_failed(session, run_id)) == Retried(run_id, 1)


def test_where_nothing_failed_the_run_stays_as_it_is(database: Database) -> None:
    run_id = a_run(database, "1")
    close(database, run_id, "1", Outcome.COMPLETE)
    end(database, run_id, RunStatus.FINISHED, complete=1, left=0, exit_status=0)

    retried = database.do(lambda session: retry_failed(session, run_id))
    run = seen(database, run_id)

    assert (retried.number, run.status) == (0, "finished")
