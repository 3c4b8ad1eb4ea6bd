"""In the end a server has everything once, however it misbehaves: over real HTTP."""

import logging
from collections.abc import Iterator

import pytest

from n8n_scraper.ledger.database import Database
from tests.every_table import METADATA
from tests.foreign_server import KEY, Bad, ForeignServer
from tests.unit.etl.given import HOUR, address, crawled, telling

IDS = tuple(str(number) for number in range(1, 9))


@pytest.fixture
def server() -> Iterator[ForeignServer]:
    with ForeignServer().running() as running:
        yield running


@pytest.fixture
def database(emptied: Database) -> Database:
    """One database after the other would take most of the time."""
    return emptied


@pytest.fixture(scope="module")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path_factory.mktemp('here')}/a.db", patience_seconds=0)
    opened.open()
    yield opened
    opened.close()


@pytest.fixture
def here(sqlite: Database) -> Iterator[Database]:
    """SQLite, where it is the other side that is tried."""
    yield sqlite
    with sqlite.engine.begin() as connection:
        for table in reversed(METADATA.sorted_tables):
            connection.execute(table.delete())


def judge(server: ForeignServer, ids: tuple[str, ...] = IDS) -> None:
    """Demand that it has one run, with each item once, and knows that it is over."""
    (run,) = server.runs.values()
    assert [item["url"] for item in run["items"]] == [address(one) for one in ids]
    assert server.done() == {address(one) for one in ids}
    assert set(server.changed.values()) == {1}
    assert run["status"] == "finished"


def test_a_run_its_items_and_its_end_are_told_in_this_order(
    database: Database, server: ForeignServer
) -> None:
    crawled(database, *IDS, failed=("3",))
    with telling(database, server) as told:
        stands = told.send()

    assert (stands.waiting, stands.given_up) == (0, 0)
    assert [method for method, _ in server.log] == ["POST", "PATCH", "PATCH"]
    assert server.items()[address("3")]["failedReason"] == "timeout: it took too long"
    (run,) = server.runs.values()
    assert run["endTime"]
    assert set(server.changed.values()) == {1}


@pytest.mark.parametrize("spelling", ["id", "_id"])
@pytest.mark.parametrize("listing", ["data", "runs", "bare"])
def test_each_spelling_of_the_contract_is_understood(
    here: Database,
    server: ForeignServer,
    spelling: str,
    listing: str,
) -> None:
    server.spelling, server.listing = spelling, listing
    server.next.append(Bad(silent=True))
    crawled(here, *IDS)
    with telling(here, server) as told:
        told.send_for(60)

    judge(server)


def test_a_server_that_is_away_for_an_hour_has_everything_once_when_it_is_back(
    database: Database,
) -> None:
    # Given a server at an address at which nobody answers
    server = ForeignServer()
    with server.running():
        pass
    crawled(database, *IDS)
    with telling(database, server) as told:
        # When an hour passes
        stands = told.send_for(HOUR)
        assert (stands.waiting, stands.given_up) == (len(IDS) + 2, 0)

        # Then it is told when it is back, within the longest rest
        with server.running():
            stands = told.send_for(HOUR / 4)
            assert (stands.waiting, stands.sent) == (0, len(IDS) + 2)
            judge(server)


@pytest.mark.parametrize("status", [500, 409, 429, 401])
def test_a_server_that_answers_so_for_an_hour_loses_nothing_and_is_not_pestered(
    here: Database, server: ForeignServer, status: int
) -> None:
    server.always = Bad(status=status)
    crawled(here, *IDS)
    with telling(here, server) as told:
        told.send_for(HOUR)
        assert 2 < len(server.log) < 60

        server.always = None
        told.send_for(HOUR / 4)

    judge(server)


def test_the_time_that_a_server_names_is_kept_to(here: Database, server: ForeignServer) -> None:
    server.next.append(Bad(status=429, retry_after="120"))
    crawled(here, *IDS)
    with telling(here, server) as told:
        told.send_for(119)
        assert len(server.log) == 1

        told.send_for(30)

    judge(server)


@pytest.mark.parametrize("late", [0, 1, 2])
def test_what_was_done_though_its_answer_came_too_late_is_not_done_again(
    database: Database, server: ForeignServer, late: int
) -> None:
    # Given that the answer to the creation, to the items or to the end comes too late
    server.next.extend([*[Bad()] * late, Bad(silent=True)])
    crawled(database, *IDS)
    with telling(database, server) as told:
        told.send_for(60)

    # Then the server was asked before anything was repeated
    judge(server)
    assert "GET" in [method for method, _ in server.log]


def test_a_doubt_outlives_a_server_that_cannot_be_asked(
    here: Database, server: ForeignServer
) -> None:
    # Given a run that was created without an answer, by a server that is away then for a while
    server.next.append(Bad(silent=True))
    crawled(here, *IDS)
    with telling(here, server) as told:
        told.send()
        server.is_closed = True
        told.send_for(HOUR)
        server.is_closed = False
        told.send_for(HOUR / 4)

    # Then no second one is
    judge(server)


