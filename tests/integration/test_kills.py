"""Whatever ends the process, the same command finishes the run: nothing lost, nothing doubled."""

import signal
import subprocess
from pathlib import Path

import pytest

from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import crawl, rows, started, wait_until
from tests.killing import judge, survive


def test_a_crawl_killed_twenty_times_ends_as_if_nothing_had_happened(
    database_url: str, tmp_path: Path
) -> None:
    with running_stand_in(templates=120) as stand_in:
        survived = survive(stand_in, database_url, tmp_path, kills=20)

        judge(survived, stand_in, database_url)


def test_a_process_that_was_held_up_comes_too_late_and_says_so(
    database_url: str, tmp_path: Path
) -> None:
    state = ("-s", f"JOBDIR={tmp_path}/state")
    with running_stand_in(templates=40, latency_ms=30) as stand_in:
        # Given a crawl that is frozen in the middle, for longer than its lease
        with started(stand_in, database_url, *state) as frozen:
            wait_until(lambda: stand_in.stats()["requests"] > 30)
            frozen.send_signal(signal.SIGSTOP)
            refused = crawl(stand_in, database_url, *state)
            expire_lease(database_url)

            # When a second one has taken over and the first one wakes up
            second = crawl(stand_in, database_url, *state)
            frozen.send_signal(signal.SIGCONT)
            _, said = frozen.communicate(timeout=30)

        # Then the first one stores nothing more, and says why
        assert refused.status == 2
        assert "is in use by process" in refused.err
        assert second.status == 0, second.err
        assert frozen.returncode == 8
        assert "Another process has taken over run" in said
        assert rows(database_url, "SELECT count(*) FROM workflows") == [(40,)]
        assert rows(
            database_url, "SELECT state, count(*) FROM scrape_run_items GROUP BY state"
        ) == [("done", 40)]
        assert rows(database_url, "SELECT status FROM scrape_runs") == [("finished",)]


def expire_lease(url: str) -> None:
    """Let as much time pass for the run's lease as a test will not wait."""
    from sqlalchemy import create_engine, text

    from n8n_scraper.storage.database import parse_url

    engine = create_engine(parse_url(url))
    with engine.begin() as connection:
        connection.execute(text("UPDATE scrape_runs SET lease_until = lease_until - 60"))
    engine.dispose()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_gentle_stop_finishes_what_is_in_flight_and_repeats_nothing(
    number: signal.Signals, tmp_path: Path
) -> None:
    url, state = f"sqlite:///{tmp_path}/a.db", ("-s", f"JOBDIR={tmp_path}/state")
    with running_stand_in(templates=40, latency_ms=20) as stand_in:
        with started(stand_in, url, *state, RATE_LIMIT_RATE="30") as process:
            wait_until(lambda: stand_in.stats()["requests"] > 30)
            process.send_signal(number)
            _, said = process.communicate(timeout=20)
        claimed = rows(url, "SELECT count(*) FROM scrape_run_items WHERE state = 'claimed'")
        second = crawl(stand_in, url, *state)
        asked = [one["path"] for one in stand_in.log() if "/workflows/" in one["path"]]

    assert process.returncode == 4
    assert "Run the same command again to go on." in said
    assert claimed == [(0,)]
    assert second.status == 0, second.err
    assert len(asked) == len(set(asked)) == 3 * 40


def test_a_second_signal_leaves_at_once_and_loses_nothing(tmp_path: Path) -> None:
    url, state = f"sqlite:///{tmp_path}/a.db", ("-s", f"JOBDIR={tmp_path}/state")
    with running_stand_in(templates=20) as stand_in:
        # Given a site that keeps the crawl waiting for its last answers
        with started(stand_in, url, *state) as process:
            wait_until(lambda: stand_in.stats()["requests"] > 10)
            stand_in.control(latency_ms=20_000)
            wait_until(lambda: stand_in.stats()["open"] > 0)
            process.send_signal(signal.SIGINT)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(timeout=1)
            process.send_signal(signal.SIGINT)
            process.wait(timeout=5)
        stand_in.control(latency_ms=0)

        second = crawl(stand_in, url, *state)

    assert process.returncode == 4
    assert second.status == 0, second.err
    assert rows(url, "SELECT count(*) FROM workflows") == [(20,)]
