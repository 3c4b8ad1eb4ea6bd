"""Items are compared a block at a time, and what differs is stored, in both databases."""

import pytest
from sqlalchemy import delete, text, update

from n8n_scraper.ledger.database import Database
from n8n_scraper.records.rereading.blocks import Compared, compare, next_ids, number_of, store
from n8n_scraper.records.rereading.selection import Selection
from n8n_scraper.records.tables import RawAnswerRow
from n8n_scraper.sources.n8n.source import SOURCE
from tests.unit.records.rereading.given import TABLE, crawl, rows, write

TITLE = "Ask an address"


def compared(database: Database, *ids: str) -> list[Compared]:
    return database.look(lambda session: compare(session, SOURCE, ids, ()))


def stored(database: Database, found: list[Compared]) -> list[Compared]:
    return database.do(lambda session: store(session, SOURCE, found, ()))


def test_the_next_items_are_those_behind_the_last_one_that_were_asked_for(
    database: Database,
) -> None:
    crawl(database, "7", "8", "10", "9")
    write(database, "8", scraped_at="2026-02-01T00:00:00.000Z")

    def chosen(selection: Selection, after: str = "", most: int = 9) -> tuple[list[str], int]:
        return database.look(
            lambda session: (
                next_ids(session, SOURCE, selection, after, most),
                number_of(session, SOURCE, selection, after),
            )
        )

    assert chosen(Selection()) == (["10", "7", "8", "9"], 4)
    assert chosen(Selection(), "7", most=1) == (["8"], 2)
    assert chosen(Selection(("9", "7", "404"))) == (["7", "9"], 2)
    assert chosen(Selection(since="2026-01-15")) == (["8"], 1)


def test_an_item_that_is_read_as_it_is_stored_stays_as_it_is(database: Database) -> None:
    crawl(database, "7", "8")
    before = rows(database)

    found = compared(database, "7", "404", "8")

    assert found == [Compared("7"), Compared("8")]
    assert stored(database, found) == found
    assert rows(database) == before


def test_what_differs_is_stored_and_nothing_else(database: Database) -> None:
    crawl(database, "7", "8")
    before = rows(database)
    write(database, "7", title="Ask", views=None, unobserved={}, images=[])

    found = compared(database, "7", "8")
    stored(database, found)

    assert sorted(found[0].now) == ["title", "unobserved", "views"]
    assert found[0].now["title"] == TITLE
    assert found[0].before["title"] == "Ask"
    assert found[1] == Compared("8")
    assert rows(database) == before


def test_an_item_that_a_crawl_has_stored_meanwhile_is_the_crawls(database: Database) -> None:
    # Given an item that is read otherwise than it is stored
    crawl(database, "7")
    write(database, "7", title="Ask")
    found = compared(database, "7")

    # When a crawl stores it before the rereading does
    crawl(database, "7", run_id="later", name="Quite another")
    newer = rows(database)
    again = stored(database, found)

    # Then it is as the crawl has left it
    assert again == [Compared("7")]
    assert rows(database) == newer
    assert newer["7"]["title"] == "Quite another"


def test_what_else_was_written_meanwhile_is_kept_too(database: Database) -> None:
    # Given an item that is read otherwise, one that is not, and one that is taken away
    crawl(database, "7", "8", "9")
    whole = rows(database)
    for one in ("7", "9"):
        write(database, one, unobserved={})
    found = compared(database, "7", "8", "9")

    # When one of them is noted as removed, and somebody writes its reasons
    write(database, "7", removed_at="2026-03-01", in_inventory=False, unobserved={"title": "?"})
    database.do(
        lambda session: session.execute(delete(TABLE).where(TABLE.c.workflow_id == "9")) and None
    )
    again = stored(database, found)

    # Then all of it is there
    assert [(one.item_id, sorted(one.now)) for one in again] == [("7", ["unobserved"]), ("8", [])]
    removed = {"removed_at": "2026-03-01", "in_inventory": False}
    reasons = {name: why for name, why in whole["7"]["unobserved"].items() if name != "removed_at"}
    assert rows(database) == {"7": whole["7"] | removed | {"unobserved": reasons}, "8": whole["8"]}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"\x28\xb5\x2f\xfd\x00", "metadata: its stored answer is damaged"),
        (b"none", "metadata: its stored answer is damaged"),
        (None, "metadata: its answer is not stored"),
    ],
)
def test_an_item_whose_answer_cannot_be_had_any_more_stays_as_it_is(
    database: Database, body: bytes | None, reason: str
) -> None:
    crawl(database, "7")
    write(database, "7", title="Ask")
    its = (RawAnswerRow.item_id == "7", RawAnswerRow.part == "metadata")
    change = update(RawAnswerRow).values(body=body) if body else delete(RawAnswerRow)
    database.do(lambda session: session.execute(change.where(*its)) and None)

    found = compared(database, "7")

    assert found == [Compared("7", unreadable=reason)]
    assert stored(database, found) == found
    assert rows(database)["7"]["title"] == "Ask"


def test_an_error_of_our_own_costs_its_item_only(database: Database) -> None:
    # Given a row that no version of ours has written
    crawl(database, "7", "8")
    write(database, "7", layers={"metadata": "?"})
    write(database, "8", title="Ask")

    broken, mended = compared(database, "7", "8")

    assert broken.error is not None
    assert "PartState" in broken.error
    assert list(mended.now) == ["title"]


def test_neither_a_version_nor_an_event_comes_of_it(database: Database) -> None:
    crawl(database, "7")
    write(database, "7", title="Ask", description="Older", workflow={"nodes": []})
    tables = ("item_versions", "item_events", "view_samples", "raw_answers")

    def contents() -> list[list[tuple[object, ...]]]:
        with database.engine.connect() as connection:
            query = "SELECT * FROM {} ORDER BY 1, 2, 3"
            return [
                [tuple(row) for row in connection.execute(text(query.format(one)))]
                for one in tables
            ]

    before = contents()
    stored(database, compared(database, "7"))

    assert contents() == before
    # And when a crawl finds the same again, then its author has changed nothing
    crawl(database, "7", run_id="later")
    assert contents()[1] == before[1]
