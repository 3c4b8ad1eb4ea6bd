"""Whatever ends the process, the same command finishes the run: nothing lost, nothing doubled."""

import re
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from n8n_scraper.ledger.database import LOCK_PATIENCE_SECONDS
from n8n_scraper.policies.run.lease import lease_seconds
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import crawl, rows, started, wait_until
from tests.killing import expire_lease, freeze, judge, survive
from tests.sharing import last_words

pytestmark = [
    pytest.mark.full_speed,
    pytest.mark.usefixtures("reads_as_usual"),
    pytest.mark.further_on("postgresql"),
]

LEASE_SECONDS = lease_seconds(LOCK_PATIENCE_SECONDS)


def test_a_crawl_killed_again_and_again_ends_as_if_nothing_had_happened(
    database_url: str, tmp_path: Path
) -> None:
    with running_stand_in(templates=80) as stand_in:
        survived = survive(stand_in, database_url, tmp_path, kills=6)

        judge(survived, stand_in, database_url)


def test_a_process_that_was_held_up_loses_what_another_has_by_now_and_goes_on(
    database_url: str, tmp_path: Path
) -> None:
    state = ("-s", f"JOBDIR={tmp_path}/state")
    with running_stand_in(templates=24, latency_ms=30) as stand_in:
        # Given a crawl that is frozen in the middle, for longer than its lease
        with started(stand_in, database_url, *state) as frozen:
            wait_until(lambda: stand_in.stats()["requests"] > 30)
            freeze(frozen, database_url)
            refused = crawl(stand_in, database_url, *state)
            expire_lease(database_url)

            # When a second one has taken its directory and all that was left, and it wakes up
            second = crawl(stand_in, database_url, *state)
            frozen.send_signal(signal.SIGCONT)
            _, said = frozen.communicate(timeout=30)

        # Then it stores nothing of what it held, says so of each once, and ends like the other
        assert refused.status == 2
        assert "is in use by process" in refused.err
        assert second.status == 0, second.err
        assert frozen.returncode == 0, said
        lost = re.findall(r"(\d+) was taken down, or another process has taken it up", said)
        assert lost
        assert len(lost) == len(set(lost))
        assert last_words(said) == last_words(second.err)
        assert rows(database_url, "SELECT count(*) FROM workflows") == [(24,)]
        assert rows(
            database_url, "SELECT state, count(*) FROM scrape_run_items GROUP BY state"
        ) == [("done", 24)]
        assert rows(database_url, "SELECT status FROM scrape_runs") == [("finished",)]


def test_of_two_that_come_for_a_held_up_run_one_takes_its_directory(
    database_url: str, tmp_path: Path
) -> None:
    state = ("-s", f"JOBDIR={tmp_path}/state")
    with running_stand_in(templates=24, latency_ms=30) as stand_in:
        # Given a crawl that is frozen in the middle, for longer than its lease
        with started(stand_in, database_url, *state) as frozen:
            wait_until(lambda: stand_in.stats()["requests"] > 30)
            freeze(frozen, database_url)
            expire_lease(database_url)

            # When two come at the same time
            with (
                started(stand_in, database_url, *state) as one,
                started(stand_in, database_url, *state) as other,
            ):
                said = [process.communicate(timeout=60)[1] for process in (one, other)]
            statuses = [one.returncode, other.returncode]

        # Then one goes on with the run, and the other one has said in a line why it does not
        assert sorted(statuses) == [0, 2], said
        refused = said[statuses.index(2)]
        assert "is in use by process" in refused
        assert len(refused.strip().splitlines()) == 1
        assert rows(database_url, "SELECT status FROM scrape_runs") == [("finished",)]
        assert rows(database_url, "SELECT count(*) FROM scrape_workers") == [(2,)]
        assert rows(database_url, "SELECT count(*) FROM workflows") == [(24,)]


