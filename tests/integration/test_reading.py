"""Who only reads changes nothing: no file comes into being, no table gets another shape."""

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from n8n_scraper.ledger.database import Database
from tests import templates
from tests.crawling import rows, scrapy
from tests.older import back_to
from tests.unit.making import template

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


@pytest.fixture(scope="module")
def bound() -> list[str]:
    """How to start a process that permissions bind: root is one that they do not."""
    if os.geteuid() != 0:
        return []
    privileges = "-dac_override,-dac_read_search"
    starter = ["setpriv", f"--bounding-set={privileges}", f"--inh-caps={privileges}"]
    if not shutil.which("setpriv") or subprocess.run([*starter, "true"], check=False).returncode:
        pytest.skip("SKIPPED AS ROOT: setpriv cannot give up root's privileges here")
    return starter


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder whose permissions a test may take away."""
    folder = tmp_path / "archive"
    folder.mkdir()
    yield folder
    folder.chmod(0o755)


def lock(folder: Path) -> None:
    """Let an archive be read and nothing else."""
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)


def test_an_archive_that_may_only_be_read_is_read(
    folder: Path, tmp_path: Path, bound: list[str]
) -> None:
    # Given an archive that nobody is at work on
    url = f"sqlite:///{folder}/a.db"
    with storing(url, "1"):
        pass
    lock(folder)

    # When it is read and exported
    out = tmp_path / "out.jsonl"
    exported = scrapy(
        *("export", "--format", "jsonl", "--output", str(out)),
        environment={"DATABASE_URL": url},
        under=bound,
    )
    listed = scrapy("runs", "list", environment={"DATABASE_URL": url}, under=bound)

    # Then all is there, and nothing new beside it
    assert exported.status == 0, exported.err
    assert [json.loads(line)["workflow_id"] for line in out.read_text().splitlines()] == ["1"]
    assert (listed.status, listed.err) == (0, "")
    assert [file.name for file in folder.iterdir()] == ["a.db"]


def test_while_its_owner_writes_the_newest_is_read(folder: Path, bound: list[str]) -> None:
    url = f"sqlite:///{folder}/a.db"

    with storing(url, "1") as database:
        database.do(lambda session: templates.save(session, template("2"), []))
        lock(folder)
        read = scrapy("quality", "2", environment={"DATABASE_URL": url}, under=bound)

    assert read.status == 0, read.err


def test_answers_that_may_only_be_read_are_read_anew_and_nothing_is_stored(
    folder: Path, bound: list[str]
) -> None:
    url = f"sqlite:///{folder}/a.db"
    with storing(url, "1"):
        pass
    lock(folder)

    looked = scrapy("reread", "--dry-run", environment={"DATABASE_URL": url}, under=bound)
    refused = scrapy("reread", environment={"DATABASE_URL": url}, under=bound)

    assert (looked.status, looked.err) == (3, "")
    assert "1  metadata: its answer is not stored" in looked.out
    assert (refused.status, refused.out, len(refused.err.splitlines())) == (6, "", 1)
    assert "readonly database" in refused.err
    assert [file.name for file in folder.iterdir()] == ["a.db"]


@contextmanager
def storing(url: str, workflow_id: str) -> Iterator[Database]:
    """Have an archive open in which a template was stored."""
    database = Database(url)
    database.do(lambda session: templates.save(session, template(workflow_id), []))
    yield database
    database.close()


@pytest.mark.parametrize("command", [("status",), ("crawl", "workflows")], ids=" ".join)
def test_a_folder_that_may_not_be_entered_costs_one_line(
    command: tuple[str, ...], folder: Path, tmp_path: Path, bound: list[str]
) -> None:
    (folder / "theirs").mkdir()
    (folder / "theirs").chmod(0)

    ran = scrapy(
        *command,
        environment={
            "DATABASE_URL": f"sqlite:///{folder}/theirs/a.db",
            "CHECKPOINT_DIR": str(tmp_path),
            "LOG_LEVEL": "ERROR",
        },
        under=bound,
    )

    assert ran.status == 6
    assert "Traceback" not in ran.err
    if command == ("status",):
        assert ran.err == f"scrapy: The database {folder}/theirs/a.db cannot be reached: " + (
            "Permission denied.\n"
        )
