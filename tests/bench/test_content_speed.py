"""What looking into a workflow costs, on recorded ones: nothing that a crawl would notice."""

import json
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from n8n_scraper.policies.import_check import check_import
from n8n_scraper.policies.node_table import shipped_table
from n8n_scraper.policies.secrets import findings_in

pytestmark = pytest.mark.long  # under coverage a speed says nothing


def milliseconds(work: Callable[[dict[str, Any]], object], samples: Path) -> list[float]:
    """The best of five for each recorded workflow, the slowest last."""
    taken = []
    for file in sorted((samples / "workflow-json").glob("[0-9]*.json")):
        workflow = json.loads(file.read_bytes())
        rounds = []
        for _ in range(5):
            began = perf_counter()
            work(workflow)
            rounds.append(perf_counter() - began)
        taken.append(1000 * min(rounds))
    return sorted(taken)


def test_an_import_verdict_takes_two_milliseconds_at_most(samples: Path) -> None:
    table = shipped_table()

    taken = milliseconds(lambda one: check_import(one, name="A name", table=table), samples)

    print(f"\nimport verdict: median {taken[len(taken) // 2]:.2f} ms, worst {taken[-1]:.2f} ms")
    assert taken[-1] <= 2


def test_looking_for_secrets_takes_a_few_milliseconds(samples: Path) -> None:
    taken = milliseconds(findings_in, samples)

    print(f"\nsecrets: median {taken[len(taken) // 2]:.2f} ms, worst {taken[-1]:.0f} ms")
    assert taken[len(taken) // 2] <= 5
    assert taken[-1] <= 500
