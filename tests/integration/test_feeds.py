"""A feed is whole, without secrets where that is wanted, and never a success when it is lost."""

import csv
import json
from pathlib import Path

import pytest

from n8n_scraper.exports import read_jsonl, read_parquet
from n8n_scraper.policies.safety.secrets import findings_in, redacted
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.sources.n8n.rules.secrets import KEPT
from tests.crawling import crawl, rows, stored

pytestmark = pytest.mark.full_speed


@pytest.mark.real_start
def test_a_feed_that_cannot_be_opened_is_told_and_the_database_has_everything(
    stand_in: RunningStandIn, sqlite_url: str, tmp_path: Path
) -> None:
    (tmp_path / "taken-workflows").mkdir()  # a name that is known only when the crawl runs

    ran = crawl(stand_in, sqlite_url, "-a", "limit=3", "-O", f"{tmp_path}/taken-%(name)s:jsonlines")

    assert ran.status == 9, ran.err
    assert rows(sqlite_url, "SELECT totals FROM scrape_runs")[0][0].count('"exit_status": 9') == 1
    assert "A feed cannot be written" in ran.err
    assert rows(sqlite_url, "SELECT count(*) FROM workflows") == [(3,)]


@pytest.mark.parametrize("kind", ["jsonlines", "csv", "parquet"])
def test_a_feed_on_a_full_disk_is_told(
    stand_in: RunningStandIn, sqlite_url: str, kind: str
) -> None:
    ran = crawl(stand_in, sqlite_url, "-a", "limit=3", "-O", f"/dev/full:{kind}")

    assert ran.status == 9, ran.err
    assert "No space left on device" in ran.err
    assert "Traceback" not in ran.err
    assert rows(sqlite_url, "SELECT count(*) FROM workflows") == [(3,)]


@pytest.mark.parametrize("kind", ["parquet", "json"])
def test_a_feed_that_cannot_be_appended_to_is_refused_before_anything_is_asked(
    stand_in: RunningStandIn, tmp_path: Path, kind: str
) -> None:
    # Given a feed of an earlier crawl
    feed = tmp_path / f"x.{kind}"
    feed.write_bytes(b"of an earlier crawl")

    # When another crawl is to append to it
    ran = crawl(stand_in, f"sqlite:///{tmp_path}/a.db", "-o", str(feed))

    # Then one line says what to write instead, and nothing has begun
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "cannot be appended to; write -O" in ran.err
    assert feed.read_bytes() == b"of an earlier crawl"
    assert not (tmp_path / "a.db").exists()


def test_a_table_that_is_appended_to_has_its_header_once(
    stand_in: RunningStandIn, sqlite_url: str, tmp_path: Path
) -> None:
    first, second = (str(number) for number in stand_in.ids[:2])
    feed = tmp_path / "x.csv"
    crawl(stand_in, sqlite_url, "-a", f"ids={first}", "-o", str(feed))

    ran = crawl(stand_in, sqlite_url, "-a", f"ids={second}", "-o", str(feed))

    assert ran.status == 0, ran.err
    assert [row["workflow_id"] for row in read_csv(feed)] == [first, second]


def read_csv(path: Path) -> list[dict[str, str]]:
    csv.field_size_limit(10_000_000)
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def redacted_feeds(stand_in: RunningStandIn, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a crawl of the whole stand-in, and its feeds without secrets."""
    folder = tmp_path_factory.mktemp("redacted")
    names = ("x.jsonl", "x.json", "x.parquet", "x.csv")
    arguments = [argument for name in names for argument in ("-O", f"{folder}/{name}")]
    ran = crawl(stand_in, f"sqlite:///{folder}/a.db", *arguments, REDACT="replace")
    assert ran.status == 0, ran.err
    return folder


def archived(folder: Path) -> dict[str, Template]:
    """What the database of the crawl has: everything, secrets too."""
    kept = stored(f"sqlite:///{folder}/a.db")
    assert any(one.secrets and redacted(one, KEPT) != one for one in kept.values())
    return kept


def test_feeds_have_what_an_export_without_secrets_would_have(redacted_feeds: Path) -> None:
    clean = {number: redacted(one, KEPT) for number, one in archived(redacted_feeds).items()}

    lines = read_jsonl(redacted_feeds / "x.jsonl")
    document = json.loads((redacted_feeds / "x.json").read_bytes())
    columns = read_parquet(redacted_feeds / "x.parquet")

    assert {one.workflow_id: one for one in lines} == clean
    assert {one["workflow_id"]: Template.model_validate(one) for one in document} == clean
    assert {one.workflow_id: one for one in columns} == clean


def test_no_secret_is_in_any_cell_of_a_table(redacted_feeds: Path) -> None:
    written = ("title", "description", "workflow", "notes", "explainer")
    had = [number for number, one in archived(redacted_feeds).items() if redacted(one, KEPT) != one]

    cells = {
        row["workflow_id"]: [row[name] for name in written]
        for row in read_csv(redacted_feeds / "x.csv")
    }

    assert not [number for number in cells if findings_in(cells[number])]
    assert all(any("[REDACTED:" in cell for cell in cells[number]) for number in had)


def test_feeds_have_everything_unless_somebody_wants_it_otherwise(
    redacted_feeds: Path, stand_in: RunningStandIn, sqlite_url: str, tmp_path: Path
) -> None:
    had = [number for number, one in archived(redacted_feeds).items() if redacted(one, KEPT) != one]

    ran = crawl(stand_in, sqlite_url, "-a", f"ids={','.join(had)}", "-O", f"{tmp_path}/x.jsonl")

    assert ran.status == 0, ran.err
    found = {one.workflow_id: one for one in read_jsonl(tmp_path / "x.jsonl")}
    assert set(found) == set(had)
    assert found == stored(sqlite_url)