def test_a_run_that_another_machine_works_on_is_left_alone(tmp_path: Path) -> None:
    # Given a run whose process is not on this machine, and gave a sign of life just now
    url, state = f"sqlite:///{tmp_path}/a.db", ("-s", f"JOBDIR={tmp_path}/state")
    with running_stand_in(templates=10) as stand_in:
        crawl(stand_in, url, *state, "-s", "CLOSESPIDER_ITEMCOUNT=2")
        with sqlite3.connect(tmp_path / "a.db") as connection:
            connection.execute("UPDATE scrape_runs SET status = 'running'")
            connection.execute(
                "UPDATE scrape_workers SET worker = 'elsewhere:4711:x', machine = 'elsewhere',"
                " ended_at = NULL, lease_until = strftime('%s', 'now') + 600"
            )
        connection.close()
        before = len(stand_in.log())

        ran = crawl(stand_in, url, *state)

        # Then nothing is asked of the site, and the line says who it is
        assert ran.status == 8
        assert ran.err.count("Process elsewhere 4711 works on run") == 1
        assert "Traceback" not in ran.err
        assert len(stand_in.log()) == before


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_process_that_sleeps_longer_than_its_lease_loses_its_items_and_no_more(
    database_url: str, tmp_path: Path
) -> None:
    state = ("-s", f"JOBDIR={tmp_path}/state")
    with running_stand_in(templates=40, latency_ms=30) as stand_in:
        # Given a crawl that is frozen in the middle
        with started(stand_in, database_url, *state) as frozen:
            wait_until(lambda: stand_in.stats()["requests"] > 30)
            freeze(frozen, database_url)
            time.sleep(LEASE_SECONDS / 2)
            refused = crawl(stand_in, database_url, *state)

            # When its lease is over, and it wakes up while a second one is at work
            time.sleep(LEASE_SECONDS / 2 + 1)
            with started(stand_in, database_url, *state) as second:
                before = stand_in.stats()["requests"]
                wait_until(lambda: stand_in.stats()["requests"] > before + 10)
                frozen.send_signal(signal.SIGCONT)
                _, said = frozen.communicate(timeout=60)
                _, told = second.communicate(timeout=60)

        # Then both go on to the end of the run, and nothing is lost or doubled
        assert refused.status == 2, refused.err
        assert frozen.returncode == 0, said
        assert "another process has taken it up" in said
        assert second.returncode == 0, told
        assert last_words(said) == last_words(told)
        assert rows(database_url, "SELECT count(*) FROM workflows") == [(40,)]
        assert rows(
            database_url, "SELECT state, count(*) FROM scrape_run_items GROUP BY state"
        ) == [("done", 40)]


@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGINT, marks=pytest.mark.further), signal.SIGTERM]
)
def test_a_gentle_stop_finishes_what_is_in_flight_and_repeats_nothing(
    number: signal.Signals, sqlite_url: str, tmp_path: Path
) -> None:
    state = ("-s", f"JOBDIR={tmp_path}/state")
    with running_stand_in(templates=24, latency_ms=20) as stand_in:
        with started(stand_in, sqlite_url, *state, RATE_LIMIT_RATE="30") as process:
            wait_until(lambda: stand_in.stats()["requests"] > 30)
            process.send_signal(number)
            _, said = process.communicate(timeout=20)
        claimed = rows(sqlite_url, "SELECT count(*) FROM scrape_run_items WHERE state = 'claimed'")
        second = crawl(stand_in, sqlite_url, *state)
        asked = [one["path"] for one in stand_in.log() if "/workflows/" in one["path"]]

    assert process.returncode == 4
    assert f"To go on: scrapy crawl workflows -s JOBDIR={tmp_path}/state" in said
    assert claimed == [(0,)]
    assert second.status == 0, second.err
    assert len(asked) == len(set(asked)) == 3 * 24


@pytest.mark.real_start
def test_a_second_signal_leaves_at_once_and_loses_nothing(sqlite_url: str, tmp_path: Path) -> None:
    state = ("-s", f"JOBDIR={tmp_path}/state")
    with running_stand_in(templates=20) as stand_in:
        # Given a site that keeps the crawl waiting for its last answers
        with started(stand_in, sqlite_url, *state) as process:
            wait_until(lambda: stand_in.stats()["requests"] > 10)
            stand_in.control(latency_ms=20_000)
            wait_until(lambda: stand_in.stats()["open"] > 0)
            process.send_signal(signal.SIGINT)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(timeout=1)
            process.send_signal(signal.SIGINT)
            process.wait(timeout=5)
        stand_in.control(latency_ms=0)

        second = crawl(stand_in, sqlite_url, *state)

    assert process.returncode == 4
    assert second.status == 0, second.err
    assert rows(sqlite_url, "SELECT count(*) FROM workflows") == [(20,)]


def test_a_stop_does_not_wait_for_what_only_waits(sqlite_url: str, tmp_path: Path) -> None:
    # Given a site that wants to be left alone for an hour before it gives even its robots.txt
    state = ("-s", f"JOBDIR={tmp_path}/state")
    with running_stand_in(templates=5, retry_after="3600") as stand_in:
        stand_in.control(faults=[{"kind": "429", "path": "robots"}])
        with started(stand_in, sqlite_url, *state) as process:
            wait_until(lambda: stand_in.stats()["by_status"].get("429"))
            # When the crawl is stopped
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=10)

    # Then it ends at once, and the list of templates is not said to be broken
    assert process.returncode == 4, said
    assert f"To go on: scrapy crawl workflows -s JOBDIR={tmp_path}/state" in said
    assert rows(sqlite_url, "SELECT status FROM scrape_runs") == [("stopped",)]
