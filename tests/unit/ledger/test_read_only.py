"""Reading a file that may not be written."""

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from n8n_scraper.ledger.read_only import ReadOnlyArchive


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database in WAL mode that nobody has open."""
    made = tmp_path / "a b?.db"
    add(made, 1)
    return made


def add(path: Path, number: int) -> None:
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode=WAL")
    writer.execute("CREATE TABLE IF NOT EXISTS t (n)")
    writer.execute("INSERT INTO t VALUES (?)", [number])
    writer.commit()
    writer.close()


def numbers(archive: ReadOnlyArchive) -> list[int]:
    with archive.engine(make_url("sqlite://")).connect() as connection:
        return list(connection.scalars(text("SELECT n FROM t ORDER BY n")))


def test_what_stands_still_is_read_and_nothing_is_made_beside_it(path: Path) -> None:
    archive = ReadOnlyArchive(path)

    assert archive.look(lambda: numbers(archive)) == [1]
    assert list(path.parent.iterdir()) == [path]


def test_what_is_committed_but_not_yet_in_the_file_is_read_too(path: Path) -> None:
    archive = ReadOnlyArchive(path)
    writer = sqlite3.connect(path)
    writer.execute("INSERT INTO t VALUES (2)")
    writer.commit()

    assert archive.look(lambda: numbers(archive)) == [1, 2]
    writer.close()


def test_what_was_written_meanwhile_is_read_again(path: Path) -> None:
    # Given a look during which another process opens, writes and closes the archive
    archive = ReadOnlyArchive(path)
    looks = []

    def read() -> list[int]:
        found = numbers(archive)
        if not looks:
            add(path, 2)
        looks.append(found)
        return found

    # Then the first look does not count
    assert archive.look(read) == [1, 2]
    assert looks == [[1], [1, 2]]


def test_an_error_that_is_no_interruption_is_an_error(path: Path) -> None:
    archive = ReadOnlyArchive(path)
    path.write_bytes(b"no database" * 1000)

    with pytest.raises(Exception, match="not a database"):
        archive.look(lambda: numbers(archive))
