"""The ledger: planned, under way, done."""

import os
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import select, text

from n8n_scraper.core.dossier import Answer, Planned
from n8n_scraper.core.errors import TakenOver, WorkedOn
from n8n_scraper.core.item import Outcome
from n8n_scraper.ledger import ledger
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Closing, NewRun, Owner, RunStatus, State
from n8n_scraper.ledger.packing import unpack
from n8n_scraper.ledger.tables import RunItemRow, RunRow
from tests.unit.making import dossier

NEW = NewRun(
    "workflows",
    "n8n",
    "https://n8n.io",
    {"limit": "3"},
    {"RATE_LIMIT_RATE": "2"},
    {"a": "1"},
    "scrapy crawl workflows",
)

FIRST = Owner("box:1:a", 1)


def started(database: Database, *ids: str) -> str:
    run_id, _ = database.do(lambda session: ledger.start_run(session, NEW, "box:1:a"))
    planned = [Planned(workflow_id, listing={"slug": f"slug-{workflow_id}"}) for workflow_id in ids]
    database.do(lambda session: ledger.plan(session, run_id, planned, first=0))
    return run_id


def claimed(database: Database, run_id: str, most: int) -> list[str]:
    batch = database.do(lambda session: ledger.claim(session, run_id, most, FIRST))
    return [planned.item_id for planned in batch]


def test_a_run_keeps_what_is_needed_to_understand_it(database: Database) -> None:
    run_id = started(database)

    run = database.do(lambda session: session.get(RunRow, run_id))

    assert (run.spider, run.source, run.site, run.arguments) == (
        *("workflows", "n8n", NEW.site),
        {"limit": "3"},
    )
    assert (run.status, run.ended_at) == (RunStatus.RUNNING, None)


def test_templates_are_claimed_in_the_order_of_the_inventory_and_once(database: Database) -> None:
    run_id = started(database, "5", "1", "9")

    first, second, third = (claimed(database, run_id, 2) for _ in range(3))

    assert (first, second, third) == (["5", "1"], ["9"], [])


def test_what_was_given_back_is_claimed_when_all_behind_it_is(database: Database) -> None:
    # Given three templates under way, and the first of them is to be tried again
    run_id = started(database, "1", "2", "3", "4", "5")
    claimed(database, run_id, 3)
    failed = Closing("1", State.FAILED, Outcome.FAILED, category="timeout")
    database.do(lambda session: ledger.close_item(session, run_id, failed))
    since = "2000-01-01"
    database.do(lambda session: ledger.reopen_failed(session, run_id, ["timeout"], since))

    assert [claimed(database, run_id, 9) for _ in range(3)] == [["4", "5"], ["1"], []]


def test_planning_a_template_again_changes_nothing(database: Database) -> None:
    run_id = started(database, "1", "2")
    claimed(database, run_id, 1)
    more = [Planned("1"), Planned("3"), Planned("3")]

    added = database.do(lambda session: ledger.plan(session, run_id, more, first=2))

    assert added == 1
    assert claimed(database, run_id, 9) == ["2", "3"]


def test_what_search_said_comes_with_the_claim(database: Database) -> None:
    run_id = started(database)
    paid = Planned(
        "4", listing={"slug": "a-slug", "price": 20.0, "purchase_url": "https://shop.example/4"}
    )
    database.do(lambda session: ledger.plan(session, run_id, [paid], first=0))

    batch = database.do(lambda session: ledger.claim(session, run_id, 1, FIRST))

    assert batch == [paid]


def test_more_rows_than_one_statement_takes_are_planned(database: Database) -> None:
    run_id = started(database, *map(str, range(1, 1301)))

    assert database.do(lambda session: ledger.tally(session, run_id)).total == 1300


def test_a_closed_item_has_its_outcome_and_the_reason(database: Database) -> None:
    run_id = started(database, "1")
    claimed(database, run_id, 1)
    closing = Closing("1", State.GONE, Outcome.GONE, "not_found", "the site answered 404", 404, 1)

    database.do(lambda session: ledger.close_item(session, run_id, closing))

    item = database.do(lambda session: session.scalar(select(RunItemRow)))
    assert (item.state, item.outcome, item.category) == ("gone", "gone", "not_found")
    assert (item.http_status, item.requests) == (404, 1)
    assert item.closed_at is not None


def test_what_was_not_finished_at_the_end_is_pending_again(database: Database) -> None:
    run_id = started(database, "1", "2")
    claimed(database, run_id, 2)
    closing = Closing("1", State.DONE, Outcome.COMPLETE)
    database.do(lambda session: ledger.close_item(session, run_id, closing))

    database.do(lambda session: ledger.end_run(session, run_id, RunStatus.STOPPED, "shutdown", {}))

    assert claimed(database, run_id, 9) == ["2"]


