"""What is done twice when a COMMIT gets no answer: nothing."""

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from sqlalchemy import select, text, update

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.errors import StoreLost
from n8n_scraper.core.item import Outcome
from n8n_scraper.ledger import items, runs
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Closing, NewRun, State
from n8n_scraper.ledger.retrying import Retried, retry_failed
from n8n_scraper.ledger.tables import ReceiptRow, RunItemRow, RunRow

NEW = NewRun(
    "workflows", "n8n", "https://n8n.io", {}, {"JOBDIR": "state"}, {}, "scrapy crawl workflows"
)
FIRST = "box:1:a"


@pytest.fixture
def patient(postgres_url: str) -> Iterator[Database]:
    """A database on PostgreSQL that waits for a connection to come back."""
    database = Database(postgres_url, patience_seconds=5)
    database.open()
    yield database
    database.close()


def break_next_commit(
    database: Database, monkeypatch: pytest.MonkeyPatch, *, goes_through: bool = True
) -> None:
    """Cut the connection at the next COMMIT, after the server has heard of it or before."""
    dialect = database.engine.dialect
    commit: Callable[[Any], None] = dialect.do_commit

    def broken(connection: Any) -> None:
        monkeypatch.setattr(dialect, "do_commit", commit)
        if goes_through:
            commit(connection)
        connection.dbapi_connection.close()
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(dialect, "do_commit", broken)


def run_with(database: Database, *ids: str) -> str:
    run_id = database.do(lambda session: runs.enter(session, NEW))
    planned = [Planned(workflow_id) for workflow_id in ids]
    database.do(lambda session: items.plan(session, run_id, planned, first=0))
    return run_id


def fail(database: Database, run_id: str, *ids: str) -> None:
    for claim in database.do(lambda session: items.claim(session, run_id, FIRST, len(ids))):
        closing = Closing(claim.item_id, State.FAILED, Outcome.FAILED, "timeout")
        database.do(
            lambda session, closing=closing, fence=claim.fence: items.close(
                session, run_id, FIRST, fence, closing
            )
        )


def test_a_batch_that_was_claimed_unheard_is_given_out_and_no_other_one(
    patient: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = run_with(patient, "1", "2", "3", "4")
    break_next_commit(patient, monkeypatch)

    batch = patient.do(lambda session: items.claim(session, run_id, FIRST, 2))

    assert [planned.item_id for planned in batch] == ["1", "2"]
    claimed = select(RunItemRow.item_id, RunItemRow.attempts).where(
        RunItemRow.state == State.CLAIMED
    )
    assert sorted(patient.do(lambda session: session.execute(claimed).all())) == [
        ("1", 1),
        ("2", 1),
    ]


def test_a_run_that_was_entered_unheard_is_the_only_one(
    patient: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_next_commit(patient, monkeypatch)

    run_id = patient.do(lambda session: runs.enter(session, NEW))

    assert patient.do(lambda session: session.scalars(select(RunRow.run_id)).all()) == [run_id]


def test_requests_that_were_set_aside_unheard_are_set_aside_once(
    patient: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = run_with(patient)
    break_next_commit(patient, monkeypatch)

    assert patient.do(lambda session: runs.reserve(session, run_id, 3, budget=5))

    assert patient.do(lambda session: runs.affordable(session, run_id, budget=5)) == 2


def test_what_was_planned_unheard_is_counted(
    patient: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = run_with(patient, "1")
    break_next_commit(patient, monkeypatch)

    planned = [Planned(number) for number in "123"]
    added = patient.do(lambda session: items.plan(session, run_id, planned, first=1))

    assert added == 2


def test_what_was_reopened_unheard_is_told(
    patient: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = run_with(patient, "1", "2")
    fail(patient, run_id, "1", "2")
    break_next_commit(patient, monkeypatch)

    reopened = patient.do(
        lambda session: items.reopen_failed(session, run_id, ["timeout"], "2020-01-01")
    )

    assert reopened == 2


def test_what_was_made_pending_unheard_is_told_with_the_run(
    patient: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = run_with(patient, "1")
    fail(patient, run_id, "1")
    patient.do(lambda session: session.execute(update(RunRow).values(status="stopped")))
    break_next_commit(patient, monkeypatch)

    retried = patient.do(lambda session: retry_failed(session, run_id))

    assert retried == Retried(run_id, 1)


def test_a_commit_that_the_server_never_heard_of_is_repeated(
    patient: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = run_with(patient, "1")
    break_next_commit(patient, monkeypatch, goes_through=False)

    batch = patient.do(lambda session: items.claim(session, run_id, FIRST, 1))

    assert [planned.item_id for planned in batch] == ["1"]
    claimed = text("SELECT state, attempts FROM scrape_run_items")
    assert patient.do(lambda session: session.execute(claimed).all()) == [("claimed", 1)]


def test_who_has_no_patience_is_told_that_the_database_is_lost(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(postgres_url, patience_seconds=0)
    database.open()
    break_next_commit(database, monkeypatch)

    with pytest.raises(StoreLost):
        database.do(lambda session: runs.enter(session, NEW))
    database.close()


def test_receipts_of_writers_that_are_long_gone_are_forgotten(postgres_url: str) -> None:
    # Given three processes, of which one has not written anything since the day before yesterday
    for _ in range(3):
        database = Database(postgres_url)
        database.do(lambda session: runs.enter(session, NEW))
        database.close()
    old = "UPDATE receipts SET at = '2020-01-01' WHERE writer = (SELECT min(writer) FROM receipts)"
    database = Database(postgres_url)
    database.do(lambda session: session.execute(text(old)))
    database.close()

    database = Database(postgres_url)
    database.open()

    writers = database.look(lambda session: session.scalars(select(ReceiptRow.writer)).all())
    assert len(writers) == 3
    database.close()
