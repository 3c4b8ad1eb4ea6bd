"""`scrapy diff`: two versions side by side."""

import json
from pathlib import Path

import pytest

from n8n_scraper.ledger.database import Database
from n8n_scraper.records import history
from n8n_scraper.sources.n8n.source import SOURCE
from tests import templates
from tests.crawling import Ran, scrapy
from tests.unit.making import template


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An archive with a template of three versions, and one of a single version."""
    folder: Path = tmp_path_factory.mktemp("archive")
    address = f"sqlite:///{folder}/a.db"
    database = Database(address)
    for day, title in ((1, "One"), (2, "Two"), (3, "Three")):
        item = template(name=title)
        item.scraped_at = f"2026-11-0{day}T00:00:00.000Z"
        item.workflow = {**item.workflow, "nodes": item.workflow["nodes"][: 2 if day == 1 else 1]}
        database.do(lambda session, item=item: templates.save(session, item, []))
    database.do(lambda session: templates.save(session, template("8"), []))
    database.do(lambda session: history.note_gone(session, SOURCE, "run", "8"))
    database.close()
    return address


def diff(url: str, *arguments: str) -> Ran:
    return scrapy("diff", *arguments, environment={"DATABASE_URL": url})


def test_the_last_two_versions_are_compared_where_none_is_named(url: str) -> None:
    ran = diff(url, "7")

    assert ran.status == 0, ran.err
    assert ran.out.splitlines() == [
        "Template 7, version 2 → 3",
        'title: "Two" → "Three"',
    ]


def test_any_two_can_be_named(url: str) -> None:
    ran = diff(url, "7", "--from", "1", "--to", "3")

    assert ran.out.splitlines() == [
        "Template 7, version 1 → 3",
        'title: "One" → "Three"',
        "workflow:",
        '  - node "Ask" (n8n-nodes-base.httpRequest)',
    ]
    assert diff(url, "7", "--to", "2").out.startswith("Template 7, version 1 → 2")
    assert "Nothing that an author writes" in diff(url, "7", "--from", "2", "--to", "2").out


def test_a_template_that_never_changed_and_one_that_was_removed_are_told_as_such(url: str) -> None:
    ran = diff(url, "8")

    assert ran.status == 0, ran.err
    version, unchanged, removed = ran.out.splitlines()
    assert version == "Template 8, version 1 → 1"
    assert unchanged.startswith("There is one version only")
    assert removed.startswith("The site has not had it since 20")


def test_machines_get_one_json_object(url: str) -> None:
    found = json.loads(diff(url, "7", "--json").out)

    assert (found["workflow_id"], found["from"], found["to"]) == ("7", 2, 3)
    assert found["changes"] == {"title": {"old": "Two", "new": "Three"}}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["99"], "no version of template '99'"),
        (["7", "--to", "9"], "the versions 1 to 3"),
        (["7", "--from", "x"], "'x' is not the number of a version"),
        ([], "write: scrapy diff"),
        (["7", "8"], "write: scrapy diff"),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_line(
    url: str, arguments: list[str], words: str
) -> None:
    ran = diff(url, *arguments)

    assert ran.status == 2
    assert words in ran.err
    assert len(ran.err.strip().splitlines()) == 1