def test_a_run_that_is_taken_up_tells_the_settings_of_the_process_at_work(
    database: Database,
) -> None:
    run_id = started(database, "1")
    faster = replace(NEW, settings={"RATE_LIMIT_RATE": "40"}, command="scrapy crawl workflows -s …")

    database.do(lambda session: ledger.resume_run(session, run_id, faster, "box:2:b"))

    run = database.do(lambda session: session.get(RunRow, run_id))
    assert (run.settings, run.command) == (faster.settings, faster.command)


def test_a_run_is_taken_up_with_all_that_was_under_way_pending_again(database: Database) -> None:
    run_id = started(database, "1", "2")
    claimed(database, run_id, 2)

    run = database.do(lambda session: ledger.resume_run(session, run_id, NEW, "box:2:b"))

    assert (run.owner, run.fence, run.status) == ("box:2:b", 2, RunStatus.RUNNING)
    assert claimed(database, run_id, 9) == ["1", "2"]


def test_who_was_replaced_comes_too_late(database: Database) -> None:
    run_id = started(database, "1")
    database.do(lambda session: ledger.resume_run(session, run_id, NEW, "box:2:b"))

    with pytest.raises(TakenOver, match=run_id):
        database.do(lambda session: ledger.check_fence(session, run_id, FIRST))
    database.do(lambda session: ledger.check_fence(session, run_id, Owner("box:2:b", 2)))


@pytest.mark.parametrize("changes", [{"arguments": {}}, {"site": "http://other"}])
def test_another_command_does_not_take_the_run_up(database: Database, changes: dict) -> None:
    run_id = started(database, "1")

    other = replace(NEW, **changes)

    assert database.do(lambda session: ledger.resume_run(session, run_id, other, "x")) is None


def test_a_finished_run_is_not_taken_up(database: Database) -> None:
    run_id = started(database)
    database.do(lambda session: ledger.end_run(session, run_id, RunStatus.FINISHED, "finished", {}))

    assert database.do(lambda session: ledger.resume_run(session, run_id, NEW, "box:3:c")) is None
    assert (
        database.do(lambda session: ledger.resume_run(session, "unknown", NEW, "box:3:c")) is None
    )


def test_a_lease_runs_out_unless_it_is_renewed(database: Database) -> None:
    run_id = started(database)

    left = database.do(lambda session: ledger.lease_left(session, run_id))

    assert left == pytest.approx(ledger.LEASE_SECONDS, abs=1)
    database.do(lambda session: session.execute(text("UPDATE scrape_runs SET lease_until = 1")))
    assert database.do(lambda session: ledger.lease_left(session, run_id)) < 0
    database.do(lambda session: ledger.renew(session, run_id, FIRST))
    assert database.do(lambda session: ledger.lease_left(session, run_id)) > 10


def expire(database: Database) -> None:
    database.do(lambda session: session.execute(text("UPDATE scrape_runs SET lease_until = 1")))


def test_a_lease_is_as_long_as_its_owner_has_to_wait(database: Database) -> None:
    run_id, owner = database.do(lambda session: ledger.start_run(session, NEW, "box:1:a", 600))

    database.do(lambda session: ledger.renew(session, run_id, owner))

    assert database.do(lambda session: ledger.lease_left(session, run_id)) > 590


def test_of_several_that_take_a_silent_run_over_at_once_one_wins(
    database: Database, database_url: str
) -> None:
    # Given a run whose owner is silent, and four that have seen it
    run_id = started(database)
    expire(database)
    others = [Database(database_url, patience_seconds=10) for _ in range(4)]
    at_once = threading.Barrier(len(others))

    def take_over(one: Database) -> bool:
        one.open()
        at_once.wait()
        return one.do(lambda session: ledger.take_over(session, run_id, "box:2:b"))

    # When they come at the same time, then the run is given once
    with ThreadPoolExecutor(len(others)) as threads:
        won = list(threads.map(take_over, others))
    assert sorted(won) == [False, False, False, True]
    assert database.do(lambda session: session.get(RunRow, run_id)).fence == 2
    for one in others:
        one.close()


