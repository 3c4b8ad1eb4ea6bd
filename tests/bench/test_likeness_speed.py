"""Eight thousand graphs compared, at once and one after the other; `make bench`.

They are made from the recorded ones: half of the nodes of each get another type, drawn as often as
that type occurs, and one in ten is almost a copy of another.
"""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import pytest

from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.likeness.bounds import ALIKE
from n8n_scraper.policies.likeness.joining import alike
from n8n_scraper.records import likeness
from n8n_scraper.sources.n8n.pages import workflow as reading
from n8n_scraper.sources.n8n.rules.likeness import features
from n8n_scraper.sources.n8n.source import SOURCE

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]

GRAPHS = 8_000
STORED_LAST = 500
MOST_SECONDS = 1.0
MOST_MILLISECONDS = 5.0


def recorded(samples: Path) -> list[dict[str, Any]]:
    files = sorted((samples / "workflow-json").glob("*.json"))
    found = (json.loads(file.read_bytes()) for file in files)
    return [one for one in found if isinstance(one, dict) and reading.working_nodes(one)]


def graphs(samples: Path) -> Iterator[dict[str, Any]]:
    random, known = Random(8), recorded(samples)
    types = [str(node.get("type")) for one in known for node in reading.working_nodes(one)]
    before = known[0]
    for _ in range(GRAPHS):
        near = random.random() < 0.1
        changed = 0.03 if near else 0.5
        base = before if near else random.choice(known)
        before = base | {
            "nodes": [
                node | {"type": random.choice(types)} if random.random() < changed else node
                for node in reading.nodes(base)
            ]
        }
        yield before


@pytest.fixture(scope="module")
def made(samples: Path) -> list[dict[str, Any]]:
    return list(graphs(samples))


def test_all_are_compared_within_a_second(made: list[dict[str, Any]]) -> None:
    documents = [features({"workflow": one}) for one in made]

    began = time.process_time()
    pairs = list(alike(documents, ALIKE))
    took = time.process_time() - began

    size = sum(map(len, documents)) / len(documents)
    print(f"\n{GRAPHS} graphs of {size:.1f} features: {len(pairs)} pairs in {took:.2f} s")
    assert len(pairs) > 100
    assert took <= MOST_SECONDS


def test_one_that_is_stored_is_compared_with_all_in_milliseconds(
    made: list[dict[str, Any]], tmp_path: Path
) -> None:
    database, spent = Database(f"sqlite:///{tmp_path}/a.db"), list[float]()

    def store(session: Any) -> None:
        for number, one in enumerate(made):
            began = time.process_time()
            likeness.note(session, SOURCE, {str(number): features({"workflow": one})})
            spent.append(1_000 * (time.process_time() - began))

    database.do(store)
    database.close()

    last = sorted(spent[-STORED_LAST:])
    print(f"\na graph among {GRAPHS}: {median(last):.2f} ms, p95 {last[int(0.95 * len(last))]:.2f}")
    assert median(last) <= MOST_MILLISECONDS
