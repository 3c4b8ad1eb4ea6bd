"""The pages of whoever looks for a template, in Chromium, with templates of an enemy among them."""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser

from n8n_scraper.core.computing import compute
from n8n_scraper.ledger.database import Database
from n8n_scraper.sources.n8n.rules.computed import COMPUTED
from tests import templates
from tests.browser.looking import HOSTILE, MARKED, Visited, context_of, visited
from tests.serving import Served, served
from tests.unit.making import dossier, template

PATHS = [
    *("/templates", "/templates?q=slack", "/templates?q=nothing+at+all", "/templates/changes"),
    *("/templates/by/category", "/templates/by/node", "/templates/by/author", "/in-n8n"),
    *(f"/templates/{number}" for number in range(1, len(HOSTILE) + 2)),
    *("/templates/1/versions/1/2", "/events", "/templates/999"),
]
LOOKED_INTO = ["/templates?q=slack", "/templates/2"]


def hostile_fields(text: str) -> dict[str, Any]:
    """Everything that a stranger can write about a template, written by an enemy."""
    return {
        "name": text,
        "description": f"# {text}\n\n{text}\n\n[x](javascript:window.ran=1) ![{text}](//evil/x)\n\n"
        f"    {text}\n\n| {text} |\n|---|\n| {text} |\n",
        "user": {"name": text, "username": text, "bio": text, "links": [text], "verified": True},
        "categories": [{"id": 1, "name": text}],
    }


def hostile_workflow(text: str) -> dict[str, Any]:
    note = {"content": f"## {text}\n{text}", "color": text}
    kinds = ("n8n-nodes-base.set", text, "n8n-nodes-base.stickyNote")
    return {
        "nodes": [
            {"name": f"{text}{n}", "type": kind, "position": [200 * n, 0], "parameters": note}
            for n, kind in enumerate(kinds)
        ],
        "connections": {f"{text}0": {text: [[{"node": f"{text}1"}]]}},
    }


def store(database: Database, number: int, workflow: dict[str, Any], **fields: Any) -> None:
    answers = list(dossier(str(number), **fields).answers.values())
    made = template(str(number), **fields)
    made.workflow = workflow
    compute(COMPUTED, made)
    database.do(partial(templates.save, template=made, answers=answers))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    url = f"sqlite:///{tmp_path_factory.mktemp('people')}/archive.db"
    with closing(Database(url)) as database:
        for number, text in enumerate(HOSTILE, 1):
            store(database, number, {}, name="Before", description="Before.")
            store(database, number, hostile_workflow(text[:5_000]), **hostile_fields(text))
        good = {"nodes": [{"name": "Ask", "type": "n8n-nodes-base.set", "position": [0, 0]}]}
        store(database, len(HOSTILE) + 1, good, name="Post to Slack")
    with served(url) as started:
        yield started


@pytest.fixture(scope="module")
def as_they_are(browser: Browser, server: Served) -> Visited:
    """All of them, visited once under the policy that they come with."""
    return visited(browser, server.url, PATHS, axe=LOOKED_INTO)


def test_no_page_that_is_looked_into_keeps_anybody_out(as_they_are: Visited) -> None:
    assert as_they_are.keeping_out == []


@pytest.mark.further
def test_no_page_at_all_keeps_anybody_out(browser: Browser, server: Served) -> None:
    assert visited(browser, server.url, PATHS, axe=PATHS).keeping_out == []


@pytest.mark.parametrize(
    "has_policy",
    [True, pytest.param(False, marks=pytest.mark.further)],
    ids=["with the policy", "without it"],
)
def test_no_stored_text_runs_or_leaves_its_box(
    browser: Browser, server: Served, as_they_are: Visited, has_policy: bool
) -> None:
    seen = as_they_are if has_policy else visited(browser, server.url, PATHS, bypass_csp=True)

    assert seen.ran == []
    assert seen.wide == []
    assert seen.headings == dict.fromkeys(PATHS, 1)
    assert [url for url in seen.asked if not url.startswith(f"{server.url}/")] == []


@pytest.mark.further
def test_the_keyboard_alone_reaches_everything(browser: Browser, server: Served) -> None:
    with context_of(browser) as context:
        page = context.new_page()
        page.goto(f"{server.url}/templates?q=slack")
        wanted = page.evaluate(MARKED)
        reached = set()
        for _ in range(2 * wanted):
            page.keyboard.press("Tab")
            if page.evaluate("() => !!document.activeElement.closest('details:not([open])')"):
                page.keyboard.press("Enter")
            reached.add(page.evaluate("() => document.activeElement.dataset.place"))

    assert len(reached - {None}) == wanted
