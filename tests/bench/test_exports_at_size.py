"""Thirteen thousand templates exported in each format: time, peak memory, size; `make bench`."""

import re
import resource
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise, zip_longest
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from n8n_scraper.exports import read_jsonl, read_parquet
from n8n_scraper.exports.formats import all_formats
from n8n_scraper.exports.json_text import json_text
from n8n_scraper.ledger.batches import batched
from n8n_scraper.ledger.database import Database
from n8n_scraper.records.choosing import Choice, Snapshot
from n8n_scraper.sources.n8n.item import Author, Template
from n8n_scraper.sources.n8n.source import SOURCE
from n8n_scraper.sources.n8n.tables import WorkflowRow
from tests.crawling import scrapy
from tests.unit.exports.given import template

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

TEMPLATES = 13_000
A_TENTH = 1_300
NODES = 20
FLAT_KB = 64_000
"""How much more memory ten times as many templates may take."""
KINDS = [f"n8n-nodes-base.{name}" for name in ("httpRequest", "set", "if", "code", "slack")]
KINDS += [f"n8n-nodes-base.kind{number}" for number in range(60)]


class Writer:
    """Writes templates of the usual size, one in twenty of them almost a copy of the last."""

    def __init__(self) -> None:
        self.random = Random(7)
        letters = "abcdefghijklmnopqrstuvwxyz"
        self.words = ["".join(self.random.choices(letters, k=2 + n % 9)) for n in range(5_000)]
        self.shares = list(accumulate(1 / (rank + 3) for rank in range(5_000)))
        self.last = self.text(300)

    def text(self, words: int) -> str:
        return " ".join(self.random.choices(self.words, cum_weights=self.shares, k=words))

    def workflow(self) -> dict[str, Any]:
        nodes = [
            {
                "id": f"{self.random.getrandbits(128):032x}",
                "name": f"{self.text(2)} {at}",
                "type": self.random.choice(KINDS),
                "position": [at * 200, self.random.randrange(600)],
                "parameters": {"text": self.text(170), "options": {}},
                "typeVersion": 1,
            }
            for at in range(NODES)
        ]
        wires = {
            str(one["name"]): {"main": [[{"node": other["name"], "type": "main", "index": 0}]]}
            for one, other in pairwise(nodes)
        }
        return {"nodes": nodes, "connections": wires}

    def write(self, number: int) -> Template:
        if self.random.random() >= 0.05:
            self.last = self.text(300)
        workflow = self.workflow()
        return template(
            str(number),
            title=self.text(6),
            description=self.last,
            author=Author(name=self.text(2)),
            categories=self.random.sample(["AI", "Sales", "Marketing", "IT Ops"], 2),
            views=self.random.randrange(100_000),
            workflow=workflow,
            node_types={node["type"]: 1 for node in workflow["nodes"]},
        )


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database of the size of the real catalogue."""
    url = f"sqlite:///{tmp_path_factory.mktemp('full')}/full.db"
    writer = Writer()
    database = Database(url)
    columns = WorkflowRow.__table__.columns.keys()
    for numbers in batched(range(1, TEMPLATES + 1), 500):
        rows = [writer.write(number).model_dump(mode="json") for number in numbers]
        known = [{name: row[name] for name in row if name in columns} for row in rows]
        database.do(partial(store, rows=known))
    database.close()
    return url


def store(session: Any, rows: list[dict[str, Any]]) -> None:
    session.execute(WorkflowRow.__table__.insert(), rows)


@dataclass(frozen=True)
class Measured:
    """What an export cost the process that did it."""

    seconds: float
    processor_seconds: float
    peak_kb: int


def measured(url: str, form: str, target: Path, *arguments: str) -> Measured:
    """Export in a process of its own."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = scrapy(
        *("export", "--format", form, "--output", str(target), *arguments),
        environment={"DATABASE_URL": url},
        tell_memory=True,
    )
    assert ran.status == 0, ran.err
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Measured(
        time.perf_counter() - began,
        after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        int(re.findall(r"^\d+$", ran.out, re.MULTILINE)[-1]),
    )


def size(target: Path) -> int:
    files = target.rglob("*") if target.is_dir() else [target]
    return sum(path.stat().st_size for path in files)


@pytest.mark.parametrize("form", all_formats())
def test_memory_is_flat_at_thirteen_thousand(full: str, tmp_path: Path, form: str) -> None:
    few = measured(full, form, tmp_path / "few", "--limit", str(A_TENTH))
    every = measured(full, form, tmp_path / "all")

    print(
        f"\n{form:>8}: {every.seconds:5.1f} s ({every.processor_seconds:.1f} s of processor), "
        f"{every.peak_kb / 1000:4.0f} MB at most ({few.peak_kb / 1000:.0f} MB for a tenth), "
        f"{size(tmp_path / 'all') / 1e6:6.1f} MB on disk"
    )
    assert every.peak_kb < few.peak_kb + FLAT_KB


@pytest.mark.parametrize(("form", "read"), [("jsonl", read_jsonl), ("parquet", read_parquet)])
def test_what_is_read_back_is_what_is_stored(
    full: str, tmp_path: Path, form: str, read: Any
) -> None:
    measured(full, form, tmp_path / "x")

    assert all(one == other for one, other in zip_longest(stored(full), read(tmp_path / "x")))


def test_duckdb_reads_back_what_is_stored(full: str, tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    measured(full, "parquet", path)

    rows = duckdb.connect().execute(
        "select workflow_id, title, workflow, node_types, categories, author.name, views "
        "from read_parquet(?)",
        [str(path)],
    )

    seen = iter(rows.fetchone, None)
    for one, row in zip_longest(stored(full), seen):
        author = one.author and one.author.name
        expected = (one.workflow_id, one.title, json_text(one.workflow), one.node_types)
        assert row == (*expected, one.categories, author, one.views)


def stored(url: str) -> Iterator[Template]:
    """Give what the database holds, a few at a time."""
    database = Database(url)
    ids = database.look(lambda session: Snapshot(session, SOURCE).chosen(Choice()))
    for some in batched(ids, 200):
        yield from database.look(
            lambda session, some=some: list(Snapshot(session, SOURCE).items(some))
        )
    database.close()
