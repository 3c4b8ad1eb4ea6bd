"""The workers of a run, as they are shown."""

import os

from sqlalchemy import update

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger import workers
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Process
from n8n_scraper.ledger.noted import note
from n8n_scraper.ledger.tables import WorkerRow
from n8n_scraper.reports.workers import Presence, WorkerReport, worker_reports
from tests.unit.ledger.given import enter, hold, plan, process


def test_each_worker_is_told_with_what_it_holds_and_has_done(database: Database) -> None:
    # Given one at work, one that is silent, one that has left, and one that was killed here
    alive, silent, left = process(jobdir="/jobs/state"), process(lease_seconds=-1), process()
    killed = Process(f"{os.uname().nodename}:{os.getpid()}:x", workers.machine(), 60.0)
    run_id = enter(database, me=alive)
    for one in (silent, left, killed):
        database.do(lambda session, one=one: workers.enter(session, run_id, one))
    plan(database, run_id, "1", "2", "3")
    hold(database, run_id, "1", alive.name)
    hold(database, run_id, "2", alive.name)
    hold(database, run_id, "3", left.name)
    counts = {"outcomes": {Outcome.COMPLETE: 7}, "lost": 2}
    database.do(lambda session: note(session, run_id, alive.name, counts))
    database.do(lambda session: workers.leave(session, run_id, left, "shutdown", {}))

    found = {one.worker: one for one in worker_reports(database, run_id)}

    assert [found[one.name].presence for one in (alive, silent, left, killed)] == [
        *(Presence.ALIVE, Presence.LOST, Presence.ENDED, Presence.LOST)
    ]
    told = found[alive.name]
    assert (told.held, told.done, told.items_lost, told.jobdir) == (2, 7, 2, "/jobs/state")
    assert (told.host, told.pid) == ("box", alive.pid)
    assert (found[left.name].held, found[left.name].end_reason) == (0, "shutdown")


def test_workers_come_in_the_order_in_which_they_joined(database: Database) -> None:
    first, second = process(), process()
    run_id = enter(database, me=second)
    database.do(lambda session: workers.enter(session, run_id, first))
    database.do(
        lambda session: session.execute(
            update(WorkerRow).where(WorkerRow.worker == first.name).values(since="2020")
        )
    )

    assert [one.worker for one in worker_reports(database)] == [first.name, second.name]


def test_machines_are_told_all_of_it() -> None:
    one = WorkerReport("box:7:x", Presence.LOST, "2026", None, None, None, 3, {"gone": 1}, 0)

    assert one.as_json() == {
        "worker": "box:7:x",
        "host": "box",
        "pid": 7,
        "presence": "lost",
        "since": "2026",
        "ended_at": None,
        "end_reason": None,
        "jobdir": None,
        "held": 3,
        "outcomes": {"gone": 1},
        "items_lost": 0,
    }
