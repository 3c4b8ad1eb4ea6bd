"""Items out of the database, as they stood at one moment."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from sqlalchemy.orm import Session

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import history
from n8n_scraper.records import items as stored
from n8n_scraper.records.choosing import Choice, Snapshot
from tests.toy.making import quote

Chosen = Callable[..., list[str]]


def fill(database: Database, source: Source, made: Iterable[Any]) -> None:
    def save(session: Session) -> None:
        for one in made:
            stored.save(session, source, one, ())

    database.do(save)


def items(database: Database, source: Source, *ids: str) -> list[Any]:
    return database.look(lambda session: list(Snapshot(session, source).items(ids)))


@pytest.fixture
def chosen(quotes: Source, database: Database) -> Chosen:
    """The ids that are chosen, read a few rows at a time."""

    def choose(**wanted: Any) -> list[str]:
        choice = Choice(**wanted)
        return database.look(
            lambda session: Snapshot(session, quotes).chosen(choice, rows_at_once=3)
        )

    return choose


def test_ids_come_in_the_order_of_their_numbers_page_after_page(
    quotes: Source, database: Database, chosen: Chosen
) -> None:
    fill(database, quotes, [quote(f"q{number}") for number in (100, 9, 10, 1, 2, 20, 99)])

    assert chosen() == ["q1", "q2", "q9", "q10", "q20", "q99", "q100"]
    assert chosen(limit=3) == ["q1", "q2", "q9"]
    assert chosen(ids=("q99", "q7", "q9")) == ["q9", "q99"]


def test_items_are_chosen_by_their_columns_and_by_what_is_in_them(
    quotes: Source, database: Database, chosen: Chosen
) -> None:
    fill(database, quotes, [quote("q1", words="Yes."), quote("q2", day=3, tags=["even"])])

    assert chosen(since="2026-11-02") == ["q2"]
    assert chosen(at_least=("length", 5)) == ["q2"]
    assert chosen(columns=("tags",), admits=lambda record: "odd" in record["tags"]) == ["q1"]
    assert chosen(outcomes=("gone",)) == []


def test_items_come_as_they_are_stored_in_the_order_asked_for(
    quotes: Source, database: Database
) -> None:
    made = {f"q{number}": quote(f"q{number}", title=f"No. {number}") for number in range(1, 61)}
    fill(database, quotes, made.values())

    found = items(database, quotes, "q60", "q1", "q7", "q30")

    assert found == [made[name] for name in ("q60", "q1", "q7", "q30")]


def test_what_a_crawl_writes_meanwhile_is_not_seen(
    quotes: Source, database: Database, database_url: str
) -> None:
    fill(database, quotes, [quote("q1", title="before"), quote("q2", title="before")])
    crawl = Database(database_url, patience_seconds=0)

    def read(session: Session) -> tuple[list[Any], list[str]]:
        archive = Snapshot(session, quotes)
        ids = archive.chosen(Choice())
        fill(crawl, quotes, [quote("q2", title="after"), quote("q3", title="after")])
        return list(archive.items(ids)), archive.chosen(Choice())

    found, again = database.look(read)
    crawl.close()

    assert [one.title for one in found] == ["before", "before"]
    assert again == ["q1", "q2"]


def test_an_id_that_is_not_stored_is_left_out(quotes: Source, database: Database) -> None:
    fill(database, quotes, [quote("q1")])

    found = items(database, quotes, "q2", "q1")

    assert [one.quote_id for one in found] == ["q1"]


def test_what_the_site_has_and_what_it_had_are_told_apart(
    quotes: Source, database: Database, chosen: Chosen
) -> None:
    # Given two items, one of which the site does not have any more
    fill(database, quotes, [quote("q1"), quote("q2")])
    database.do(lambda session: history.note_gone(session, quotes, "run", "q2"))

    # When they are asked for, then each side is its own, and the removed one says so
    assert chosen(removed=False) == ["q1"]
    assert chosen(removed=True) == ["q2"]
    assert chosen() == ["q1", "q2"]
    here, gone = items(database, quotes, "q1", "q2")
    assert (here.in_inventory, here.removed_at) == (True, None)
    assert (gone.in_inventory, gone.removed_at is not None) == (False, True)
