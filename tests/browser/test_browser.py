"""The pages in Chromium: open to everybody, by keyboard alone, and whatever was stored in them."""

import json
import shlex
from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser
from sqlalchemy import text

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger import domain_record
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Closing, RunStatus, State
from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.policies.pace.domain_state import DomainState
from tests import templates
from tests.browser.looking import HOSTILE, MARKED, Visited, context_of, visited
from tests.large_archive import run_of
from tests.serving import TO_OTHERS, TOKEN, Served, served
from tests.unit.ledger.given import a_run, change, close_as, end, noted
from tests.unit.making import template


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path_factory.mktemp('browser')}/archive.db")
    opened.open()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def runs(archive: Database) -> tuple[str, str]:
    """An ordinary run, and one with texts of an enemy wherever text is kept."""
    return run_of(archive, 300), hostile_run_of(archive)


@pytest.fixture(scope="module")
def server(archive: Database, runs: tuple[str, str]) -> Iterator[Served]:
    with served(str(archive.url)) as started:
        yield started


@pytest.fixture(scope="module")
def paths(runs: tuple[str, str]) -> list[str]:
    """Every page that there is."""
    ordinary, hostile = runs
    return [
        *("/", "/runs", "/failures", "/domains", "/workers", "/alerts", "/quality", "/sources"),
        "/login",
        *("/nowhere", "/domains/n8n.io", f"/runs/{ordinary}", f"/runs/{hostile}"),
        *(f"/runs/{ordinary}/items?state=failed", f"/runs/{hostile}/items/1"),
    ]


@pytest.fixture(scope="module")
def as_they_are(browser: Browser, server: Served, paths: list[str]) -> Visited:
    """All of them, visited once under the policy that they come with."""
    return visited(
        browser, server.url, paths, axe=["/login", paths[-4], paths[-1]], dark=paths[-4:-3]
    )


def hostile_run_of(database: Database) -> str:
    """Enter a run with failures and a domain that was left alone, all told in an enemy's words."""
    run_id = a_run(database, "1", "2", "3", "4", "5")
    for number, hostile in enumerate(HOSTILE, 1):
        closing = Closing(str(number), State.FAILED, Outcome.FAILED, hostile[:300], hostile)
        close_as(database, run_id, closing)
        database.do(lambda session, one=number: templates.save(session, template(str(one)), []))
        database.do(
            lambda session, one=number, title=hostile: session.execute(
                text("UPDATE workflows SET title = :title WHERE workflow_id = :one"),
                {"title": title, "one": str(one)},
            )
        )
    everything = dict(pairwise(HOSTILE))
    change(database, run_id, arguments=everything, settings=everything, versions=everything)
    change(
        database,
        run_id,
        command=shlex.join(["scrapy", "crawl", *HOSTILE[:4]]),
        spider=HOSTILE[0],
        site=HOSTILE[4],
    )
    end(database, run_id, RunStatus.STOPPED, failed=5, left=0)
    opened = CircuitState(
        failures=3, opened_at=1.0, hold_seconds=1.0, reason=HOSTILE[0], tripped_by=HOSTILE[1]
    )
    noted(database, {"n8n.io": DomainState(circuit=opened), HOSTILE[1]: DomainState()})
    database.do(lambda session: domain_record.note_opened(session, "n8n.io", opened, 60.0))
    return run_id


def test_no_page_of_a_run_keeps_anybody_out(as_they_are: Visited) -> None:
    assert as_they_are.keeping_out == []


@pytest.mark.further
def test_no_page_at_all_keeps_anybody_out(
    browser: Browser, server: Served, paths: list[str]
) -> None:
    seen = visited(browser, server.url, paths, axe=paths, dark=["/", paths[-4]])

    assert seen.keeping_out == []


@pytest.mark.parametrize("has_policy", [True, False], ids=["with the policy", "without it"])
def test_no_stored_text_runs_or_leaves_its_box(
    browser: Browser, server: Served, paths: list[str], as_they_are: Visited, has_policy: bool
) -> None:
    seen = as_they_are if has_policy else visited(browser, server.url, paths, bypass_csp=True)

    assert seen.ran == []
    assert seen.wide == []
    assert seen.headings == dict.fromkeys(paths, 1)
    assert [url for url in seen.asked if not url.startswith(f"{server.url}/")] == []


def test_what_an_enemy_wrote_runs_no_more_when_it_comes_live(
    browser: Browser, server: Served, archive: Database
) -> None:
    run_id = a_run(archive, "1", "2")
    with context_of(browser, bypass_csp=True) as context:
        page = context.new_page()
        page.goto(f"{server.url}/runs/{run_id}")
        page.locator(".beat").wait_for()

        closing = Closing("1", State.FAILED, Outcome.FAILED, "odd", HOSTILE[1])
        close_as(archive, run_id, closing)
        page.get_by_text("onerror").first.wait_for()

        assert page.evaluate("() => window.ran") is None
        assert page.locator("#live_causes img").count() == 0


def test_the_keyboard_alone_reaches_everything(
    browser: Browser, server: Served, paths: list[str]
) -> None:
    with context_of(browser) as context:
        page = context.new_page()
        page.route("**/live/**", lambda route: route.abort())  # what is marked stays as it is
        for path in ("/failures", paths[-4]):
            page.goto(server.url + path)
            wanted = page.evaluate(MARKED)
            reached = set()
            for _ in range(wanted + 2):
                page.keyboard.press("Tab")
                reached.add(page.evaluate("() => document.activeElement.dataset.place"))

            assert len(reached - {None}) == wanted


def test_a_page_can_be_read_without_any_script(
    browser: Browser, server: Served, paths: list[str]
) -> None:
    with context_of(browser, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(server.url + paths[-4])

        assert page.get_by_text("270 of 300").count() + page.locator("dd").count() > 3
        assert page.locator("svg.plot").count() == 2
        assert not page.locator(".beat").is_visible()


def test_a_person_logs_in_by_the_token(browser: Browser, archive: Database) -> None:
    with served(str(archive.url), TO_OTHERS) as server, context_of(browser) as context:
        page = context.new_page()
        page.goto(f"{server.url}/failures?category=server")
        page.get_by_label("Token").fill("x")
        page.keyboard.press("Enter")
        page.get_by_role("alert").wait_for()
        page.get_by_label("Token").fill(TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_url("**/failures?category=server")

        assert json.dumps(TOKEN) not in json.dumps(context.cookies())
        page.get_by_role("button", name="Log out").click()
        page.wait_for_url("**/login")
        page.goto(f"{server.url}/")
        assert "/login" in page.url
        assert page.evaluate("() => document.cookie") == ""