def test_a_run_whose_owner_lives_or_has_ended_is_not_taken_over(database: Database) -> None:
    run_id = started(database)
    taken = [database.do(lambda session: ledger.take_over(session, run_id, "box:2:b"))]
    database.do(lambda session: ledger.end_run(session, run_id, RunStatus.STOPPED, "shutdown", {}))
    taken.append(database.do(lambda session: ledger.take_over(session, run_id, "box:2:b")))
    taken.append(database.do(lambda session: ledger.take_over(session, "unknown", "box:2:b")))

    assert taken == [False, False, False]
    assert database.do(lambda session: session.get(RunRow, run_id)).owner == "box:1:a"


def test_a_process_on_another_machine_keeps_its_run_until_its_lease_is_over(
    database: Database,
) -> None:
    run_id = started(database)

    with pytest.raises(WorkedOn, match=rf"Process box 1 works on run {run_id}"):
        database.do(lambda session: ledger.resume_run(session, run_id, NEW, "elsewhere:1:z"))

    expire(database)
    run = database.do(lambda session: ledger.resume_run(session, run_id, NEW, "elsewhere:1:z"))
    assert (run.owner, run.fence) == ("elsewhere:1:z", 2)


def test_answers_of_a_chain_under_way_are_kept_until_its_item_is_closed(
    database: Database,
) -> None:
    run_id = started(database, "7")
    under_way = dossier("7")
    under_way.requests = 2

    database.do(lambda session: ledger.keep_answers(session, run_id, under_way, under_way.parts))

    kept = database.do(lambda session: ledger.kept_answers(session, run_id, ["7"]))["7"]
    assert {row.part for row in kept} == {"metadata", "json", "explainer"}
    assert {row.requests for row in kept} == {2}
    closing = Closing("7", State.DONE, Outcome.COMPLETE)
    database.do(lambda session: ledger.close_item(session, run_id, closing))
    assert database.do(lambda session: ledger.kept_answers(session, run_id, ["7"])) == {}


def brought(item_id: str, body: bytes = b"<event/>") -> Planned:
    """An item whose inventory has brought its answer along."""
    return Planned(item_id, answers=(Answer("event", "https://site.example", 200, body, "2026"),))


def bodies(database: Database, run_id: str, *ids: str) -> dict[str, bytes]:
    """What is kept of these items."""
    kept = database.do(lambda session: ledger.kept_answers(session, run_id, ids))
    return {item_id: unpack(rows[0].body) for item_id, rows in kept.items()}


def test_an_answer_that_the_inventory_has_brought_is_kept_with_the_plan(
    database: Database,
) -> None:
    run_id = started(database)
    planned = [brought("1", b"one"), Planned("2"), brought("3", b"three")]

    database.do(lambda session: ledger.plan(session, run_id, planned, first=0))

    assert bodies(database, run_id, *"123") == {"1": b"one", "3": b"three"}
    [kept] = database.do(lambda session: ledger.kept_answers(session, run_id, ["1"]))["1"]
    assert (kept.state["status"], kept.requests) == ("ok", 0)


def test_an_inventory_that_is_read_again_brings_answers_only_for_what_is_not_done(
    database: Database,
) -> None:
    run_id = started(database)
    database.do(lambda session: ledger.plan(session, run_id, map(brought, "12"), first=0))
    claimed(database, run_id, 1)
    closing = Closing("1", State.DONE, Outcome.COMPLETE)
    database.do(lambda session: ledger.close_item(session, run_id, closing))

    again = [brought("1", b"newer"), brought("2", b"newer")]
    database.do(lambda session: ledger.plan(session, run_id, again, first=2))

    assert bodies(database, run_id, *"12") == {"2": b"newer"}


def test_what_the_inventory_has_brought_is_there_when_an_item_is_tried_again(
    database: Database,
) -> None:
    run_id = started(database, "7")
    database.do(lambda session: ledger.plan(session, run_id, [brought("1")], first=1))
    under_way = dossier("7")
    under_way.requests = 1
    database.do(lambda session: ledger.keep_answers(session, run_id, under_way, under_way.parts))

    for item_id in "17":
        failed = Closing(item_id, State.FAILED, Outcome.FAILED)
        database.do(lambda session, one=failed: ledger.close_item(session, run_id, one))

    assert bodies(database, run_id, *"17") == {"1": b"<event/>"}


def test_failures_of_the_site_are_reopened_and_those_of_templates_are_not(
    database: Database,
) -> None:
    run_id = started(database, "1", "2", "3")
    claimed(database, run_id, 3)
    for workflow_id, category in (("1", "timeout"), ("2", "bad_content"), ("3", "timeout")):
        closing = Closing(workflow_id, State.FAILED, Outcome.FAILED, category)
        database.do(lambda session, one=closing: ledger.close_item(session, run_id, one))

    outcomes = database.do(
        lambda session: ledger.reopen_failed(session, run_id, ["timeout"], "2020-01-01")
    )

    assert outcomes == ["failed", "failed"]
    assert claimed(database, run_id, 9) == ["1", "3"]


