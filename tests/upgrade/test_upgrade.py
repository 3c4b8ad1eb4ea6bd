"""An archive of the version before is upgraded in place: nothing is lost, nothing asked twice."""

import re
from pathlib import Path
from typing import Any

import pytest

from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import crawl, rows, scrapy
from tests.upgrade.earlier_archive import TEMPLATES, Rows, changed, lay_down, rows_at

pytestmark = pytest.mark.full_speed

MOVED: dict[str, str] = {"workflow_versions": "item_versions", "workflow_events": "item_events"}
"""Tables that have another name by now."""
RENAMED: dict[tuple[str, str], str] = {
    ("workflow_versions", "workflow_id"): "item_id",
    ("workflow_events", "workflow_id"): "item_id",
    ("raw_answers", "workflow_id"): "item_id",
    ("raw_answers", "layer"): "part",
    ("scrape_runs", "source"): "site",
    ("scrape_run_items", "workflow_id"): "item_id",
    ("scrape_run_answers", "workflow_id"): "item_id",
    ("scrape_run_answers", "layer"): "part",
    ("scrape_run_items", "owner"): "worker",
}
"""Columns that have another name by now."""
GONE: dict[str, tuple[str, ...]] = {
    "scrape_runs": ("owner", "fence", "lease_until"),
    "scrape_run_items": ("lease_until",),
    "domains": ("tokens", "tokens_at", "updated_at"),
}
"""Columns in whose place others are: a worker's row, and the moment of a domain's next token."""


def as_it_is_called_now(table: str, row: dict[str, Any]) -> dict[str, Any]:
    left = {name: value for name, value in row.items() if name not in GONE.get(table, ())}
    now = {RENAMED.get((table, name), name): value for name, value in left.items()}
    if table == "scrape_run_items" and (slug := now.pop("slug")) is not None:
        now["listing"] = (now["listing"] or {}) | {"slug": slug}
    return now


def lacking(before: Rows, after: Rows) -> list[str]:
    """Name what was there and is not there any more."""
    gone = []
    for table, lines in before.items():
        if table == "alembic_version":
            continue
        found = after[MOVED.get(table, table)]
        for line in lines:
            expected = as_it_is_called_now(table, line)
            if not any(holds(have, expected) for have in found):
                gone.append(f"{table}: {expected}"[:300])
    return gone


def holds(have: dict[str, Any], expected: dict[str, Any]) -> bool:
    return all(name in have and have[name] == value for name, value in expected.items())


def test_every_row_is_there_after_the_upgrade(bare_url: str, tmp_path: Path) -> None:
    # Given an archive of the version before, with a run that was killed
    before = lay_down(bare_url, tmp_path, "http://127.0.0.1:9")

    # When it is upgraded
    ran = scrapy("db", "upgrade", environment={"DATABASE_URL": bare_url})
    assert ran.status == 0, ran.err

    # Then every row of it is there, with every value
    after = rows_at(bare_url)
    assert lacking(before, after) == []
    # ... and the owner of each run is its worker, for as long as its lease lasts
    owners = {
        (run["owner"], run["run_id"], None if run["ended_at"] else run["lease_until"])
        for run in before["scrape_runs"]
    }
    workers = after["scrape_workers"]
    assert {(one["worker"], one["run_id"], one["lease_until"]) for one in workers} == owners


def test_a_run_that_was_killed_before_the_upgrade_is_finished_after_it(
    bare_url: str, tmp_path: Path
) -> None:
    with running_stand_in(templates=TEMPLATES) as stand_in:
        # Given an archive of the version before, with a run that was killed
        changed(stand_in)
        before = lay_down(bare_url, tmp_path, stand_in.url.rstrip("/"))
        settled = {
            row["workflow_id"] for row in before["scrape_run_items"] if row["closed_at"] is not None
        }
        [kept] = before["scrape_run_answers"]
        assert 0 < len(settled) < len(before["scrape_run_items"])

        # When the same command is given with this version
        ran = crawl(
            stand_in,
            bare_url,
            *("-a", "mode=update", "-a", "chain=full"),
            *("-s", f"JOBDIR={tmp_path / 'second'}"),
        )

        # Then it goes on with that run to its end
        assert ran.status == 0, ran.err
        assert "Going on with run" in ran.err
        [(unfinished,)] = rows(
            bare_url, "SELECT count(*) FROM scrape_runs WHERE status <> 'finished'"
        )
        assert unfinished == 0
        # ... and asks for nothing that was there already
        asked = [entry["path"] for entry in stand_in.log()]
        done = {
            row["workflow_id"]
            for row in before["scrape_run_items"]
            if row["closed_at"] is not None and row["run_id"] == kept["run_id"]
        }
        ids = [number for path in asked for number in re.findall(r"/(\d+)(?:-|$)", path)]
        assert ids
        assert not done & set(ids)
        assert f"/api/templates/workflows/{kept['workflow_id']}" not in asked
        # ... and each template is stored as the site has it
        stored = dict(rows(bare_url, "SELECT workflow_id, title FROM workflows"))
        for number in stand_in.catalogue.ids:
            assert stored[str(number)] == stand_in.truth(number).title
