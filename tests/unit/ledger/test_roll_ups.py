"""What is counted as items end is what counting them one by one would give."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Connection, delete, func, select, text
from sqlalchemy.orm import Session

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger import items, migrate
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Closing, RunStatus, State
from n8n_scraper.ledger.noted import counted, kinds_of
from n8n_scraper.ledger.retrying import retry_failed
from n8n_scraper.ledger.tables import RunCountRow, RunItemRow, RunMinuteRow, RunRow
from n8n_scraper.reports.throughput import spans_of
from tests.older import back_to
from tests.unit.ledger.given import a_run, claim, close, close_as, end, hold, plan


def one_by_one(database: Database, run_id: str) -> Counter[tuple[str, str, str]]:
    query = select(RunItemRow).where(RunItemRow.run_id == run_id)
    rows = database.look(lambda session: session.scalars(query).all())
    ended = Counter((r.state, r.outcome, r.category or "") for r in rows if r.outcome)
    return ended + Counter({("planned", "", ""): len(rows)})


def by_the_way(database: Database, run_id: str) -> Counter[tuple[str, str, str]]:
    kinds = database.look(lambda session: kinds_of(session, run_id))
    return Counter({(one.state, one.outcome, one.category): one.items for one in kinds})


def test_whatever_becomes_of_items_they_are_counted_as_they_are(database: Database) -> None:
    run_id = a_run(database, *map(str, range(1, 9)))
    plan(database, run_id, "8", "9")  # one of them is there already

    def is_right() -> None:
        assert by_the_way(database, run_id) == one_by_one(database, run_id)

    is_right()
    close(database, run_id, "1", Outcome.COMPLETE)
    close(database, run_id, "2", Outcome.FAILED, category="server")
    close(database, run_id, "3", Outcome.FAILED, category="timeout")
    close(database, run_id, "4", Outcome.GONE)
    close_as(database, run_id, Closing("5", State.FAILED, Outcome.PARTIAL, "timeout"))
    is_right()
    database.do(lambda session: items.reopen_failed(session, run_id, ["timeout"], "2000"))
    is_right()
    close(database, run_id, "3", Outcome.COMPLETE)
    (held,) = claim(database, run_id, 1)
    database.do(lambda session: items.drop_the_rest(session, run_id, "box:1:x", held, "away"))
    is_right()
    end(database, run_id, RunStatus.STOPPED)
    database.do(lambda session: retry_failed(session, run_id))
    is_right()
    found = database.look(lambda session: counted(session, run_id))
    assert (found.outcomes["complete"], found.outcomes["gone"]) == (2, 1)


def test_the_minutes_tell_of_the_same_items(database: Database) -> None:
    run_id = a_run(database, "1", "2", "3")
    for item_id, outcome in (("1", Outcome.COMPLETE), ("2", Outcome.COMPLETE), ("3", Outcome.GONE)):
        close(database, run_id, item_id, outcome)

    spans = database.look(lambda session: spans_of(session, run_id))

    assert sum((Counter(one.outcomes) for one in spans), Counter()) == {"complete": 2, "gone": 1}


def test_what_is_rolled_back_was_never_counted(database: Database) -> None:
    run_id = a_run(database, "1")
    fence = hold(database, run_id, "1").fence

    def work(session: Session) -> None:
        closing = Closing("1", State.DONE, Outcome.COMPLETE)
        assert items.close(session, run_id, "box:1:x", fence, closing)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        database.do(work)

    assert database.look(lambda session: counted(session, run_id)).done == 0


def test_with_a_run_its_counts_are_gone(database: Database) -> None:
    run_id = a_run(database, "1", "2")
    close(database, run_id, "1", Outcome.COMPLETE)

    database.do(lambda session: session.execute(delete(RunRow)))

    for row in (RunCountRow, RunMinuteRow):
        left = select(func.count()).select_from(row)
        assert database.look(lambda session, left=left: session.scalar(left)) == 0


def test_an_archive_of_a_version_that_counted_nothing_is_counted_once(database: Database) -> None:
    run_id = a_run(database, "1", "2", "3")
    close(database, run_id, "1", Outcome.COMPLETE)
    close(database, run_id, "2", Outcome.FAILED, category="server")
    with database.engine.begin() as connection:
        back_to(connection, "0021")

    migrate.upgrade(database.engine)

    assert by_the_way(database, run_id) == one_by_one(database, run_id)
    close(database, run_id, "3", Outcome.GONE)
    assert by_the_way(database, run_id) == one_by_one(database, run_id)


def test_what_a_worker_ends_while_its_archive_is_upgraded_is_counted(postgres_url: str) -> None:
    # Given a worker of the version before, in the middle of the transaction that ends an item
    database = Database(postgres_url, patience_seconds=0)
    run_id = a_run(database, "1", "2")
    with database.engine.begin() as connection:
        back_to(connection, "0021")
    ends = "UPDATE scrape_run_items SET state = 'done', outcome = 'complete' WHERE item_id = '1'"

    # When the archive is upgraded beside it
    with ThreadPoolExecutor(1) as beside:
        with database.engine.begin() as worker:
            worker.execute(text(ends))
            upgraded = beside.submit(migrate.upgrade, database.engine)
            _wait_for_a_lock(worker)
        upgraded.result()

    # Then the item is counted as it has ended
    assert by_the_way(database, run_id) == one_by_one(database, run_id)
    database.close()


def _wait_for_a_lock(connection: Connection) -> None:
    waits = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    while not connection.scalar(waits):
        time.sleep(0.05)
