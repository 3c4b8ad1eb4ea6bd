"""Items out of the database, as they stood at one moment."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from n8n_scraper.ledger.database import Database
from n8n_scraper.records import history
from n8n_scraper.records.choosing import Choice, Snapshot
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.source import SOURCE
from tests import templates
from tests.unit.exports.given import template


def fill(database: Database, made: Sequence[Template]) -> None:
    def save(session: Session) -> None:
        for one in made:
            templates.save(session, one, ())

    database.do(save)


def chosen(database: Database, **filters: object) -> list[str]:
    return database.look(
        lambda session: Snapshot(session, SOURCE).chosen(Choice(**filters), rows_at_once=3)
    )


def items(database: Database, *ids: str) -> list[Template]:
    return database.look(lambda session: list(Snapshot(session, SOURCE).items(ids)))


def test_ids_come_in_the_order_of_their_numbers_page_after_page(database: Database) -> None:
    fill(database, [template(str(number)) for number in (100, 9, 10, 1, 2, 20, 99)])

    assert chosen(database) == ["1", "2", "9", "10", "20", "99", "100"]
    assert chosen(database, limit=3) == ["1", "2", "9"]
    assert chosen(database, ids=("99", "7", "9")) == ["9", "99"]


def test_templates_come_as_they_are_stored_in_the_order_asked_for(database: Database) -> None:
    made = {str(number): template(str(number), title=f"No. {number}") for number in range(1, 61)}
    fill(database, list(made.values()))

    found = items(database, "60", "1", "7", "30")

    assert found == [made[name] for name in ("60", "1", "7", "30")]


def test_what_a_crawl_writes_meanwhile_is_not_seen(database: Database, database_url: str) -> None:
    fill(database, [template("1", title="before"), template("2", title="before")])
    crawl = Database(database_url, patience_seconds=0)

    def read(session: Session) -> tuple[list[Template], list[str]]:
        archive = Snapshot(session, SOURCE)
        ids = archive.chosen(Choice())
        fill(crawl, [template("2", title="after"), template("3", title="after")])
        return list(archive.items(ids)), archive.chosen(Choice())

    found, again = database.look(read)
    crawl.close()

    assert [one.title for one in found] == ["before", "before"]
    assert again == ["1", "2"]


def test_an_id_that_is_not_stored_is_left_out(database: Database) -> None:
    fill(database, [template("1")])

    found = items(database, "2", "1")

    assert [one.workflow_id for one in found] == ["1"]


def test_what_the_site_has_and_what_it_had_are_told_apart(database: Database) -> None:
    # Given two templates, one of which the site does not have any more
    fill(database, [template("1"), template("2")])
    database.do(lambda session: history.note_gone(session, SOURCE, "run", "2"))

    # When they are asked for, then each side is its own, and the removed one says so
    assert chosen(database, removed=False) == ["1"]
    assert chosen(database, removed=True) == ["2"]
    assert chosen(database) == ["1", "2"]
    here, gone = items(database, "1", "2")
    assert (here.in_inventory, here.removed_at) == (True, None)
    assert (gone.in_inventory, gone.removed_at is not None) == (False, True)
