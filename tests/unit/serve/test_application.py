"""What every page and every answer has in common, over real HTTP."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.serve.guard.headers import ON_EVERY_ANSWER
from tests.serving import Served, served
from tests.unit.ledger.given import a_run, close


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Served]:
    with served(f"sqlite:///{tmp_path}/none.db") as server:
        yield server


def test_the_first_page_names_the_newest_runs(database: Database, database_url: str) -> None:
    run_id = a_run(database, "1", "2")
    close(database, run_id, "1", Outcome.COMPLETE)

    with served(database_url) as server:
        page = server.get("/")

    assert page.status_code == 200
    assert run_id in page.text


def test_before_the_first_crawl_it_says_what_makes_the_archive(empty: Served) -> None:
    page = empty.get("/")

    assert page.status_code == 200
    assert "No run is in this database yet" in page.text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("HEAD", "/", 200),
        ("GET", "/static/style.css", 200),
        ("GET", "/login", 200),
        ("GET", "/nowhere", 404),
        ("GET", "/api/nowhere", 404),
        ("GET", "/static/../options.py", 404),
        ("POST", "/nowhere", 403),
        ("POST", "/login", 403),
    ],
)
def test_every_answer_tells_the_browser_what_it_may(
    empty: Served, method: str, path: str, status: int
) -> None:
    answer = empty.ask(method, path)

    assert answer.status_code == status
    assert ON_EVERY_ANSWER.items() <= answer.headers.items()


def test_a_program_is_told_by_a_problem_document(empty: Served) -> None:
    answer = empty.get("/api/nowhere")

    assert answer.headers["Content-Type"].startswith("application/problem+json")
    assert answer.json() == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "There is nothing at this address.",
    }


def test_a_person_is_told_by_a_page(empty: Served) -> None:
    answer = empty.get("/nowhere")

    assert answer.headers["Content-Type"].startswith("text/html")
    assert "There is nothing at this address." in answer.text
