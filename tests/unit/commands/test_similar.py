"""`scrapy similar`: what is nearly the same, and exports without it."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete

from n8n_scraper.ledger.database import Database
from n8n_scraper.records import history
from n8n_scraper.records.tables import FirstFeatureRow, ItemFeaturesRow, LookAlikesRow
from n8n_scraper.sources.n8n.source import SOURCE
from tests import templates
from tests.crawling import Ran, scrapy
from tests.unit.exports.given import template

KINDS = ("webhook", "set", "if", "slack", "gmail", "code", "merge")


def workflow(*kinds: str) -> dict[str, Any]:
    """Give a workflow of nodes in a row."""
    nodes = [
        {"name": f"{kind} {at}", "type": f"n8n-nodes-base.{kind}"} for at, kind in enumerate(kinds)
    ]
    wires = {
        one["name"]: {"main": [[{"node": other["name"], "type": "main", "index": 0}]]}
        for one, other in pairwise(nodes)
    }
    return {"nodes": nodes, "connections": wires}


ARCHIVE = (
    template("1", title="Mail to Slack", views=5, workflow=workflow(*KINDS)),
    template("2", title="Courriel\x1b[31m vers Slack", views=9, workflow=workflow(*KINDS)),
    template("3", title="One step more", views=7, workflow=workflow(*KINDS, "noOp")),
    template("4", title="Another", views=1, workflow=workflow(*reversed(KINDS))),
    template("5", title="Small", workflow=workflow("webhook", "slack")),
    template("6", title="Small too", workflow=workflow("webhook", "slack")),
)


@pytest.fixture
def url(sqlite_url: str) -> str:
    database = Database(sqlite_url)
    for one in ARCHIVE:
        database.do(lambda session, one=one: templates.save(session, one, []))
    database.do(lambda session: history.note_gone(session, SOURCE, "run", "3"))
    database.close()
    return sqlite_url


def similar(url: str, *arguments: str) -> Ran:
    return scrapy("similar", *arguments, environment={"DATABASE_URL": url})


def exported(url: str, folder: Path, *arguments: str) -> tuple[Ran, list[str]]:
    path = folder / "x.jsonl"
    ran = scrapy(
        *("export", "--format", "jsonl", "--output", str(path), *arguments),
        environment={"DATABASE_URL": url},
    )
    lines = path.read_text().splitlines() if path.exists() else []
    return ran, [json.loads(line)["workflow_id"] for line in lines]


def test_the_look_alikes_of_a_template_are_told_the_most_similar_first(url: str) -> None:
    ran = similar(url, "1")

    assert ran.status == 0, ran.err
    first, copy, longer = ran.out.splitlines()
    assert first == "Template 1: Mail to Slack"
    assert copy.split() == ["100.0%", "2", r"Courriel\x1b[31m", "vers", "Slack"]
    assert longer.startswith("  86.7%        3  One step more (removed 20")
    assert similar(url, "5").out.splitlines()[1:] == ["Nothing in the archive is nearly the same."]


def test_machines_are_told_the_same(url: str) -> None:
    told = json.loads(similar(url, "4", "--json").out)

    assert told == {"workflow_id": "4", "title": "Another", "not_looked_at": 0, "alike": []}


def test_what_is_not_there_or_makes_no_sense_is_one_line(url: str) -> None:
    assert similar(url, "99").err == "scrapy: the archive has no template '99'.\n"
    assert similar(url).err.startswith("scrapy: write: scrapy similar ID")
    assert similar(url, "1", "--source", "hk_events").err == (
        "scrapy: events are not compared with each other.\n"
    )
    assert {similar(url, "99").status, similar(url).status} == {2}


def test_of_those_that_are_alike_an_export_keeps_the_most_viewed_that_the_site_has(
    url: str, tmp_path: Path
) -> None:
    ran, ids = exported(url, tmp_path, "--duplicates", "keep-one")

    assert ran.status == 0, ran.err
    assert ids == ["2", "4", "5", "6"]
    assert "duplicates left out 2" in ran.out
    manifest = json.loads((tmp_path / "x.jsonl.manifest.json").read_text())
    assert manifest["counts"]["duplicates_left_out"] == 2
    assert manifest["filters"] == {"duplicates": "keep-one"}
    # ... of those that were chosen, and with room for others
    assert exported(url, tmp_path, "--duplicates", "keep-one", "--limit", "2")[1] == ["2", "4"]
    assert exported(url, tmp_path, "--duplicates", "keep-one", "--ids", "1,3,4")[1] == ["1", "4"]
    assert exported(url, tmp_path, "--duplicates", "keep-all")[1] == list("123456")


def test_an_archive_of_before_is_compared_on_demand(url: str, tmp_path: Path) -> None:
    # Given an archive of a version that compared nothing
    database = Database(url)
    for row in (ItemFeaturesRow, FirstFeatureRow, LookAlikesRow):
        database.do(lambda session, row=row: session.execute(delete(row)) and None)
    database.close()

    # Then what needs it says so
    assert "run `scrapy similar --rebuild`" in similar(url, "1").err
    ran, _ = exported(url, tmp_path, "--duplicates", "keep-one")
    assert (ran.status, "6 templates of an earlier version" in ran.err) == (2, True)

    # When all is compared
    rebuilt = similar(url, "--rebuild")

    # Then it is known
    assert rebuilt.status == 0, rebuilt.err
    assert rebuilt.out.startswith("6 templates compared in ")
    assert "3 pairs of look-alikes, 3 templates in 1 clusters" in rebuilt.out
    assert len(similar(url, "1").out.splitlines()) == 3
