"""What a database says of itself."""

import time
from pathlib import Path

import pytest

from n8n_scraper.core.errors import StoreError
from n8n_scraper.ledger.condition import condition, problems
from n8n_scraper.ledger.database import Database
from tests.unit.ledger.given import a_run


def test_it_tells_its_version_its_size_and_its_time(database: Database) -> None:
    found = database.look(condition)

    assert found.version.split()[0] in ("SQLite", "PostgreSQL")
    assert found.bytes > 10_000
    assert found.now == pytest.approx(time.time(), abs=5)


def test_one_that_is_sound_finds_no_damage(database: Database) -> None:
    assert database.look(problems) == []


def test_a_damaged_file_is_noticed(tmp_path: Path) -> None:
    # Given an archive of which a page was overwritten
    path = tmp_path / "a.db"
    database = Database(f"sqlite:///{path}", patience_seconds=0)
    a_run(database, *map(str, range(500)))
    database.close()
    content = bytearray(path.read_bytes())
    page = 4096
    for number in range(20, len(content) // page, 7):
        content[number * page + 8 : number * page + 600] = b"\xff" * 592
    path.write_bytes(content)

    # When it is looked through
    damaged = Database(f"sqlite:///{path}", patience_seconds=0)
    try:
        found = damaged.look(problems)
    except StoreError as error:
        found = [str(error)]
    damaged.close()

    # Then it says so, in one way or the other
    assert found
