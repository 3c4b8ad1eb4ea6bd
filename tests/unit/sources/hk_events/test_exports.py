"""Events in every general format, whole."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from n8n_scraper.core.computing import compute
from n8n_scraper.core.errors import BadInput
from n8n_scraper.exports import read_jsonl, read_parquet
from n8n_scraper.exports.exporting import Exported, Order, export
from n8n_scraper.exports.filters import read_filters
from n8n_scraper.exports.formats import formats_of, read_format
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.safety.redaction import Redaction
from n8n_scraper.records import items
from n8n_scraper.records.choosing import Snapshot
from n8n_scraper.sources.hk_events.invented import InventedEvents
from n8n_scraper.sources.hk_events.item import Event
from n8n_scraper.sources.hk_events.source import SOURCE
from tests import storing
from tests.unit.sources.hk_events.given import events_in

NOW = "2026-02-01T00:00:00.000Z"


@pytest.fixture
def kept(database: Database) -> list[Event]:
    """Invented events as the database gives them back, smallest id first."""
    for one in events_in(InventedEvents(40, 1)).values():
        compute(SOURCE.kind().computed, one)
        database.do(lambda session, one=one: storing.save(session, SOURCE, one, ()))
    found = database.do(lambda session: list(items.load_all(session, SOURCE)))
    return sorted(found, key=lambda one: (len(one.event_id), one.event_id))


def exported(
    database: Database,
    form: str,
    target: Path,
    redaction: Redaction = Redaction.REPORT,
    **given: str,
) -> Exported:
    filters = read_filters(given, NOW, SOURCE)
    order = Order(SOURCE, form, formats_of(SOURCE)[form], target, filters, {}, redaction)
    return database.look(lambda session: export(Snapshot(session, SOURCE), order))


@pytest.mark.parametrize(("form", "read"), [("jsonl", read_jsonl), ("parquet", read_parquet)])
def test_reading_back_gives_the_events_of_the_database(
    database: Database, kept: list[Event], tmp_path: Path, form: str, read: object
) -> None:
    exported(database, form, tmp_path / "x")

    assert list(read(tmp_path / "x")) == kept


def test_one_document_names_its_events_and_to_whom_they_belong(
    database: Database, kept: list[Event], tmp_path: Path
) -> None:
    exported(database, "json", tmp_path / "x.json")

    document = json.loads((tmp_path / "x.json").read_bytes())
    manifest = json.loads((tmp_path / "x.json.manifest.json").read_bytes())
    assert [Event.model_validate(one) for one in document["events"]] == kept
    assert (manifest["source"], manifest["counts"]) == ("hk_events", {"events": len(kept)})
    assert [one["event_id"] for one in manifest["events"]] == [one.event_id for one in kept]
    assert "open data" in manifest["note"]


def test_a_table_has_a_row_an_event_and_a_column_a_field(
    database: Database, kept: list[Event], tmp_path: Path
) -> None:
    exported(database, "csv", tmp_path / "x.csv")

    with (tmp_path / "x.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["event_id"] for row in rows] == [one.event_id for one in kept]
    assert list(rows[0]) == list(Event.model_fields)


def test_addresses_of_people_are_taken_out_of_the_words_of_an_event(
    database: Database, tmp_path: Path
) -> None:
    event = next(iter(events_in(InventedEvents(3, 1)).values()))
    event.observe("remark", "Write to ada.lee@acme.io", "events")
    database.do(lambda session: storing.save(session, SOURCE, event, ()))

    exported(database, "jsonl", tmp_path / "x.jsonl", Redaction.REPLACE)

    [leaving] = read_jsonl(tmp_path / "x.jsonl")
    assert leaving.remark == "Write to [REDACTED:email]"
    assert leaving.url == event.url


def test_what_is_kept_when_secrets_are_taken_out_are_fields() -> None:
    assert set(Event.model_fields) >= SOURCE.kind().kept


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"min_score": "50"}, "--min-score is nothing that events have"),
        ({"ids": "x"}, "such as 180001,180002"),
    ],
)
def test_what_events_do_not_have_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read_filters(given, NOW, SOURCE)


def test_a_format_of_another_source_is_refused_with_those_that_there_are() -> None:
    said = r"'markdown'; write one of jsonl, json, csv, parquet, dataset, datasette[.]"
    with pytest.raises(BadInput, match=said):
        read_format(SOURCE, "markdown", {})


def test_events_are_chosen_by_their_categories() -> None:
    filters = read_filters({"category": ["music"]}, NOW, SOURCE)

    assert filters.admit({"categories": ["Music"]})
    assert not filters.admit({"categories": ["Dance"]})
