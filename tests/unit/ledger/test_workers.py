"""The workers of a run: which are there, which are lost, and who gets what they had."""

import os
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy.orm import Session

from n8n_scraper.ledger import workers
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Process, RunStatus
from n8n_scraper.ledger.tables import WorkerRow
from tests.unit.ledger.given import (
    claim,
    end,
    enter,
    hold,
    plan,
    process,
    seen,
    silence,
    states,
)


@pytest.fixture(scope="module")
def ended_pid() -> int:
    """The number of a process of this machine that is no more."""
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    return ended.pid


def here(pid: int) -> Process:
    return Process(f"{socket.gethostname()}:{pid}:x", workers.machine(), 60.0)


def row(one: Process) -> WorkerRow:
    return WorkerRow(worker=one.name, machine=one.machine, jobdir=one.jobdir)


def test_a_worker_is_gone_when_its_process_is_and_only_where_that_can_be_known(
    ended_pid: int,
) -> None:
    parent = os.getppid()

    assert workers.is_gone(row(here(ended_pid)))
    assert not workers.is_gone(row(here(parent)))
    # In another container, or on another machine, the same number is another process
    assert not workers.is_gone(row(replace(here(ended_pid), machine="elsewhere")))
    assert not workers.is_gone(row(Process("a-name-of-another-kind", "", 60.0)))


def test_a_worker_of_a_version_that_kept_no_machine_is_known_by_its_host(ended_pid: int) -> None:
    assert workers.is_gone(row(replace(here(ended_pid), machine="")))
    assert not workers.is_gone(row(Process(f"elsewhere:{ended_pid}:x", "", 60.0)))


def test_a_worker_is_gone_when_its_process_has_ended_and_its_parent_has_not_looked() -> None:
    # Given a process that has ended, and keeps its number
    ended = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)

    assert workers.is_gone(row(here(ended.pid)))
    ended.wait()


def test_a_worker_whose_number_is_ours_by_now_is_gone() -> None:
    former, ours = here(os.getpid()), workers.this_process(60.0)

    assert workers.is_gone(row(former))
    assert not workers.is_gone(row(ours))
    assert ours.name != workers.this_process(60.0).name


def test_a_worker_whose_directory_is_ours_by_now_is_gone() -> None:
    former = process(jobdir="/jobs/state")

    assert workers.is_gone(row(former), process(jobdir="/jobs/state"))
    for other in (
        process(),
        process(jobdir="/jobs/other"),
        process(jobdir="/jobs/state", host="elsewhere"),
        former,
    ):
        assert not workers.is_gone(row(former), other)


def test_the_items_of_a_killed_process_are_taken_at_once_and_those_of_a_live_one_never(
    database: Database, ended_pid: int
) -> None:
    # Given a run of three workers, of which one was killed on this machine
    killed, alive, me = here(ended_pid), process(), process()
    run_id = enter(database, me=killed)
    database.do(lambda session: workers.enter(session, run_id, alive))
    database.do(lambda session: workers.enter(session, run_id, me))

    plan(database, run_id, "1", "2", "3")
    for item_id, one in (("1", killed), ("2", alive), ("3", me)):
        hold(database, run_id, item_id, one.name)

    # When another looks
    assert database.do(lambda session: workers.reclaim(session, run_id, me)) == 1

    # Then only what that one held is pending
    assert states(database, run_id) == {"pending": 1, "claimed": 2}
    assert [one.item_id for one in claim(database, run_id, 9)] == ["1"]


def test_a_worker_that_says_at_this_moment_that_it_lives_is_not_lost(postgres_url: str) -> None:
    # Given a worker whose lease is over, and that is renewing it in a transaction of its own
    database = Database(postgres_url)
    me, other = process(), process(lease_seconds=-1)
    run_id = enter(database, me=other)
    database.do(lambda session: workers.enter(session, run_id, me))

    plan(database, run_id, "1")
    hold(database, run_id, "1", other.name)
    with Session(database.engine) as session, session.begin():
        workers.renew(session, run_id, replace(other, lease_seconds=60.0))

        # When another looks at the same time
        reclaimed = database.do(lambda session: workers.reclaim(session, run_id, me))

    # Then nothing is taken from it
    assert reclaimed == 0
    assert states(database, run_id) == {"claimed": 1}
    database.close()


def test_a_lease_counts_by_the_databases_clock_and_is_as_long_as_its_worker_asks(
    database: Database,
) -> None:
    me = process(lease_seconds=600)
    run_id = enter(database, me=me)

    def left(session: Session) -> float | None:
        return workers.lease_left(session, session.get_one(WorkerRow, me.name))

    assert database.do(left) == pytest.approx(600, abs=2)
    silence(database)
    assert (database.do(left) or 0) < 0
    assert not database.do(lambda session: workers.renew(session, run_id, me))
    assert database.do(lambda session: workers.renew(session, run_id, me))
    assert database.do(left) == pytest.approx(600, abs=2)


def test_a_run_that_was_stopped_while_its_worker_slept_runs_again_when_it_wakes(
    database: Database,
) -> None:
    me = process()
    run_id = enter(database, me=me)
    end(database, run_id, RunStatus.STOPPED)

    database.do(lambda session: workers.renew(session, run_id, me))

    assert (seen(database).status, str(seen(database).standing)) == ("running", "live")


def test_of_several_that_come_for_the_directory_of_a_silent_worker_one_gets_it(
    database: Database, database_url: str
) -> None:
    # Given a worker that is silent in its directory, and four that want it
    run_id = enter(database, me=process(jobdir="/jobs/state"))
    silence(database)
    others = [Database(database_url, patience_seconds=10) for _ in range(4)]
    at_once = threading.Barrier(len(others))

    def take(one: Database) -> bool:
        one.open()
        at_once.wait()
        return one.do(lambda session: workers.take_directory(session, run_id, "/jobs/state"))

    # When they come at the same time, then it is given once
    with ThreadPoolExecutor(len(others)) as threads:
        got = list(threads.map(take, others))
    assert sorted(got) == [False, False, False, True]
    for one in others:
        one.close()


def test_the_directory_of_a_worker_that_gives_signs_of_life_is_not_taken(
    database: Database,
) -> None:
    run_id = enter(database, me=process(jobdir="/jobs/state"))

    assert not database.do(lambda session: workers.take_directory(session, run_id, "/jobs/state"))
    silence(database)
    for other in (("/jobs/other", run_id), ("/jobs/state", "unknown")):
        assert not database.do(
            lambda session, other=other: workers.take_directory(session, other[1], other[0])
        )
