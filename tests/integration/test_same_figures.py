"""Page, report, API, metrics and terminal tell the same of a run at the same moment."""

import json
import re
from pathlib import Path

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.database import Database
from tests.crawling import scrapy
from tests.serving import served
from tests.unit.ledger.given import a_run, close

ENDED = {
    Outcome.COMPLETE: ("1", "2", "3"),
    Outcome.PARTIAL: ("4",),
    Outcome.GONE: ("5",),
    Outcome.BLOCKED: ("6",),
    Outcome.FAILED: ("7", "8"),
}
LEFT = 3
Figures = tuple[dict[str, int], int]
"""How many ended how, and how many are left."""


def test_all_five_tell_the_same(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/archive.db"
    database = Database(url)
    run_id = a_run(database, *map(str, range(1, 9 + LEFT)))
    for outcome, ids in ENDED.items():
        for one in ids:
            close(database, run_id, one, outcome, category="server")

    with served(url) as server:
        page = in_words(server.get(f"/runs/{run_id}").text)
        made = scrapy("report", "-o", "-", run_id, environment={"DATABASE_URL": url})
        metrics = in_samples(server.get("/metrics").text)
        api = server.get(f"/api/scrape-runs/{run_id}").json()
    shown = scrapy("runs", "show", run_id, "--json", environment={"DATABASE_URL": url})
    terminal = json.loads(shown.out)
    database.close()

    expected = {str(outcome): len(ids) for outcome, ids in ENDED.items()}, LEFT
    assert page == in_words(made.out) == metrics == expected
    assert (terminal["outcomes"], terminal["remaining"]) == expected
    # That contract has fewer words for how an item ended.
    assert api["statistics"] == {
        "total": sum(map(len, ENDED.values())) + LEFT,
        "pending": LEFT,
        "completed": len(ENDED[Outcome.COMPLETE]) + len(ENDED[Outcome.PARTIAL]),
        "failed": len(ENDED[Outcome.FAILED]) + len(ENDED[Outcome.BLOCKED]),
        "invalid": len(ENDED[Outcome.GONE]),
    }


def in_words(page: str) -> Figures:
    """Read the first bar of a page."""
    (said,) = re.findall(r'aria-label="of \d+: ([^"]+)"', page)
    numbers = dict(reversed(one.split(" ")) for one in said.split(", "))
    found = {name: int(number) for name, number in numbers.items()}
    return found, found.pop("left")


def in_samples(text: str) -> Figures:
    """Read what Prometheus is told of the newest run."""
    items = re.findall(r'_run_items\{[^}]*outcome="(\w+)"[^}]*\} ([\d.]+)', text)
    (left,) = re.findall(r"_run_items_left\{[^}]*\} ([\d.]+)", text)
    return {name: int(float(number)) for name, number in items}, int(float(left))
