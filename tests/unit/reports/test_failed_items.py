"""Failed items are read in their order, a page at a time, however many there are."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import event

from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.failed_items import failed_items
from tests.large_archive import run_of

ITEMS = 3_000


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    url = f"sqlite:///{tmp_path_factory.mktemp('large')}/archive.db"
    with closing(Database(url)) as database:
        run_of(database, ITEMS)
        yield database


@pytest.mark.parametrize("by", ["run_id", "source", "category", "run_id category", "source run_id"])
def test_a_page_of_failures_is_found_without_sorting_all_of_them(large: Database, by: str) -> None:
    first = failed_items(large, most=1)[0]
    chosen = {name: getattr(first, name) for name in by.split()}

    steps = _steps(large, **chosen)

    assert "USE TEMP B-TREE FOR ORDER BY" not in steps
    assert not [step for step in steps if step.startswith("SCAN")]


def test_pages_follow_one_another_without_a_gap(large: Database) -> None:
    run_id = failed_items(large, most=1)[0].run_id
    at_once = failed_items(large, run_id=run_id, most=ITEMS)

    page, found = failed_items(large, run_id=run_id), []
    while page:
        found += page
        page = failed_items(large, run_id=run_id, before=page[-1].place)

    assert len(at_once) > 50
    assert found == at_once
    assert found == sorted(found, key=lambda one: one.place, reverse=True)
    assert {one.source for one in found} == {"n8n"}


def _steps(database: Database, **chosen: str) -> list[str]:
    """How SQLite goes about the question, step by step."""
    asked: list[tuple[str, object]] = []

    def note(
        connection: object, cursor: object, statement: str, values: object, *_: object
    ) -> None:
        asked.append((statement, values))

    event.listen(database.engine, "before_cursor_execute", note)
    failed_items(database, **chosen)
    event.remove(database.engine, "before_cursor_execute", note)
    [(statement, values)] = [one for one in asked if "scrape_run_items" in one[0]]
    with database.engine.connect() as connection:
        told = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        return [row[3] for row in told]
