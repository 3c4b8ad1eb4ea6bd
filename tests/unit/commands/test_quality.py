"""`scrapy quality`: why a template has its score."""

import json
from pathlib import Path

import pytest

from n8n_scraper.commands.words import tool_lines
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.tools import ToolReport
from n8n_scraper.sources.n8n.rules.quality import score
from tests import templates
from tests.crawling import Ran, scrapy
from tests.unit.making import template


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An archive with one template that is in no category."""
    address = f"sqlite:///{tmp_path_factory.mktemp('archive')}/a.db"
    database = Database(address)
    item = template(categories=[])
    item.observe("quality", score(item), "computed")
    database.do(lambda session: templates.save(session, item, []))
    database.close()
    return address


def quality(url: str, *arguments: str) -> Ran:
    return scrapy("quality", *arguments, environment={"DATABASE_URL": url})


def test_every_rule_says_what_it_gave_and_why(url: str) -> None:
    ran = quality(url, "7")

    assert ran.status == 0, ran.err
    assert ran.out.splitlines()[:10] == [
        "Template 7: Ask an address",
        "Score 97.0 of 100, Excellent",
        "",
        "metadata: 85 of 100, which count 20%",
        "       +20  the template has a title",
        "       +20  the template has a description",
        "       +20  the author has a name",
        "   0 of 15  no_category  it is in no category",
        "       +15  the day of creation is given",
        "       +10  the views are given, be they 0",
    ]
    assert "consistency: 100 of 100, which count 10%" in ran.out
    assert "       yes  same_title" in ran.out


def test_a_machine_gets_the_same_as_json(url: str) -> None:
    report = json.loads(quality(url, "7", "--json").out)

    assert (report["score"], report["grade"]) == (97.0, "Excellent")
    assert report["layers"]["metadata"]["points"] == 85.0
    assert {
        "code": "no_category",
        "points": 15,
        "held": False,
        "holds": "the template is in a category",
        "message": "it is in no category",
    } in report["layers"]["metadata"]["rules"]
    assert report["consistency"]["checks"] == {
        "same_id": True,
        "same_title": True,
        "same_workflow": True,
    }
    assert [issue["code"] for issue in report["issues"]] == ["no_category"]


def test_without_an_id_the_coverage_of_each_field_is_told_the_least_known_first(url: str) -> None:
    lines = quality(url).out.splitlines()
    found = json.loads(quality(url, "--json").out)

    assert lines[0] == "1 template of n8n; of these have"
    assert "100.0 %" in lines[-1]
    assert (found["source"], found["items"]) == ("n8n", 1)
    assert {"field": "title", "present": 1, "percent": 100.0} in found["fields"]
    assert {"field": "price", "present": 0, "percent": 0.0} in found["fields"]


def test_what_tools_have_brought_and_cost_is_told_where_some_were_tried() -> None:
    tried = [
        ToolReport("http", 3, 3, 6, 0.5, 0.25, 0.0),
        ToolReport("firecrawl", 4, 2, 10, 1.0, 4.0, 25.0),
        ToolReport("devtools", 2, 0, 0, None, 150.0, 0.0, place="city_hall"),
    ]

    assert list(tool_lines([])) == []
    assert list(tool_lines(tried)) == [
        "with which tool, and what it has brought lately",
        "  http: 50 % of the fields · 0.2 s a page · free · 3 of the last 3 answered",
        "  firecrawl: 100 % of the fields · 4.0 s a page · 2.5 credits an item"
        " · 2 of the last 4 answered",
        "  city_hall, devtools: no answer · 150.0 s a page · 0 of the last 2 answered",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("7", "8"), "write: scrapy quality"), (("9",), "the archive has no template '9'")],
)
def test_what_nobody_can_answer_is_refused(
    url: str, arguments: tuple[str, ...], words: str
) -> None:
    ran = quality(url, *arguments)

    assert ran.status == 2
    assert words in ran.err


def test_the_archive_need_not_exist(tmp_path: Path) -> None:
    ran = quality(f"sqlite:///{tmp_path}/none.db", "7")

    assert "no run is in this database yet" in ran.err
    assert not (tmp_path / "none.db").exists()
