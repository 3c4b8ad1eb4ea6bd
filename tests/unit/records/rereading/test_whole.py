"""A rereading from its beginning to its end, stopped and gone on with, in both databases."""

from collections.abc import Callable, Iterator, Sequence

import pytest
from sqlalchemy import select

from n8n_scraper.core.errors import BadInput, StoreLost
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.ledger.database import Database
from n8n_scraper.records.rereading import cursor as cursors
from n8n_scraper.records.rereading import whole
from n8n_scraper.records.rereading.blocks import Compared
from n8n_scraper.records.rereading.found import Standing
from n8n_scraper.records.rereading.selection import Selection
from n8n_scraper.records.rereading.whole import Order, Rereading
from n8n_scraper.records.tables import RawAnswerRow, RereadingRow
from n8n_scraper.sources.n8n.source import SOURCE
from tests.unit.records.rereading.given import crawl, rows, write

IDS = [str(number) for number in range(1, 8)]
ALL = Order(SOURCE, Selection())


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole, "ITEMS_A_BLOCK", 2)


@pytest.fixture
def archive(database: Database) -> Database:
    """Seven templates that an older reader has given another title."""
    crawl(database, *IDS)
    for one in IDS:
        write(database, one, title="Older")
    return database


def reread(database: Database, order: Order = ALL, blocks: int | None = None) -> Standing:
    """Read anew, in this process; after so many blocks somebody stops it."""
    rereading, told = Rereading(database, order), list[Sequence[Compared]]()

    def tell(compared: Sequence[Compared]) -> None:
        told.append(compared)
        rereading.stopping = len(told) == blocks

    rereading.run(map, tell)
    return rereading.standing


def titles(database: Database) -> list[str]:
    return [row["title"] for row in rows(database).values()]


def reached(database: Database) -> tuple[str, int] | None:
    query = select(RereadingRow.after, RereadingRow.items)
    found = database.look(lambda session: session.execute(query).first())
    return found and tuple(found)


def test_all_are_read_and_what_differs_is_counted_by_field(archive: Database) -> None:
    done = reread(archive)

    assert titles(archive) == ["Ask an address"] * 7
    assert done.as_json() == {
        "source": "n8n",
        "read": 7,
        "changed": 7,
        "fields": {"title": {"items": 7, "examples": ["1", "2", "3"]}},
        "unreadable": {},
        "errors": {},
        "not_stored": [],
        "done": 7,
        "total": 7,
    }
    assert (done.status, reached(archive)) == (ExitStatus.DONE, None)


def test_who_only_looks_changes_nothing(archive: Database) -> None:
    looked = reread(archive, Order(SOURCE, Selection(), only_look=True), blocks=2)

    assert (looked.found.read, looked.found.changed, looked.done, looked.total) == (4, 4, 4, 7)
    assert looked.status is ExitStatus.WORK_LEFT
    assert titles(archive) == ["Older"] * 7
    assert reached(archive) is None


def test_what_was_stopped_goes_on_and_what_is_through_begins_anew(archive: Database) -> None:
    # Given a rereading that is stopped after two blocks
    stopped = reread(archive, blocks=2)
    assert (stopped.status, stopped.left, reached(archive)) == (
        ExitStatus.WORK_LEFT,
        3,
        ("4", 4),
    )
    assert titles(archive) == ["Ask an address"] * 4 + ["Older"] * 3

    # When the same is asked for, then it goes on, and the next one begins anew
    rest = reread(archive)
    assert (rest.found.read, rest.done, rest.total) == (3, 7, 7)
    assert titles(archive) == ["Ask an address"] * 7
    assert reread(archive).found.read == 7


def test_what_is_stopped_behind_its_last_item_is_through(archive: Database) -> None:
    last = reread(archive, blocks=4)

    assert (last.left, reached(archive)) == (0, None)


@pytest.mark.parametrize("what", ["readers", "items", "computed"])
def test_another_rereading_begins_at_the_beginning(
    archive: Database, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reread(archive, blocks=2)
    order = ALL
    if what == "readers":
        monkeypatch.setattr(cursors, "readers", lambda: "better ones")
    if what == "items":
        order = Order(SOURCE, Selection(since="2026", typed={"since": "2026-01-01"}))
    if what == "computed":
        order = Order(SOURCE, Selection(), unwanted=frozenset({"secrets"}))

    assert Rereading(archive, order).standing.done == 0
    assert reread(archive, order).found.read == 7


def test_a_span_of_time_means_what_it_meant_at_the_beginning(archive: Database) -> None:
    def since(moment: str) -> Order:
        return Order(SOURCE, Selection(since=moment, typed={"since": "1d"}))

    reread(archive, since("2025-12-31"), blocks=2)

    assert reread(archive, since("2026-12-31")).found.read == 3


def test_a_transaction_that_breaks_leaves_whole_blocks(archive: Database) -> None:
    # Given a rereading whose second block breaks when it is stored
    def breaking(function: Callable[[object], object], given: Iterator[object]) -> Iterator[object]:
        for number, one in enumerate(given):
            ids, compared = function(one)
            if number == 1:
                compared[1].now["title"] = {1}
            yield ids, compared

    with pytest.raises(StoreLost):
        Rereading(archive, ALL).run(breaking, lambda _: None)

    assert titles(archive) == ["Ask an address"] * 2 + ["Older"] * 5
    assert reached(archive) == ("2", 2)


def test_ids_that_are_not_stored_are_named_or_refused(archive: Database) -> None:
    some = reread(archive, Order(SOURCE, Selection(("3", "404"))))
    assert (some.not_stored, some.found.read) == (("404",), 1)

    with pytest.raises(BadInput, match="none of these templates is stored"):
        Rereading(archive, Order(SOURCE, Selection(("404",))))


def test_what_could_not_be_read_is_told_by_the_status(archive: Database) -> None:
    archive.do(lambda session: session.query(RawAnswerRow).filter_by(item_id="3").delete() and None)
    assert reread(archive).status is ExitStatus.FAILURES

    write(archive, "4", layers=[])
    found = reread(archive)
    assert (found.status, list(found.found.unreadable), list(found.found.errors)) == (
        ExitStatus.BROKEN,
        ["3"],
        ["4"],
    )
    assert found.found.as_before == 5


def test_the_readers_are_known_by_their_code() -> None:
    assert cursors.readers() == cursors.readers.__wrapped__()