@pytest.mark.parametrize("status", [400, 409])
def test_a_creation_that_is_refused_because_it_was_done_is_found(
    here: Database, server: ForeignServer, status: int
) -> None:
    run_id = crawled(here, *IDS)
    items = [{"url": address(one)} for one in IDS]
    metadata = {"run_id": run_id, "started_at": "2026"}
    server.create({"domain": "n8n.io", "metadata": metadata, "items": items})
    server.next.append(Bad(status=status))
    with telling(here, server) as told:
        told.send()

    judge(server)


def test_of_a_batch_that_was_half_taken_the_other_half_is_sent_again(
    here: Database, server: ForeignServer
) -> None:
    server.next.extend([Bad(), Bad(half=True)])
    crawled(here, *IDS)
    with telling(here, server) as told:
        told.send()

    judge(server)


@pytest.mark.parametrize("is_mute", [False, True])
def test_a_server_that_takes_items_one_by_one_gets_them_so(
    here: Database, server: ForeignServer, is_mute: bool
) -> None:
    server.takes_batches, server.is_mute = False, is_mute
    crawled(here, *IDS)
    with telling(here, server, ETL_BATCH="4") as told:
        told.send()

    judge(server)
    assert len(server.log) == 1 + 1 + len(IDS) + 1  # one batch was tried, and no second


def test_a_server_that_says_nothing_of_what_it_has_taken_is_asked(
    here: Database, server: ForeignServer
) -> None:
    server.is_mute = True
    crawled(here, *IDS)
    with telling(here, server) as told:
        told.send()

    judge(server)


def test_an_item_at_which_the_server_breaks_ends_with_a_word_and_the_others_get_there(
    here: Database, server: ForeignServer
) -> None:
    # Given runs that come every quarter of an hour, and an item that no server survives
    server.refused = frozenset({address("3")})
    with telling(here, server, ETL_BATCH="4") as told:
        for number in range(9):
            crawled(here, *IDS) if number == 0 else crawled(here, str(100 + number))
            told.send_for(HOUR / 4)

        # Then it is given up, and its run is over all the same
        stands = told.stands()
    assert (stands.waiting, stands.given_up) == (0, 1)
    assert "500" in str(stands.last_error)
    first = server.runs["run1"]
    assert {item["url"] for item in first["items"] if not item["done"]} == {address("3")}
    assert {run["status"] for run in server.runs.values()} == {"finished"}


def test_what_has_ended_anew_is_told_anew(here: Database, server: ForeignServer) -> None:
    from n8n_scraper.core.outcomes import Outcome
    from n8n_scraper.etl.telling import EtlListener
    from n8n_scraper.ledger.ledger import Closing, State

    run_id = crawled(here, *IDS, failed=("3",))
    with telling(here, server) as told:
        told.send()
        again = Closing("3", State.DONE, Outcome.COMPLETE)
        here.do(lambda session: EtlListener(HOUR).closed(session, run_id, again))
        told.send()

    assert server.items()[address("3")]["done"] is True
    assert server.items()[address("3")]["failed"] is False


def test_the_key_is_in_the_header_and_nowhere_else(
    here: Database,
    server: ForeignServer,
    caplog: pytest.LogCaptureFixture,
) -> None:
    # Given a server that repeats the key in its errors
    caplog.set_level(logging.DEBUG)
    server.next.extend([Bad(status=400), Bad(status=500)])
    crawled(here, *IDS)
    with telling(here, server) as told:
        told.send()
        stands = told.stands()

    assert all(headers["Authorization"] == f"Bearer {KEY}" for headers in server.headers)
    assert not [path for _, path in server.log if KEY in path]
    assert KEY not in caplog.text
    assert KEY not in str(stands.last_error)
    assert "***" in str(stands.last_error)


def test_a_run_that_was_refused_takes_its_items_along_until_a_person_insists(
    here: Database, server: ForeignServer
) -> None:
    from n8n_scraper.outbox import outbox

    server.next.append(Bad(status=422))
    crawled(here, *IDS)
    with telling(here, server) as told:
        assert told.send().given_up == len(IDS) + 2

        here.do(lambda session: outbox.send_again(session, "etl", told.clock.now, HOUR))
        told.send()

    judge(server)


def test_a_run_is_not_told_before_it_is_known_what_there_is_to_do(
    here: Database, server: ForeignServer
) -> None:
    import asyncio

    from n8n_scraper.etl.telling import EtlListener, release_what_was_left
    from n8n_scraper.ledger.sql_ledger import SqlLedger
    from tests.unit.ledger.given import NEW, process

    # Given a process that dies before it has planned anything
    with telling(here, server) as told:
        ledger = SqlLedger(here, EtlListener(HOUR))
        asyncio.run(ledger.enter(NEW, process(lease_seconds=-1)))
        assert told.send().waiting == 1
        assert server.log == []

        # Then it is told as far as it has come by whoever sends what is left
        here.do(release_what_was_left)
        assert told.send().waiting == 0
    assert server.items() == {}
