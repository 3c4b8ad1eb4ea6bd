"""The items of a run."""

import pytest
from sqlalchemy import update

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.tables import RunItemRow
from n8n_scraper.reports.items import items, run_details
from tests.unit.ledger.given import a_run, close


def test_details_tell_categories_the_slowest_and_the_failures(database: Database) -> None:
    run_id = a_run(database, "1", "2", "3")
    close(database, run_id, "1", Outcome.COMPLETE)
    close(database, run_id, "2", Outcome.FAILED, category="timeout", reason="it took too long")

    details = run_details(database, run_id)

    assert {(one.outcome, one.category): one.number for one in details.by_category} == {
        ("complete", None): 1,
        ("failed", "timeout"): 1,
    }
    assert [one.item_id for one in details.slowest] == ["2", "1"]
    assert [(one.item_id, one.reason) for one in details.failures] == [("2", "it took too long")]
    assert details.failed == 1


@pytest.mark.parametrize("state", [None, "pending"])
def test_items_come_page_by_page_each_once(state: str | None, database: Database) -> None:
    # Given more items than a page has, some of them in the same place of the inventory
    ids = [str(number) for number in range(2_345)]
    run_id = a_run(database, *ids)
    database.do(
        lambda session: session.execute(
            update(RunItemRow).where(RunItemRow.position > 900).values(position=901)
        )
    )

    pages = list(items(database, run_id, state))

    found = [item.item_id for page in pages for item in page]
    assert max(map(len, pages)) == 1_000
    assert len(pages) < 10
    assert sorted(found, key=int) == ids


def test_all_items_come_in_the_order_of_their_numbers(database: Database) -> None:
    run_id = a_run(database, "10", "9", "2462", "100", "1")

    [*pages] = items(database, run_id)

    found = [item.item_id for page in pages for item in page]
    assert found == ["1", "9", "10", "100", "2462"]


def test_items_are_narrowed_down(database: Database) -> None:
    run_id = a_run(database, "1", "2", "3")
    close(database, run_id, "1", Outcome.COMPLETE)
    close(database, run_id, "2", Outcome.GONE)

    def ids(**which: object) -> list[str]:
        pages = items(database, run_id, **which)  # type: ignore[arg-type]
        return [item.item_id for page in pages for item in page]

    assert ids(state="pending") == ["3"]
    assert ids(outcome="gone") == ["2"]
    assert ids(state="done", outcome="gone") == []
    assert ids(limit=2) == ["1", "2"]
