"""What a program elsewhere does to runs, and how it meets the workers of a crawl."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Any

import pytest

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.errors import BadInput, Conflict, NotThere
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger import items, orchestrated, takedowns, workers
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Closing, RunStatus, State
from n8n_scraper.ledger.orchestrated import FINALISED, ORCHESTRATOR, Order, Word
from n8n_scraper.ledger.tables import RunItemRow, RunRow
from n8n_scraper.policies.run.reported import Report
from tests.conftest import own_database
from tests.unit.ledger.given import NEW, claim, process, seen, silence, states


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def database(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    """One of each kind for all of these tests: each has a run of its own."""
    with ExitStack() as stack:
        if request.param == "sqlite":
            url = f"sqlite:///{tmp_path_factory.mktemp('orders')}/a.db"
        else:
            url = stack.enter_context(own_database(request.getfixturevalue("postgres")))
        found = Database(url, patience_seconds=0)
        stack.callback(found.close)
        yield found


ITEMS = tuple(Planned(one, url=f"https://n8n.io/workflows/{one}") for one in ("7", "8", "9"))
ORDER = Order(replace(NEW, arguments={}), "n8n.io", ITEMS)


def create(database: Database, order: Order = ORDER) -> str:
    return database.do(lambda session: orchestrated.create(session, order)).run_id


def report(
    database: Database, run_id: str, item_id: str, said: Report, reason: str | None = None
) -> None:
    word = Word(Planned(item_id), said, reason)
    database.do(lambda session: orchestrated.report(session, run_id, word, most_attempts=2))


def finalise(database: Database, run_id: str, at: str | None = None, **metadata: Any) -> None:
    database.do(lambda session: orchestrated.finalise(session, run_id, at, metadata))


def run(database: Database, run_id: str) -> RunRow:
    return database.do(lambda session: session.get_one(RunRow, run_id))


def item(database: Database, run_id: str, item_id: str) -> RunItemRow:
    return database.do(lambda session: session.get_one(RunItemRow, (run_id, item_id)))


def worker_at(database: Database, run_id: str, most: int) -> str:
    """Let a worker of a crawl claim items of a run."""
    me = process()
    database.do(lambda session: workers.enter(session, run_id, me))
    claim(database, run_id, most, me.name)
    return me.name


def test_a_run_with_items_waits_for_whoever_works_on_it(database: Database) -> None:
    run_id = create(database)

    assert states(database, run_id) == {State.PENDING: 3}
    assert item(database, run_id, "7").url == "https://n8n.io/workflows/7"
    report_of_it = seen(database, run_id)
    assert (report_of_it.status, report_of_it.is_planned) == (RunStatus.RUNNING, True)


def test_the_same_order_under_the_same_key_is_one_run(database: Database) -> None:
    order = replace(ORDER, key="k", fingerprint="f")

    first, again = create(database, order), create(database, order)

    assert first == again
    with pytest.raises(BadInput, match="was created under this key, for something else"):
        create(database, replace(order, fingerprint="g"))


def test_two_processes_that_create_the_same_at_once_create_one_run(database: Database) -> None:
    # Given servers that hear the same order
    order = replace(ORDER, key="at once", fingerprint="f")
    url = database.url.render_as_string(hide_password=False)

    def hear(_: int) -> str:
        with closing(Database(url)) as other:
            return create(other, order)

    # When they enter it at the same time
    with ThreadPoolExecutor(4) as servers:
        run_ids = set(servers.map(hear, range(4)))

    # Then all of them speak of one run
    assert len(run_ids) == 1


def test_orders_without_a_key_are_runs_of_their_own(database: Database) -> None:
    assert create(database) != create(database)


def test_the_last_report_ends_the_run(database: Database) -> None:
    # Given a run of which two items have ended
    run_id = create(database)
    report(database, run_id, "7", Report.DONE)
    report(database, run_id, "8", Report.FAILED, "the site was down")
    assert run(database, run_id).status == RunStatus.RUNNING

    # When the last one is reported
    report(database, run_id, "9", Report.INVALID)

    # Then it has ended, as if its last worker had left
    ended = run(database, run_id)
    assert (ended.status, ended.end_reason) == (RunStatus.FINISHED, "finished")
    assert states(database, run_id) == {State.DONE: 1, State.FAILED: 1, State.INVALID: 1}
    assert seen(database, run_id).counts.unsettled == 2
    failed = item(database, run_id, "8")
    assert (failed.reason, failed.worker, failed.attempts) == ("the site was down", ORCHESTRATOR, 1)


def test_what_a_worker_holds_is_reported_by_nobody_else(database: Database) -> None:
    # Given an item in a worker's hands
    run_id = create(database)
    worker = worker_at(database, run_id, 1)
    before = item(database, run_id, "7")

    # When a program reports on it
    with pytest.raises(Conflict, match="a crawl has it in hand"):
        report(database, run_id, "7", Report.DONE)

    # Then the worker can close it still
    closing = Closing("7", State.DONE, Outcome.COMPLETE)
    assert database.do(lambda session: items.close(session, run_id, worker, before.fence, closing))


def test_a_worker_that_was_lost_comes_too_late_for_what_was_reported(database: Database) -> None:
    # Given an item that was given back when its worker was lost, and was reported then
    run_id = create(database)
    worker = worker_at(database, run_id, 1)
    fence = item(database, run_id, "7").fence
    silence(database)
    database.do(lambda session: workers.reclaim(session, run_id, process()))
    report(database, run_id, "7", Report.DONE)

    # When the worker wakes
    closing = Closing("7", State.FAILED, Outcome.FAILED)
    closed = database.do(lambda session: items.close(session, run_id, worker, fence, closing))

    # Then the report stands
    assert not closed
    assert item(database, run_id, "7").state == State.DONE


def test_what_a_crawl_has_done_is_not_made_undone(database: Database) -> None:
    run_id = create(database)
    report(database, run_id, "7", Report.DONE)

    report(database, run_id, "7", Report.DONE)
    with pytest.raises(Conflict, match="it has ended for good, as done"):
        report(database, run_id, "7", Report.FAILED)

    assert item(database, run_id, "7").attempts == 1


def test_what_failed_is_tried_again_and_has_an_end(database: Database) -> None:
    # Given a run whose items have all ended, one of them badly
    run_id = create(database)
    for one in ("7", "8"):
        report(database, run_id, one, Report.DONE)
    report(database, run_id, "9", Report.FAILED)
    assert run(database, run_id).status == RunStatus.FINISHED

    # When it is to be tried again
    report(database, run_id, "9", Report.AGAIN)

    # Then the run goes on with it, and after the last attempt no more
    assert run(database, run_id).status == RunStatus.RUNNING
    assert seen(database, run_id).counts.left == 1
    report(database, run_id, "9", Report.FAILED)
    with pytest.raises(Conflict, match="it was tried 2 times, and that is all"):
        report(database, run_id, "9", Report.AGAIN)
    assert run(database, run_id).status == RunStatus.FINISHED


def test_what_turns_out_to_be_done_after_the_end_is_in_the_figures(database: Database) -> None:
    run_id = create(database, replace(ORDER, planned=ITEMS[:1]))
    report(database, run_id, "7", Report.FAILED)

    report(database, run_id, "7", Report.DONE)

    counts = seen(database, run_id).counts
    assert (counts.settled, counts.unsettled) == (1, 0)
    assert run(database, run_id).totals["exit_status"] == 0


def test_a_run_without_items_takes_each_that_is_reported(database: Database) -> None:
    run_id = create(database, replace(ORDER, planned=()))

    report(database, run_id, "7", Report.DONE)

    assert run(database, run_id).status == RunStatus.RUNNING  # nobody has said that this is all
    assert states(database, run_id) == {State.DONE: 1}


def test_a_run_with_items_has_no_others(database: Database) -> None:
    run_id = create(database)

    with pytest.raises(BadInput, match="has no item 77"):
        report(database, run_id, "77", Report.DONE)
    with pytest.raises(NotThere, match="there is no run 'none'"):
        report(database, "none", "7", Report.DONE)


def test_to_finalise_a_run_twice_is_to_do_it_once(database: Database) -> None:
    # Given a run that was finalised with items left
    run_id = create(database)
    finalise(database, run_id, "2026-11-19T06:00:00.000Z", finished_count=0)
    first = run(database, run_id)

    # When that is said again
    finalise(database, run_id, "2026-11-19T07:00:00.000Z", note="again")

    # Then it is as it was, and nothing of either word is lost
    second = run(database, run_id)
    assert (first.status, first.end_reason) == (RunStatus.STOPPED, FINALISED)
    assert second.ended_at == first.ended_at == "2026-11-19T06:00:00.000Z"
    assert second.asked["metadata"] == {"finished_count": 0, "note": "again"}
    assert states(database, run_id) == {State.PENDING: 3}


def test_a_run_is_not_finalised_under_a_workers_hands(database: Database) -> None:
    run_id = create(database)
    worker_at(database, run_id, 1)

    with pytest.raises(Conflict, match="is worked on by box"):
        finalise(database, run_id)

    silence(database)
    finalise(database, run_id)
    assert states(database, run_id) == {State.PENDING: 3}


def test_what_is_refused_of_one_item_leaves_the_others_alone(database: Database) -> None:
    # Given a run of which a worker holds one item
    run_id = create(database)
    worker_at(database, run_id, 1)

    # When all are reported at once, and one that it does not have
    words = [Word(Planned(one), Report.DONE) for one in ("7", "8", "77")]
    refused = database.do(
        lambda session: orchestrated.report_all(session, run_id, words, most_attempts=2)
    )

    # Then what can hold does
    assert [one.planned.item_id for one in refused] == ["7", "77"]
    assert states(database, run_id) == {State.CLAIMED: 1, State.DONE: 1, State.PENDING: 1}


def test_what_was_taken_down_is_in_no_run_and_nothing_is_reported_on_it(
    database: Database,
) -> None:
    # Given an item that was taken down
    database.do(lambda session: takedowns.note(session, NEW.source, "66", "the author asked"))
    planned = (*ITEMS, Planned("66", url="https://n8n.io/workflows/66"))

    # When runs are created with it, and without items
    named = create(database, replace(ORDER, planned=planned))
    open_to_all = create(database, replace(ORDER, planned=()))

    # Then it is in neither, and a report says so
    assert states(database, named) == {State.PENDING: 3}
    for run_id in (named, open_to_all):
        with pytest.raises(NotThere, match="66 was taken down"):
            report(database, run_id, "66", Report.DONE)
