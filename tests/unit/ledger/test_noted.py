"""How far a crawl is, in its own row."""

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import RunStatus
from n8n_scraper.ledger.noted import last_ended, note
from tests.unit.ledger.given import a_run, close, end, seen


def test_a_process_that_was_ended_notes_nothing_more(database: Database) -> None:
    run_id = a_run(database, "1")
    end(database, run_id, RunStatus.FINISHED, complete=1, left=0, exit_status=0)

    database.do(lambda session: note(session, run_id, "box:1:x", {}))

    assert seen(database).exit_status == 0


def test_the_template_that_ended_last_is_known(database: Database) -> None:
    run_id = a_run(database, "1", "2")
    assert database.look(lambda session: last_ended(session, run_id)) is None

    close(database, run_id, "2", Outcome.COMPLETE)

    assert database.look(lambda session: last_ended(session, run_id)) == "2"
