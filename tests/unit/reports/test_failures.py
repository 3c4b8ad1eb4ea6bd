"""What failed, grouped by why."""

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.failures import failure_reports
from tests.unit.ledger.given import a_run, close

LATE = {"category": "timeout", "reason": "it took too long"}
FORBIDDEN = {"category": "forbidden", "reason": "not for us"}


def two_runs(database: Database) -> tuple[str, str]:
    """Given an item that failed in both, some in one, and one that is well."""
    first, second = a_run(database, "1", "2"), a_run(database, "1", "3", "4", "5", "6")
    close(database, first, "1", Outcome.FAILED, **LATE)
    close(database, first, "2", Outcome.COMPLETE)
    for item_id in ("1", "3", "4"):
        close(database, second, item_id, Outcome.FAILED, **LATE)
    close(database, second, "5", Outcome.BLOCKED, **FORBIDDEN)
    return first, second


def test_the_commonest_reason_comes_first_with_its_latest_examples(database: Database) -> None:
    first, second = two_runs(database)

    late, forbidden = failure_reports(database)

    assert (late.source, late.category, late.reason) == ("n8n", "timeout", "it took too long")
    assert (late.items, late.runs) == (4, 2)
    assert len(late.examples) == 3
    assert late.examples[0].closed_at == late.latest
    assert {one.run_id for one in late.examples} <= {first, second}
    assert (forbidden.category, forbidden.items, forbidden.runs) == ("forbidden", 1, 1)
    assert [one.item_id for one in forbidden.examples] == ["5"]


def test_one_run_and_one_category_can_be_looked_at_alone(database: Database) -> None:
    first, second = two_runs(database)

    [of_first] = failure_reports(database, [first])
    [forbidden] = failure_reports(database, [first, second], category="forbidden")

    assert (of_first.items, of_first.runs) == (1, 1)
    assert forbidden.category == "forbidden"


def test_no_more_groups_are_given_than_are_wanted(database: Database) -> None:
    two_runs(database)

    assert len(failure_reports(database, most=1)) == 1


def test_where_nothing_failed_there_is_nothing_to_tell(database: Database) -> None:
    a_run(database, "1")

    assert failure_reports(database) == []
