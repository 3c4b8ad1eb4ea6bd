"""What a database does to a crawl: it may stop it, but never make it lie."""

import os
import sqlite3
import stat
import time
from pathlib import Path

import pytest

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.postgres import NoPostgres, own_server
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import crawl, rows, scrapy, started, stored, wait_until

pytestmark = pytest.mark.full_speed


def last_line(text: str) -> str:
    return text.strip().splitlines()[-1]


def test_a_database_that_is_away_stops_the_crawl_in_one_line(stand_in: RunningStandIn) -> None:
    stand_in.reset()

    ran = crawl(
        stand_in, "postgresql://nobody:secret@127.0.0.1:9/none", "-s", "DATABASE_PATIENCE=0"
    )

    assert ran.status == 6
    assert "cannot be used" in ran.err
    assert "secret" not in ran.err
    assert "Traceback" not in ran.err
    assert stand_in.log() == []  # nothing was asked of the site for nothing


def test_a_file_that_is_no_database_is_left_alone(stand_in: RunningStandIn, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear reader, this is no database at all. " * 50)

    ran = crawl(stand_in, f"sqlite:///{tmp_path}/letter.txt")

    assert ran.status == 6
    assert "file is not a database" in ran.err
    assert (tmp_path / "letter.txt").read_text().startswith("Dear reader")


def test_a_database_of_a_newer_version_is_left_alone(
    stand_in: RunningStandIn, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/a.db"
    scrapy("db", "upgrade", environment={"DATABASE_URL": url})
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()

    ran = crawl(stand_in, url)

    assert ran.status == 6
    assert "made by a newer one" in ran.err


def test_a_full_disk_ends_the_crawl_and_nothing_counts_that_is_not_stored(
    stand_in: RunningStandIn, sqlite_url: str
) -> None:
    # Given a disk on which no file may grow beyond what a few templates need
    ran = crawl(stand_in, sqlite_url, largest_file_bytes=600_000)

    assert ran.status == 6
    assert "cannot be used: " in ran.err
    assert "The database was lost; " in last_line(ran.err)
    done = rows(sqlite_url, "SELECT count(*) FROM scrape_run_items WHERE state = 'done'")
    assert done == rows(sqlite_url, "SELECT count(*) FROM workflows")


def test_what_a_full_disk_left_undone_is_done_by_the_same_command(
    stand_in: RunningStandIn, sqlite_url: str, tmp_path: Path
) -> None:
    state = ("-s", f"JOBDIR={tmp_path}/state")
    first = crawl(stand_in, sqlite_url, *state, largest_file_bytes=700_000)

    second = crawl(stand_in, sqlite_url, *state)

    assert (first.status, second.status) == (6, 0), second.err
    assert set(stored(sqlite_url)) == {str(number) for number in stand_in.ids}


def test_a_restarted_server_does_not_end_the_crawl(tmp_path: Path) -> None:
    # Given a PostgreSQL that is stopped hard in mid-crawl and comes back
    try:
        with own_server() as server, running_stand_in(templates=30) as stand_in:
            url = server.url.render_as_string(hide_password=False)
            with started(stand_in, url, RATE_LIMIT_RATE="40") as process:
                wait_until(lambda: stand_in.stats()["requests"] > 40)
                server.stop()
                server.start()
                _, said = process.communicate(timeout=60)

            # Then it goes on, and nothing is missing
            assert process.returncode == 0, said
            assert set(stored(url)) == {str(number) for number in stand_in.ids}
    except NoPostgres as reason:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"SKIPPED WITHOUT POSTGRESQL: {reason}")


@pytest.mark.parametrize(
    "seconds", [2, pytest.param(20, marks=[pytest.mark.long, pytest.mark.timeout(180)])]
)
def test_somebody_elses_lock_is_waited_for(seconds: int, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/a.db"
    with running_stand_in(templates=30) as stand_in:
        with started(stand_in, url, RATE_LIMIT_RATE="20") as process:
            wait_until(lambda: stand_in.stats()["requests"] > 20)
            other = sqlite3.connect(tmp_path / "a.db", isolation_level=None, timeout=30)
            other.execute("BEGIN IMMEDIATE")
            time.sleep(seconds)  # the lock is what is tried here, and it lasts in real time
            other.execute("COMMIT")
            other.close()
            _, said = process.communicate(timeout=60)

        assert process.returncode == 0, said
        assert set(stored(url)) == {str(number) for number in stand_in.ids}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_named(stand_in: RunningStandIn, tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        ran = crawl(stand_in, f"sqlite:///{tmp_path}/sub/a.db")
    finally:
        tmp_path.chmod(stat.S_IRWXU)

    assert ran.status == 6
    assert str(tmp_path) in ran.err


def test_db_upgrade_creates_the_tables_and_may_be_repeated(bare_url: str) -> None:
    environment = {"DATABASE_URL": bare_url}

    first = scrapy("db", "upgrade", environment=environment)
    second = scrapy("db", "upgrade", environment=environment)

    assert (first.status, second.status) == (0, 0), first.err
    assert "has the newest tables" in second.out
    assert rows(bare_url, "SELECT count(*) FROM workflows") == [(0,)]
