"""Datasette's folder and Hugging Face's: what is in them, and that others can read it."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from n8n_scraper.exports.formats import formats_of
from n8n_scraper.exports.parquet import read_parquet
from n8n_scraper.sources.hk_events.invented import InventedEvents
from n8n_scraper.sources.hk_events.source import SOURCE as HK_EVENTS
from n8n_scraper.sources.n8n.item import Author
from n8n_scraper.sources.n8n.source import SOURCE
from tests.unit.exports.given import template
from tests.unit.sources.hk_events.given import events_in

ABOUT = {
    "tool": {"name": "n8n-scraper", "version": "1"},
    "exported_at": "2026-11-19T00:00:00.000Z",
    "filters": {"category": ["AI"]},
    "redaction": "report",
}
TEMPLATES = (
    template(
        "1",
        title="One",
        author=Author(name="Ada [x](javascript:1)", username="ada"),
        categories=["AI", "Sales"],
        node_types={"n8n-nodes-base.slack": 2, "n8n-nodes-base.set": 1},
        views=7,
    ),
    template("2", title="Two", author=Author(name="Ada [x](javascript:1)", username="ada")),
    template("3", removed_at="2026-11-01T00:00:00.000Z"),
)


def made(form: str, folder: Path, items: Any = TEMPLATES, source: Any = SOURCE) -> Path:
    with formats_of(source)[form].writer(folder / form, source, ABOUT, {}) as writer:
        for item in items:
            writer.write(item)
        writer.finish()
    return folder / form


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(made("datasette", tmp_path) / "templates.db")) as connection:
        yield connection


def test_the_flat_table_has_a_row_of_plain_values_for_each_item(
    archive: sqlite3.Connection,
) -> None:
    columns = "workflow_id, title, views, author_name, category_names, node_type_names, outcome"
    types = f"typeof(views), typeof(processing_time), typeof(in_inventory), {columns}"

    rows = archive.execute(f"SELECT {types} FROM templates_flat").fetchall()  # noqa: S608 - ours

    assert rows[0] == (
        *("integer", "real", "integer"),
        *("1", "One", 7, "Ada [x](javascript:1)", "AI, Sales"),
        *("n8n-nodes-base.slack, n8n-nodes-base.set", "complete"),
    )
    assert rows[1][0] == "null"
    assert len(rows) == 3


def test_every_question_that_is_ready_can_be_asked(
    archive: sqlite3.Connection, tmp_path: Path
) -> None:
    told = json.loads((tmp_path / "datasette/metadata.json").read_text())
    questions = told["databases"]["templates"]["queries"]

    answers = {
        name: archive.execute(one["sql"], {"node": "n8n-nodes-base.slack"}).fetchall()
        for name, one in questions.items()
        if one["title"]
    }

    assert answers["with_node"] == [("1", "One", 2, 7, TEMPLATES[0].url)]
    assert answers["removed"] == [("3", None, None, "2026-11-01T00:00:00.000Z")]
    assert answers["authors"][0][:3] == ("ada", "Ada [x](javascript:1)", 2)
    assert set(answers) == set(questions)


def test_a_dataset_is_a_table_and_a_card_that_tells_of_it(tmp_path: Path) -> None:
    folder = made("dataset", tmp_path)

    assert list(read_parquet(folder / "templates.parquet")) == list(TEMPLATES)
    card = (folder / "README.md").read_text()
    assert "    path: templates.parquet\n---\n" in card
    assert "3 templates." in card
    assert "Exported at 2026-11-19T00:00:00.000Z by n8n-scraper 1." in card
    assert r"- Ada \[x\](javascript:1): 2" in card
    assert "| `title` | 66.7% |" in card
    assert "| `workflow` | 0.0% |" in card


def test_the_times_in_parquet_are_times(tmp_path: Path) -> None:
    path = made("dataset", tmp_path) / "templates.parquet"

    table = duckdb.read_parquet(str(path)).order("workflow_id")

    found = table.select("scraped_time", "removed_time").fetchall()

    assert found == [
        (datetime(2026, 1, 1), None),
        (datetime(2026, 1, 1), None),
        (datetime(2026, 1, 1), datetime(2026, 11, 1)),
    ]


def test_events_have_the_same_folders(tmp_path: Path) -> None:
    events = list(events_in(InventedEvents(1)).values())

    table = made("datasette", tmp_path, events, HK_EVENTS) / "events.db"
    card = made("dataset", tmp_path, events, HK_EVENTS) / "README.md"

    with closing(sqlite3.connect(table)) as connection:
        rows = connection.execute("SELECT event_id, status FROM events_flat").fetchall()
    assert rows == [(events[0].event_id, str(events[0].status))]
    assert "1 event." in card.read_text()
