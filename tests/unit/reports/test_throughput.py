"""How many items ended when."""

from sqlalchemy import update

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.tables import RunItemRow
from n8n_scraper.reports.throughput import Per, Span, throughput
from tests.unit.ledger.given import a_run, close

CLOSED = {
    "1": "2026-11-19T01:07:01.000Z",
    "2": "2026-11-19T01:07:59.999Z",
    "3": "2026-11-19T01:09:00.000Z",
    "4": "2026-11-19T02:00:00.000Z",
}


def a_run_with_an_end_to_each(database: Database) -> str:
    run_id = a_run(database, *CLOSED, "5")
    for item_id, at in CLOSED.items():
        close(database, run_id, item_id, Outcome.GONE if item_id == "2" else Outcome.COMPLETE)
        database.do(
            lambda session, one=item_id, at=at: session.execute(
                update(RunItemRow).where(RunItemRow.item_id == one).values(closed_at=at)
            )
        )
    return run_id


def test_what_ended_is_counted_by_the_minute(database: Database) -> None:
    run_id = a_run_with_an_end_to_each(database)

    assert throughput(database, run_id) == [
        Span("2026-11-19T01:07:00Z", {"complete": 1, "gone": 1}),
        Span("2026-11-19T01:09:00Z", {"complete": 1}),
        Span("2026-11-19T02:00:00Z", {"complete": 1}),
    ]


def test_hours_and_days_are_counted_alike(database: Database) -> None:
    run_id = a_run_with_an_end_to_each(database)

    hours = throughput(database, run_id, Per.HOUR)
    days = throughput(database, run_id, Per.DAY)

    assert [(one.begins, one.done) for one in hours] == [
        ("2026-11-19T01:00:00Z", 3),
        ("2026-11-19T02:00:00Z", 1),
    ]
    assert [(one.begins, one.done) for one in days] == [("2026-11-19T00:00:00Z", 4)]


def test_only_what_ended_since_is_counted_where_that_is_asked(database: Database) -> None:
    run_id = a_run_with_an_end_to_each(database)

    late = throughput(database, run_id, Per.HOUR, since="2026-11-19T01:30:00.000Z")

    assert [one.begins for one in late] == ["2026-11-19T02:00:00Z"]


def test_of_a_run_in_which_nothing_ended_there_is_no_span(database: Database) -> None:
    assert throughput(database, a_run(database, "1")) == []
