"""What a person looking for a template gets, over real HTTP."""

import json
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any

import pytest
from lxml import etree, html
from sqlalchemy import delete

from n8n_scraper.core.computing import compute
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import history
from n8n_scraper.search.tables import SearchItemRow
from n8n_scraper.sources.n8n.rules.computed import COMPUTED
from n8n_scraper.sources.n8n.source import SOURCE
from tests import templates
from tests.serving import Served, served
from tests.unit.making import DESCRIPTION, WORKFLOW, dossier, template

ATOM = {"a": "http://www.w3.org/2005/Atom"}
AI, SALES = {"id": 1, "name": "AI"}, {"id": 2, "name": "Sales"}


# Two that consist of fewer parts are not called alike.
LONG = {
    "nodes": [
        {"name": f"{n}", "type": f"n8n-nodes-base.n{n}", "position": [200 * n, 0]} for n in range(8)
    ],
    "connections": {f"{n}": {"main": [[{"node": f"{n + 1}"}]]} for n in range(7)},
}


def store(database: Database, number: int, **fields: Any) -> None:
    answers = list(dossier(str(number), **fields).answers.values())
    made = template(str(number), **fields)
    if "Slack" in fields["name"]:
        made.workflow = LONG
    compute(COMPUTED, made)
    database.do(partial(templates.save, template=made, answers=answers))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    url = f"sqlite:///{tmp_path_factory.mktemp('people')}/archive.db"
    with closing(Database(url)) as database:
        store(database, 1, name="Post to Slack", categories=[AI], description="It was so.")
        store(database, 1, name="Post to Slack", categories=[AI], totalViews=99)
        store(database, 2, name="Read a <b>sheet</b>", categories=[SALES])
        store(database, 3, name="Gone from Slack", categories=[AI])
        database.do(lambda session: history.note_gone(session, SOURCE, "run", "3"))
    with served(url) as server:
        yield server


def page(site: Served, path: str) -> html.HtmlElement:
    answer = site.get(path)
    assert answer.status_code == 200
    return html.fromstring(answer.text)


def found(site: Served, path: str) -> list[str]:
    return [one.text_content().strip() for one in page(site, path).cssselect(".hits h2 a")]


def linked(site: Served, path: str, words: str) -> str:
    (link,) = [one for one in page(site, path).iter("a") if one.text_content().strip() == words]
    return str(link.get("href"))


def test_what_is_typed_is_found_with_its_words_marked(site: Served) -> None:
    seen = page(site, "/templates?q=slack")

    assert set(found(site, "/templates?q=slack")) == {"Post to Slack", "Gone from Slack"}
    assert {one.text for one in seen.iter("mark")} == {"Slack"}
    assert seen.get_element_by_id("q").get("value") == "slack"


def test_without_words_all_are_there_and_a_name_is_shown_as_it_is_written(site: Served) -> None:
    assert "Read a <b>sheet</b>" in found(site, "/templates")


def test_a_mistyped_word_is_found_and_the_page_says_so(site: Served) -> None:
    seen = page(site, "/templates?q=slakc")

    assert found(site, "/templates?q=slakc")
    assert "slakc" in seen.cssselect(".notice")[0].text_content()


def test_a_facet_narrows_the_search_and_widens_it_again(site: Served) -> None:
    narrowed = linked(site, "/templates", "Sales")

    assert found(site, narrowed) == ["Read a <b>sheet</b>"]
    assert linked(site, narrowed, "Sales") == "/templates"


def test_a_category_and_an_author_have_pages_of_their_own(site: Served) -> None:
    assert found(site, "/templates/by/category/Sales") == ["Read a <b>sheet</b>"]
    assert len(found(site, "/templates/by/author/ada")) == 3
    assert linked(site, "/templates/by/category", "AI") == "/templates/by/category/AI"


def test_the_feed_of_a_search_has_what_it_finds(site: Served) -> None:
    feed = etree.fromstring(site.get("/templates/feed.atom?q=sheet").content)

    (entry,) = feed.findall("a:entry", ATOM)
    assert entry.findtext("a:title", namespaces=ATOM) == "Read a <b>sheet</b>"
    assert entry.find("a:link", ATOM).get("href") == f"{site.url}/templates/2"


def test_a_template_is_shown_with_its_workflow_drawn(site: Served) -> None:
    seen = page(site, "/templates/1")

    assert seen.cssselect("svg.workflow .node")
    assert "Asks an address." in seen.text_content()
    assert len(seen.cssselect("svg.workflow .wire")) == 7


def test_what_is_nearly_the_same_is_named(site: Served) -> None:
    assert linked(site, "/templates/1", "Gone from Slack") == "/templates/3"


def test_a_template_that_the_site_has_taken_away_says_so(site: Served) -> None:
    assert "The site has not had it since" in page(site, "/templates/3").text_content()


def test_what_its_author_changed_is_shown_line_by_line(site: Served) -> None:
    seen = page(site, "/templates/1/versions/1/2").text_content()

    assert "It was so." in seen
    assert DESCRIPTION.splitlines()[0] in seen


def test_what_is_new_and_changed_is_told_page_by_page_and_as_a_feed(site: Served) -> None:
    gone = page(site, "/templates/changes?kind=removed")
    feed = etree.fromstring(site.get("/templates/changes.atom").content)

    assert [one.text_content() for one in gone.cssselect("tbody td a")] == ["Gone from Slack"]
    assert len(feed.findall("a:entry", ATOM)) == 5
    assert page(site, "/templates/changes?before=2").cssselect("tbody tr")


def test_the_workflow_is_given_as_a_file_that_n8n_takes(site: Served) -> None:
    answer = site.get("/templates/2/workflow.json")

    given = json.loads(answer.content)
    assert given["nodes"] == WORKFLOW["nodes"]
    assert given["name"] == "Read a <b>sheet</b>"
    assert "attachment" in answer.headers["Content-Disposition"]


@pytest.mark.parametrize(
    "path",
    ["/templates/99", "/templates/99/workflow.json", "/templates/by/shoe", "/templates/by/x/y"],
)
def test_what_is_not_there_is_told_by_a_page(site: Served, path: str) -> None:
    answer = site.get(path)

    assert answer.status_code == 404
    assert answer.headers["Content-Type"].startswith("text/html")


ODD = ["q=%00", "q=%22(%22+OR", "page=-1", "order=x", "before=x", "node=", "q=" + "a" * 10_000]


@pytest.mark.parametrize("query", ODD, ids=range(len(ODD)))
def test_nothing_that_can_be_typed_is_an_error(site: Served, query: str) -> None:
    assert site.get(f"/templates?{query}").status_code == 200
    assert site.get(f"/templates/changes?{query}").status_code == 200


def test_an_archive_that_is_not_indexed_yet_says_why_nothing_is_found(sqlite_url: str) -> None:
    with closing(Database(sqlite_url)) as database:
        store(database, 1, name="Post to a channel")
        database.do(lambda session: session.execute(delete(SearchItemRow)))

    with served(sqlite_url) as server:
        (said,) = page(server, "/templates").cssselect(".notice")

    assert said.text_content().startswith("1 template of this archive is not indexed")


def test_before_the_first_crawl_the_pages_are_empty_and_there(tmp_path: Any) -> None:
    with served(f"sqlite:///{tmp_path}/none.db") as empty:
        statuses = [
            empty.get(path).status_code
            for path in ("/templates", "/templates/changes", "/events", "/templates/feed.atom")
        ]

    assert statuses == [200] * 4
