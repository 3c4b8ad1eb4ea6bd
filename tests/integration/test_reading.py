"""Who only reads changes nothing: no file comes into being, no table gets another shape."""

import sqlite3
from pathlib import Path

import pytest

from n8n_scraper.storage.database import Database
from tests.crawling import rows, scrapy
from tests.older import back_to

READING = [
    ("status",),
    ("status", "--watch"),
    ("runs", "list"),
    ("runs", "show", "last"),
    ("runs", "items", "last"),
    ("diff", "7"),
    ("changes", "--since", "1d"),
    ("quality", "7"),
    ("breaker", "list"),
    ("export", "--format", "jsonl", "--output", "/nonexistent/out.jsonl"),
]


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_where_no_archive_is_a_command_says_so_and_makes_none(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    ran = scrapy(*command, environment={"DATABASE_URL": f"sqlite:///{tmp_path}/data/a.db"})

    assert ran.status == 2
    assert "no run is in this database yet" in ran.err
    assert len(ran.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database as the version before has left it."""
    url = f"sqlite:///{tmp_path_factory.mktemp('older')}/a.db"
    database = Database(url)
    database.open()
    with database.engine.begin() as connection:
        back_to(connection, "0006")
    database.close()
    return url


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_older_tables_stay_as_they_are_and_the_upgrade_is_named(
    command: tuple[str, ...], older: str
) -> None:
    ran = scrapy(*command, environment={"DATABASE_URL": older})

    assert ran.status == 6
    assert "run `scrapy db upgrade`" in ran.err
    assert len(ran.err.splitlines()) == 1
    assert rows(older, "SELECT version_num FROM alembic_version") == [("0006",)]


def test_after_the_upgrade_they_are_read(older: str, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/copy.db"
    source = sqlite3.connect(older.removeprefix("sqlite:///"))
    target = sqlite3.connect(tmp_path / "copy.db")
    source.backup(target)
    source.close()
    target.close()

    scrapy("db", "upgrade", environment={"DATABASE_URL": url})
    ran = scrapy("runs", "list", environment={"DATABASE_URL": url})

    assert (ran.status, ran.out) == (0, "No run is in this database yet.\n")
