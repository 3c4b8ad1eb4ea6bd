"""What is cheap to run is run as it stands, in a folder like the project's, on a small archive."""

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.postgres import free_port
from tests.crawling import crawl
from tests.documents.reading import PROJECT, blocks, commands

pytestmark = pytest.mark.full_speed
CHEAP = ("status", "runs", "changes", "export", "breaker")
WRITING = {"reset", "retry-failed"}
BLOCKS_OF_PYTHON = ("data/demo/n8n.db", "n8n-backup.db")


@pytest.fixture(scope="module")
def copy(stand_in: RunningStandIn, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the checkout has, and an archive of five templates of the stand-in."""
    folder = tmp_path_factory.mktemp("copy")
    (folder / "scrapy.cfg").write_text((PROJECT / "scrapy.cfg").read_text())
    (folder / "n8n_scraper").symlink_to(PROJECT / "n8n_scraper")
    (folder / ".venv" / "bin").mkdir(parents=True)
    for name in ("python", "scrapy"):
        (folder / ".venv" / "bin" / name).symlink_to(Path(sys.executable).with_name(name))
    (folder / "data" / "demo").mkdir(parents=True)
    url = f"sqlite:///{folder}/data/n8n.db"
    assert crawl(stand_in, url, "-a", "limit=5", "-a", "chain=lean").status == 0
    (folder / "data" / "demo" / "n8n.db").write_bytes((folder / "data" / "n8n.db").read_bytes())
    return folder


def paste(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run text as a shell does that has nothing but the system's own programs on its path."""
    return subprocess.run(
        ["sh", "-e"],
        input=text,
        cwd=folder,
        env={"PATH": os.defpath, "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def cheap() -> Iterator[str]:
    """Give one command of each kind that only reads."""
    seen = set()
    for command in commands():
        kind = tuple(word for word in command.program[1:3] if not word.startswith("-"))
        if kind and kind[0] in CHEAP and kind not in seen and not WRITING & {*kind}:
            seen.add(kind)
            yield " ".join(command.words)


@pytest.mark.parametrize("command", list(cheap()))
def test_a_command_that_only_reads_can_be_pasted(command: str, copy: Path) -> None:
    pasted = paste(command, copy)

    assert (pasted.returncode, pasted.stderr) == (0, "")


def test_the_same_archive_is_found_from_a_folder_of_the_project(copy: Path) -> None:
    pasted = paste("cd data/demo && ../../.venv/bin/scrapy runs list", copy)

    assert (pasted.returncode, pasted.stderr) == (0, "")
    assert len(pasted.stdout.splitlines()) == 1


@pytest.mark.parametrize("file", BLOCKS_OF_PYTHON)
def test_a_block_with_python_in_it_can_be_pasted(file: str, copy: Path) -> None:
    text = next(text for _, text in blocks("sh") if file in text)

    pasted = paste(text, copy)

    assert (pasted.returncode, pasted.stderr) == (0, "")


@pytest.mark.further
def test_the_block_that_crawls_the_stand_in_of_events_can_be_pasted(copy: Path) -> None:
    text = next(text for _, text in blocks("sh") if "stand-in-events" in text)
    text = re.sub("(?<=[/= ])/tmp(?=/)", str(copy), text.replace("8809", str(free_port())))

    pasted = paste(f"trap 'kill $!' EXIT\n{text}", copy)

    assert pasted.returncode == 0, pasted.stderr
    assert len((copy / "stand-in-events.jsonl").read_text().splitlines()) == 60
    assert "'event_id': '180060'" in pasted.stdout


def statements() -> Iterator[str]:
    """Give every query of the archive; those of DuckDB read a file."""
    for _, text in blocks("sql"):
        yield from (one.strip() for one in text.split(";") if one.strip() and ".parquet" not in one)


@pytest.mark.parametrize("statement", list(statements()))
def test_a_documented_query_is_answered(statement: str, copy: Path) -> None:
    archive = sqlite3.connect(copy / "data" / "n8n.db")

    archive.execute(statement).fetchall()

    archive.close()