def test_what_nobody_has_begun_is_dropped_and_what_has_ended_stays(database: Database) -> None:
    run_id = started(database, *"1234")
    claimed(database, run_id, 3)
    closing = Closing("1", State.DONE, Outcome.COMPLETE, requests=2)
    database.do(lambda session: ledger.close_item(session, run_id, closing))

    counted = database.do(lambda session: ledger.drop_the_rest(session, run_id, "2", "spent"))

    assert counted == (2, 0)
    left = database.do(lambda session: session.scalars(select(RunItemRow.item_id)).all())
    assert sorted(left) == ["1", "3"]


def test_what_failed_and_was_to_be_tried_again_is_not_dropped_but_failed(
    database: Database,
) -> None:
    run_id = started(database, *"12")
    claimed(database, run_id, 2)
    failed = Closing("1", State.FAILED, Outcome.FAILED, category="timeout", requests=3)
    database.do(lambda session: ledger.close_item(session, run_id, failed))
    database.do(lambda session: ledger.reopen_failed(session, run_id, ["timeout"], "2000"))

    counted = database.do(lambda session: ledger.drop_the_rest(session, run_id, "2", "spent"))

    assert counted == (1, 1)
    left = database.do(lambda session: session.scalars(select(RunItemRow)).all())
    assert [(one.item_id, one.state, one.reason) for one in left] == [("1", "failed", "spent")]


def test_no_request_of_earlier_processes_is_forgotten(database: Database) -> None:
    # Given one template that has ended, one with an answer, one that was only claimed, and one left
    run_id = started(database, *"1234")
    claimed(database, run_id, 3)
    under_way = dossier("2")
    under_way.requests = 2
    database.do(lambda session: ledger.keep_answers(session, run_id, under_way, under_way.parts))
    closing = Closing("1", State.DONE, Outcome.COMPLETE, requests=4)
    database.do(lambda session: ledger.close_item(session, run_id, closing))

    spent = database.do(lambda session: ledger.requests_spent(session, run_id))

    # Then each that has not ended may have sent one request that nobody heard of
    assert spent == 4 + (2 + 1) + 1


def test_the_tally_counts_by_state_and_by_outcome(database: Database) -> None:
    run_id = started(database, "1", "2", "3")
    claimed(database, run_id, 2)
    closing = Closing("1", State.DONE, Outcome.PARTIAL)
    database.do(lambda session: ledger.close_item(session, run_id, closing))

    tally = database.do(lambda session: ledger.tally(session, run_id))

    assert tally.states == {"done": 1, "claimed": 1, "pending": 1}
    assert tally.outcomes == {"partial": 1}
    assert (tally.total, tally.left, tally.unlisted) == (3, 2, 0)


def test_two_runs_do_not_see_each_others_items(database: Database) -> None:
    one, other = started(database, "1"), started(database, "1")

    assert claimed(database, one, 9) == ["1"]
    assert claimed(database, other, 9) == ["1"]


def test_an_owner_is_gone_when_its_process_is_and_only_where_that_can_be_known() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    here = socket.gethostname()

    assert ledger.is_gone(f"{here}:{ended.pid}:c0ffee")
    assert not ledger.is_gone(f"{here}:{os.getpid()}:c0ffee")
    assert not ledger.is_gone(f"elsewhere:{ended.pid}:c0ffee")
    assert not ledger.is_gone("a-name-of-another-kind")
    assert not ledger.is_gone(None)


def test_the_runs_that_somebody_else_is_at_work_on_are_known(database: Database) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()

    def enter(owner: str, lease_seconds: float = 60) -> str:
        return database.do(lambda session: ledger.start_run(session, NEW, owner, lease_seconds))[0]

    # Given one at work, one that gives no sign of life, one that was killed, and one that has ended
    mine, alive, _, _ = (
        enter("box:1:me"),
        enter("box:2:alive"),
        enter("box:3:silent", lease_seconds=-1),
        enter(f"{socket.gethostname()}:{ended.pid}:killed"),
    )
    over = enter("box:4:over")
    database.do(lambda session: ledger.end_run(session, over, RunStatus.FINISHED, "finished", {}))

    others = database.do(
        lambda session: [run.run_id for run in ledger.alive_besides(session, mine)]
    )

    assert others == [alive]
