"""`scrapy changes`: what has happened."""

import json
from pathlib import Path

import pytest

from n8n_scraper.ledger import runs
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import NewRun
from tests import templates
from tests.crawling import Ran, scrapy
from tests.unit.making import template


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """An archive in which a template appears and is renamed, and the run that found it so."""
    folder: Path = tmp_path_factory.mktemp("archive")
    address = f"sqlite:///{folder}/a.db"
    database = Database(address)
    new = NewRun("workflows", "n8n", "x", {}, {}, {}, "scrapy crawl workflows")
    run_id = database.do(lambda session: runs.enter(session, new))
    for day, title in ((1, "One"), (2, "Tw\x1bo")):
        item = template(name=title, run_id=run_id)
        item.scraped_at = f"2026-11-0{day}T00:00:00.000Z"
        database.do(lambda session, item=item: templates.save(session, item, []))
    database.close()
    return address, run_id


def changes(archive: tuple[str, str], *arguments: str) -> Ran:
    return scrapy("changes", *arguments, environment={"DATABASE_URL": archive[0]})


def test_events_come_one_a_line_the_newest_last(archive: tuple[str, str]) -> None:
    ran = changes(archive, "--since", "2026-11-01")

    assert ran.status == 0, ran.err
    assert ran.out.splitlines() == [
        "2026-11-01T00:00:00Z  new            7  Tw\\x1bo",
        '2026-11-02T00:00:00Z  renamed        7  Tw\\x1bo: title "One" → "Tw\\u001bo"',
    ]


def test_machines_get_one_json_object_a_line(archive: tuple[str, str]) -> None:
    ran = changes(archive, "--since", "2026-11-01", "--kind", "changed,renamed", "--json")

    found = [json.loads(line) for line in ran.out.splitlines()]
    assert [event["kind"] for event in found] == ["renamed"]
    assert found[0]["details"]["title"] == {"old": "One", "new": "Tw\x1bo"}


def test_a_run_stands_for_its_beginning(archive: tuple[str, str]) -> None:
    ran = changes(archive, "--since", archive[1])

    assert ran.status == 0, ran.err
    begun = f"{archive[1][:4]}-{archive[1][4:6]}-{archive[1][6:8]}T"
    assert ran.out.startswith(f"Nothing has happened since {begun}")
    assert ran.out.endswith("Z.\n")
    assert changes(archive, "--since", archive[1], "--json").out == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "write: scrapy changes --since"),
        (["--since", "yesterday"], "--since yesterday"),
        (["--since", "3d", "--kind", "odd"], "--kind odd: write one of new, changed"),
        (["--since", "3d", "7"], "write: scrapy changes --since"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    archive: tuple[str, str], arguments: list[str], words: str
) -> None:
    ran = changes(archive, *arguments)

    assert ran.status == 2
    assert words in ran.err
    assert len(ran.err.strip().splitlines()) == 1
