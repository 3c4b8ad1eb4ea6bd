"""The operator's pages over real HTTP: with nothing, with a few items, with texts of an enemy."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Closing, RunStatus, State
from n8n_scraper.policies.alerts.rules import Finding, Rule
from tests.large_archive import run_of
from tests.serving import Served, served
from tests.unit.ledger.given import a_run, change, close, close_as, end
from tests.unit.reports.test_outside import NOW, look, write

PAGES = ("/", "/runs", "/failures", "/domains", "/workers", "/alerts", "/quality", "/sources")
HOSTILE = (
    "<script>window.ran = 1</script>",
    "\"><img src=x onerror='window.ran = 1'>",
    "javascript:window.ran = 1",
    "\u202etxt.exe\u202c \x1b[31mred\x07",
    "x" * 1_000_000,
)


@pytest.fixture
def sqlite(sqlite_url: str) -> Iterator[Database]:
    opened = Database(sqlite_url, patience_seconds=0)
    opened.open()
    yield opened
    opened.close()


def url_of(database: Database) -> str:
    return database.url.render_as_string(hide_password=False)


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Served]:
    with served(f"sqlite:///{tmp_path}/none.db") as server:
        yield server


@pytest.mark.parametrize("path", PAGES)
def test_a_page_says_so_where_there_is_nothing_yet(empty: Served, path: str) -> None:
    page = empty.get(path)

    assert page.status_code == 200
    assert 'class="empty"' in page.text


def test_every_page_shows_a_run_of_some_items(database: Database, database_url: str) -> None:
    run_id = run_of(database, 300)

    with served(database_url) as server:
        of_run = (
            f"/runs/{run_id}",
            f"/runs/{run_id}/items?state=failed",
            f"/runs/{run_id}/items/8",
        )
        shown = {path: server.get(path) for path in (*PAGES, *of_run)}

    assert {path for path, page in shown.items() if page.status_code != 200} == set()
    assert "timeout" in shown[f"/runs/{run_id}"].text
    assert "status 503" in shown["/failures"].text
    assert "runs retry-failed" in shown["/failures"].text


def test_what_is_further_in_a_list_begins_behind_its_last_line(sqlite: Database) -> None:
    run_id = run_of(sqlite, 6_000)

    with served(url_of(sqlite)) as server:
        seen: list[str] = []
        path: str | None = "/failures?category=timeout"
        while path:
            page = server.get(path).text
            seen += re.findall(rf'/runs/{run_id}/items/(\d+)"', page)
            further = re.search(r'href="([^"]+)">Further', page)
            path = further and further[1].replace("&amp;", "&")

    assert len(seen) == len(set(seen)) == len([n for n in range(5_400) if n % 150 == 7])
    assert [*map(int, seen)] == sorted(map(int, seen), reverse=True)


@pytest.mark.parametrize("place", ["x", "W10", "WyJhIl0", "WzEsMl0", "%00", "x" * 2_000])
def test_a_place_that_no_page_has_written_is_refused(sqlite: Database, place: str) -> None:
    a_run(sqlite, "1")

    with served(url_of(sqlite)) as server:
        found = [
            server.get(f"{path}?before={place}").status_code for path in ("/runs", "/failures")
        ]

    assert found == [400, 400]


@pytest.mark.parametrize("path", ["/runs/none", "/runs/none/items", "/runs/none/items/1"])
def test_a_run_that_is_not_there_is_told(sqlite: Database, path: str) -> None:
    a_run(sqlite, "1")

    with served(url_of(sqlite)) as server:
        page = server.get(path)

    assert page.status_code == 400
    assert "there is no run" in page.text


def test_no_stored_text_is_markup_or_longer_than_its_line(sqlite: Database) -> None:
    run_id = a_run(sqlite, "1", "2", "3", "4", "5")
    for number, text in enumerate(HOSTILE, 1):
        close_as(
            sqlite, run_id, Closing(str(number), State.FAILED, Outcome.FAILED, text[:99], text)
        )
    change(sqlite, run_id, arguments=dict.fromkeys(HOSTILE[:4], HOSTILE[4]), command=HOSTILE[1])
    end(sqlite, run_id, RunStatus.STOPPED)

    with served(url_of(sqlite)) as server:
        paths = ("/", "/runs", "/failures", f"/runs/{run_id}", f"/runs/{run_id}/items/1")
        pages = [server.get(path).text for path in paths]

    for page in pages:
        assert "<script>window" not in page
        assert not re.search(r"<[^>]*\sonerror=", page)
        assert 'href="javascript:' not in page
        assert len(page) < 100_000


def test_the_commands_of_a_run_say_what_goes_on_with_it(sqlite: Database) -> None:
    run_id = a_run(sqlite, "1", "2")
    close(sqlite, run_id, "1", Outcome.FAILED, category="server")
    end(sqlite, run_id, RunStatus.STOPPED, failed=1, left=1)

    with served(url_of(sqlite)) as server:
        page = server.get(f"/runs/{run_id}").text

    assert f"scrapy runs retry-failed {run_id}" in page
    assert "to go on: scrapy crawl workflows" in page


def test_what_fires_and_what_is_not_sent_is_shown_and_no_word_of_it_is_markup(
    database: Database, database_url: str
) -> None:
    a_run(database, "1")
    look(database, NOW, Finding(Rule.RUN_FAILED, HOSTILE[1], HOSTILE[0]))
    write(database, "a", "b")

    with served(database_url) as server:
        page = server.get("/alerts").text

    assert "fires" in page
    assert "run_failed" in page
    assert '<td>etl</td><td class="n">2</td>' in page
    assert "<script>window" not in page
    assert not re.search(r"<[^>]*\sonerror=", page)
