"""Ten processes that write to one archive, against one that does: `make bench`."""

import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from n8n_scraper.ledger import runs
from n8n_scraper.ledger.database import Database
from tests.bench.test_exports_at_size import Writer
from tests.crawling import PROJECT, child, rows
from tests.unit.ledger.given import a_run

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]

ITEMS, WRITERS = 500, 10


def test_ten_writers_store_everything_without_an_error(
    database: Database, database_url: str, tmp_path: Path
) -> None:
    like = tmp_path / "template.json"
    like.write_text(Writer().write(1).model_dump_json())

    alone = throughput(database, database_url, like, writers=1, first=0)
    together = throughput(database, database_url, like, writers=WRITERS, first=ITEMS)

    name = database.engine.dialect.name
    print(f"\n{name}: one writer {alone:.0f} items a second, {WRITERS} writers {together:.0f}")
    stored = rows(database_url, "SELECT count(*), count(DISTINCT workflow_id) FROM workflows")
    assert stored == [(2 * ITEMS, 2 * ITEMS)]


def throughput(database: Database, url: str, like: Path, writers: int, first: int) -> float:
    """Let so many processes store the items of a run; give how many they store in a second."""
    run_id = a_run(database, *map(str, range(first + 1, first + 1 + ITEMS)))
    database.do(lambda session: runs.note_discovery(session, run_id))
    command = [sys.executable, "-m", "tests.bench.archive_writer", url, run_id, like]
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with ExitStack() as stack:
        running = [
            stack.enter_context(child(command, cwd=PROJECT, **streams)) for _ in range(writers)
        ]
        assert [process.stdout.readline() for process in running] == ["ready\n"] * writers
        began = time.monotonic()
        for process in running:
            process.stdin.write("go\n")
            process.stdin.flush()
        ends = [process.communicate(timeout=300) for process in running]
        seconds = time.monotonic() - began
    assert [said for _, said in ends] == [""] * writers
    assert [process.returncode for process in running] == [0] * writers
    assert sum(int(number) for number, _ in ends) == ITEMS
    return ITEMS / seconds
