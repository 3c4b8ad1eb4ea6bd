"""An archive of PostgreSQL that another test has had is like a new one, or nobody has it again."""

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import make_url

from tests.conftest import own_database
from tests.used_again import UsedAgain


@pytest.fixture
def archives(postgres: str, tables_of_postgres: str) -> Iterator[UsedAgain]:
    ready = UsedAgain(lambda: own_database(postgres, made_of=tables_of_postgres))
    yield ready
    ready.close()


def told(url: str, *statements: str) -> psycopg.Connection:
    address = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    connection = psycopg.connect(address, autocommit=True)
    for one in statements:
        connection.execute(one.encode())
    return connection


def had_after(archives: UsedAgain, *statements: str) -> bool:
    """Whether the next test has the archive to which a test has done this."""
    with archives.archive() as first:
        told(first, *statements).close()
    with archives.archive() as second:
        return second == first


def test_what_a_test_has_stored_is_gone_and_numbers_begin_anew(archives: UsedAgain) -> None:
    store = (
        "INSERT INTO item_events (source, item_id, run_id, at, kind, details)"
        " VALUES ('n8n', '1', 'a', '2026', 'new', '{}') RETURNING *"
    )
    with archives.archive() as first, told(first) as connection:
        row = connection.execute(store).fetchone()

    with archives.archive() as second, told(second) as connection:
        assert second == first
        assert connection.execute(store).fetchone() == row


def test_a_connection_that_a_test_has_left_open_keeps_nobody_waiting(archives: UsedAgain) -> None:
    with archives.archive() as url:
        left = told(url, "BEGIN", "LOCK TABLE scrape_runs IN ACCESS EXCLUSIVE MODE")

    with pytest.raises(psycopg.OperationalError):
        left.execute("SELECT 1")
    left.close()
    with archives.archive() as again:
        assert again == url


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TABLE toys (toy int)",
        "DROP TABLE receipts",
        "ALTER TABLE receipts ADD COLUMN toy int",
        "UPDATE alembic_version SET version_num = '0001'",
    ],
)
def test_one_whose_tables_were_changed_is_had_by_nobody_again(
    archives: UsedAgain, change: str
) -> None:
    assert had_after(archives, "SELECT 1")
    assert not had_after(archives, change)
