"""What happens to the items of any source, noted as they are stored."""

from typing import Any

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.source import Division, Source
from n8n_scraper.ledger import items as queue
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import history
from n8n_scraper.reports.history import compare_versions, events_since, item_history
from tests import storing
from tests.toy.making import quote
from tests.unit.ledger.given import a_run


def save(database: Database, source: Source, item: Any) -> None:
    database.do(lambda session: storing.save(session, source, item, []))


def happened(database: Database, source: Source) -> list[tuple[str, str, dict[str, Any]]]:
    found = events_since(database, [source], "2000")
    return [(one.kind, one.item_id, one.details) for one in found]


def test_an_item_that_was_never_stored_is_new_in_its_first_version(
    quotes: Source, database: Database
) -> None:
    save(database, quotes, quote())

    assert happened(database, quotes) == [("new", "q1", {"title": "Of one"})]
    assert [one.number for one in item_history(database, quotes, "q1").versions] == [1]


def test_an_unchanged_item_costs_no_version_and_is_no_event(
    quotes: Source, database: Database
) -> None:
    save(database, quotes, quote(day=1))
    save(database, quotes, quote(day=2))

    assert [kind for kind, *_ in happened(database, quotes)] == ["new"]
    assert len(item_history(database, quotes, "q1").versions) == 1


def test_a_changed_item_has_a_new_version_and_an_event_field_by_field(
    quotes: Source, database: Database
) -> None:
    save(database, quotes, quote(day=1))
    save(database, quotes, quote(day=2, words="So it is said now.", tags=["even"]))

    changed = {
        "words": {"old": "So it is said.", "new": "So it is said now."},
        "tags": {"old": ["odd"], "new": ["even"]},
    }
    assert happened(database, quotes)[1:] == [("changed", "q1", {"version": 2, "fields": changed})]
    assert compare_versions(database, quotes, "q1").changes == changed


def test_a_new_title_alone_is_a_new_name_and_a_version(quotes: Source, database: Database) -> None:
    save(database, quotes, quote(day=1))
    save(database, quotes, quote(day=2, title="Of two"))

    assert happened(database, quotes)[1:] == [
        ("renamed", "q1", {"title": {"old": "Of one", "new": "Of two"}})
    ]
    assert len(item_history(database, quotes, "q1").versions) == 2


def test_what_a_whole_inventory_does_not_list_is_removed_until_it_is_had_again(
    quotes: Source, database: Database
) -> None:
    # Given three of which a run lists one
    for name in ("q1", "q2", "q3"):
        save(database, quotes, quote(name))
    run_id = a_run(database, "q1")

    # When its plan is complete, then the others are removed, once
    for missing in (2, 0):
        found = database.do(lambda session: history.note_removals(session, quotes, run_id))
        assert found.missing == missing
    gone = [(kind, one) for kind, one, _ in happened(database, quotes) if kind == "removed"]
    assert sorted(gone) == [("removed", "q2"), ("removed", "q3")]

    # And one that comes again has returned
    save(database, quotes, quote("q2", day=2))
    assert "returned" in [kind for kind, *_ in happened(database, quotes)]
    assert item_history(database, quotes, "q2").removed_at is None
    assert item_history(database, quotes, "q3").removed_at is not None


def test_the_inventory_of_one_source_removes_nothing_of_another(
    quotes: Source, database: Database
) -> None:
    save(database, quotes, quote("q1"))
    run_id = a_run(database, "q1")
    elsewhere = database.do(lambda session: queue.plan(session, run_id, [Planned("q2")], first=1))
    assert elsewhere == 1

    found = database.do(lambda session: history.note_removals(session, quotes, run_id))

    assert (found.missing, found.known) == (0, 1)


def test_an_inventory_of_one_division_removes_nothing_beyond_it(
    quotes: Source, database: Database
) -> None:
    # Given quotations with two titles, and a run that is about one of them
    for name, title in (("q1", "Of one"), ("q2", "Of one"), ("q3", "Of two"), ("q4", "Of two")):
        save(database, quotes, quote(name, title=title))
    run_id = a_run(database, "q1")

    # When its plan is complete
    found = database.do(
        lambda session: history.note_removals(
            session, quotes, run_id, of=Division("title", "Of one")
        )
    )

    # Then what is missing is missing there, and counted by what is there
    assert (found.missing, found.known) == (1, 2)
    gone = [one for kind, one, _ in happened(database, quotes) if kind == "removed"]
    assert gone == ["q2"]


def test_what_an_update_has_to_know_of_each_item_comes_without_its_content(
    quotes: Source, database: Database
) -> None:
    save(database, quotes, quote())

    known = database.do(lambda session: history.stored(session, quotes))

    assert known == {"q1": history.Stored({}, "2026-11-01T00:00:00.000Z", removed=False)}
