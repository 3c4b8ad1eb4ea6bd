"""What happened to the items."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.history import compare_versions, events_since, item_history
from n8n_scraper.sources.n8n.source import SOURCE
from n8n_scraper.sources.n8n.views import Views, views_of
from tests import templates
from tests.unit.ledger.given import a_run
from tests.unit.making import template


def three_days(database: Database) -> str:
    """Given a template whose author gave it another title, and another description."""
    run_id = a_run(database, "7")
    days = (("One", "a"), ("Two", "a"), ("Two", "b"))
    for day, (title, words) in enumerate(days, 1):
        item = template(name=title, description=words, run_id=run_id, totalViews=100 * day)
        item.scraped_at = f"2026-11-0{day}T00:00:00.000Z"
        database.do(lambda session, item=item: templates.save(session, item, []))
    return run_id


def test_an_item_has_its_versions_and_its_events_the_newest_last(database: Database) -> None:
    run_id = three_days(database)

    history = item_history(database, SOURCE, "7")

    assert [(one.number, one.seen_at[:10]) for one in history.versions] == [
        (1, "2026-11-01"),
        (2, "2026-11-02"),
        (3, "2026-11-03"),
    ]
    assert [one.kind for one in history.events] == ["new", "renamed", "changed"]
    assert {one.run_id for one in history.events} == {run_id}
    assert history.removed_at is None


def test_an_item_that_was_never_stored_has_no_history(database: Database) -> None:
    history = item_history(database, SOURCE, "9")

    assert (history.versions, history.events) == ((), ())


def test_events_are_narrowed_down_by_time_and_kind(database: Database) -> None:
    three_days(database)

    since = events_since(database, [SOURCE], "2026-11-02")
    renamed = events_since(database, [SOURCE], "2026-11-01", ["renamed"])

    assert [one.kind for one in since] == ["renamed", "changed"]
    assert events_since(database, [SOURCE], "2026-11-05") == []
    assert [(one.item_id, one.title) for one in renamed] == [("7", "Two")]
    assert list(renamed[0].as_json("workflow_id")) == [
        *("id", "workflow_id", "title", "run_id", "at", "kind", "details")
    ]


def test_the_last_two_versions_are_compared_where_none_is_named(database: Database) -> None:
    three_days(database)

    last = compare_versions(database, SOURCE, "7")
    whole = compare_versions(database, SOURCE, "7", 1, 3)

    assert (last.older, last.newer, last.versions) == (2, 3, 3)
    assert set(last.changes) == {"description"}
    assert set(whole.changes) == {"title", "description"}


@pytest.mark.parametrize(
    ("item_id", "older", "words"),
    [("9", None, "the archive has no version of"), ("7", 4, "has the versions 1 to 3")],
)
def test_what_is_not_there_is_not_compared(
    item_id: str, older: int | None, words: str, database: Database
) -> None:
    three_days(database)

    with pytest.raises(BadInput, match=words):
        compare_versions(database, SOURCE, item_id, older)


def test_the_views_of_a_template_are_a_series(database: Database) -> None:
    three_days(database)

    assert [(one.at[:10], one.views) for one in views_of(database, "7")] == [
        ("2026-11-01", 100),
        ("2026-11-02", 200),
        ("2026-11-03", 300),
    ]
    assert isinstance(views_of(database, "7")[0], Views)
