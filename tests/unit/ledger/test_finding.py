"""The run that a person means."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.runs import run_id_of
from tests.unit.ledger.given import a_run, ago, change, seen


def test_a_run_is_found_by_its_name_its_beginning_or_as_the_last(database: Database) -> None:
    first, last = a_run(database), a_run(database)
    change(database, last, started_at=ago(-60))

    def named(name: str | None) -> str:
        return run_id_of(database, name)

    assert named(first) == first
    assert named(first[:-1]) == first
    assert named("last") == named(None) == last


@pytest.mark.parametrize(
    ("name", "words"), [("2", "more than one run"), ("9", "there is no run"), ("%", "there is no")]
)
def test_a_name_that_means_no_one_run_is_refused(name: str, words: str, database: Database) -> None:
    a_run(database)
    a_run(database)

    with pytest.raises(BadInput, match=words):
        seen(database, name)


def test_a_database_without_runs_says_so(database: Database) -> None:
    with pytest.raises(BadInput, match="no run is in this database yet"):
        seen(database)
