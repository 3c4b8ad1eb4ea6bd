"""What `scrapy search` and `scrapy show` say of an archive of templates."""

import argparse
import json
from typing import Any

import pytest
from scrapy.settings import Settings
from sqlalchemy import delete

from n8n_scraper.commands import search, show
from n8n_scraper.commands.cli.search import Command as Search
from n8n_scraper.ledger.database import Database
from n8n_scraper.search.tables import SearchItemRow
from tests import templates
from tests.unit.making import template


@pytest.fixture
def database(sqlite_url: str) -> Database:
    made = Database(sqlite_url)
    for number, name in (("7", "Ask an address"), ("8", "Send \x1b[31m slack messages")):
        item = template(number, name=name)
        made.do(lambda session, item=item: templates.save(session, item, []))
    made.close()
    return Database(made.url.render_as_string(hide_password=False))


def run_search(database: Database, *typed: str) -> None:
    parser = argparse.ArgumentParser()
    command = Search()
    command.settings = Settings()
    command.add_options(parser)
    opts, words = parser.parse_known_args(typed)
    search.run(_settings(database), words, opts)


def run_show(database: Database, *args: str, as_json: bool = False) -> None:
    opts = argparse.Namespace(source=None, json=as_json)
    show.run(_settings(database), list(args), opts)


def _settings(database: Database) -> Settings:
    return Settings({"DATABASE_URL": database.url.render_as_string(hide_password=False)})


def test_hits_are_told_so_that_no_terminal_obeys_them(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    run_search(database, "slcak", "--facets")

    said = capsys.readouterr().out
    assert "No template has 'slcak'; looked for 'slack'." in said
    assert "1 template found, 1 to 1" in said
    assert "8  Send [31m slack messages · 2026-01-02 · 12 views" in said
    assert "author: ada 1" in said
    assert "\x1b" not in said


def test_machines_get_one_object(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    run_search(database, "address", "--node", "HTTP request", "--present", "--json")

    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["total"] == 2
    assert [hit["id"] for hit in found["hits"]] == ["7", "8"]
    assert found["hits"][0]["node"] == ["httpRequest", "manualTrigger"]


def test_a_value_that_no_item_has_is_told_with_the_ones_near_it(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    run_search(database, "address", "--node", "httpRequst", "--node", "zzz", "--present")

    assert capsys.readouterr().out.splitlines() == [
        "--node 'httpRequst': no template has it; is it httpRequest?",
        "--node 'zzz': no template has it.",
        "0 templates found",
    ]


def test_so_many_values_of_a_facet_are_listed_as_are_asked_for(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    run_search(database, "--list", "node", "--limit", "1")

    assert capsys.readouterr().out.split() == ["2", "httpRequest"]


def test_the_values_of_a_facet_are_listed(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    run_search(database, "--list", "node")

    assert capsys.readouterr().out.split() == ["2", "httpRequest", "2", "manualTrigger"]


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        (("--list", "colour"), "'colour' is nothing that templates have"),
        (("--venue", "City Hall"), "'venue' is nothing that templates have"),
        (("--order", "best"), "--order is 'best'; write one of"),
        (("--limit", "ten"), "--limit is 'ten'; write a whole number"),
        (("--limit", "500"), "the limit is 500"),
        (("--removed", "--present"), "leave nothing"),
        (("--rebuild", "slack"), "write it without words"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    database: Database, capsys: pytest.CaptureFixture[str], typed: tuple[str, ...], word: str
) -> None:
    with pytest.raises(SystemExit) as left:
        run_search(database, *typed)

    assert left.value.code == 2
    said = capsys.readouterr().err
    assert word in said
    assert len(said.splitlines()) == 1


def test_what_an_earlier_version_has_stored_is_indexed_at_the_first_search(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    database.do(lambda session: session.execute(delete(SearchItemRow)))
    database.close()

    run_search(database, "slack")

    said = capsys.readouterr()
    assert "2 templates are not indexed yet; that is done now, once." in said.err
    assert "1 template found" in said.out


def test_the_index_is_made_anew(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    run_search(database, "--rebuild")

    assert capsys.readouterr().out.startswith("2 templates indexed in ")


def test_a_template_is_shown_to_be_read(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    run_show(database, "8")

    said = capsys.readouterr().out
    assert said.startswith("Send \\x1b[31m slack messages (8)\n")
    assert "by Ada (verified) · published 2026-01-02 · 12 views" in said
    assert "It asks, and that is it." in said
    assert "  1  n8n-nodes-base.httpRequest" in said


def test_the_whole_item_is_one_object(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    run_show(database, "7", as_json=True)

    assert json.loads(capsys.readouterr().out)["title"] == "Ask an address"


@pytest.mark.parametrize("args", [(), ("7", "8"), ("999",)])
def test_what_cannot_be_shown_is_told(
    database: Database, capsys: pytest.CaptureFixture[str], args: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit) as left:
        run_show(database, *args)

    assert left.value.code == 2
