"""Opening a database and working in it."""

import asyncio
import secrets
import sqlite3
import threading
import time
import zipfile
from collections.abc import Callable
from functools import partial
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine, event, inspect, make_url, text
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import NoArchive, StoreLost, StoreUnfit
from n8n_scraper.ledger import migrate, schema
from n8n_scraper.ledger.address import parse_url
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.tables import ReceiptRow
from tests.every_table import METADATA
from tests.older import back_to


def test_the_migrations_make_exactly_the_models(database: Database) -> None:
    with database.engine.connect() as connection:
        opts = {"compare_type": True, "include_name": is_described}
        context = MigrationContext.configure(connection, opts=opts)
        difference = compare_metadata(context, METADATA)

    assert difference == []


# Made before each source had migrations of its own; who takes the source away has them still.
OF_THE_FIRST_SOURCE = {"workflows", "view_samples"}
# PostgreSQL's own indexes of the search, of what is made of the columns.
OF_THE_SEARCH = {f"ix_search_items_{name}" for name in ("title", "names", "whole")}


def is_described(name: str | None, kind: str, _parents: object) -> bool:
    if kind != "table":
        return name not in OF_THE_SEARCH
    is_left = name in OF_THE_FIRST_SOURCE and name not in METADATA.tables
    # SQLite's own index of the search, and the tables in which it keeps that.
    return not (is_left or str(name).startswith(("alembic_version", "search_index")))


def test_opening_twice_and_from_two_processes_at_once_is_harmless(bare_url: str) -> None:
    databases = [Database(bare_url) for _ in range(4)]
    threads = [threading.Thread(target=one.open) for one in databases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    versions = databases[0].do(
        lambda session: session.scalars(text("SELECT version_num FROM alembic_version")).all()
    )

    assert len(versions) == 1
    for one in databases:
        one.close()


def test_migrations_are_found_in_a_zipped_egg_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Given the package as scrapyd gets it: inside a zip file
    package = Path(migrate.__file__).parent.parent
    with zipfile.ZipFile(tmp_path / "egg.zip", "w") as egg:
        for file in package.rglob("migrations/**/*.py"):
            egg.write(file, file.relative_to(package))

    def packed(package: str) -> Traversable:
        _, *folders = package.split(".")
        return zipfile.Path(tmp_path / "egg.zip", "/".join(folders) + "/")

    monkeypatch.setattr(migrate, "files", packed)
    monkeypatch.setattr(schema, "files", packed)
    database = Database(f"sqlite:///{tmp_path}/a.db")

    database.open()

    assert database.do(lambda session: session.scalar(text("SELECT count(*) FROM workflows"))) == 0
    database.close()


def test_a_database_of_a_later_version_is_refused(database: Database, database_url: str) -> None:
    database.do(lambda session: session.execute(text("UPDATE alembic_version SET version_num='9'")))

    later = Database(database_url)
    with pytest.raises(StoreUnfit, match="made by a newer one"):
        later.open()
    later.close()


def test_work_is_done_whole_or_not_at_all(database: Database) -> None:
    def half(session: object) -> None:
        session.execute(  # type: ignore[attr-defined]
            text(
                "INSERT INTO scrape_runs (run_id, spider, source, site, arguments, settings,"
                " versions, started_at, status)"
                " VALUES ('r', 's', 's', 's', '{}', '{}', '{}', 't', 'running')"
            )
        )
        raise ValueError("in the middle")

    with pytest.raises(ValueError, match="in the middle"):
        database.do(half)

    count = database.do(lambda session: session.scalar(text("SELECT count(*) FROM scrape_runs")))
    assert count == 0


def test_a_lock_of_somebody_else_is_waited_for(tmp_path: Path) -> None:
    # Given another program that writes, and takes its time
    database = Database(f"sqlite:///{tmp_path}/a.db")
    database.open()
    other = sqlite3.connect(tmp_path / "a.db", check_same_thread=False, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.5, lambda: other.execute("COMMIT")).start()
    began = time.monotonic()

    database.do(lambda session: session.execute(text("DELETE FROM workflows")))

    assert time.monotonic() - began >= 0.4
    other.close()
    database.close()


def test_writing_does_not_hold_up_the_event_loop(database: Database) -> None:
    async def beside_a_slow_transaction() -> int:
        ticks = 0
        slow = asyncio.ensure_future(database.run(lambda _: time.sleep(0.3)))
        while not slow.done():
            await asyncio.sleep(0.01)
            ticks += 1
        return ticks

    assert asyncio.run(beside_a_slow_transaction()) >= 10


def transactions_of(database: Database, *works: Callable[[Session], object]) -> list[object]:
    """Let works wait together for a busy database; give their results, errors included."""

    async def crawl() -> list[object]:
        free = threading.Event()
        busy = asyncio.ensure_future(database.run(lambda _: free.wait()))
        waiting = [asyncio.ensure_future(database.run(work)) for work in works]
        await asyncio.sleep(0)
        free.set()
        await busy
        return await asyncio.gather(*waiting, return_exceptions=True)

    return asyncio.run(crawl())


def test_what_waits_together_is_committed_together(database: Database) -> None:
    commits: list[object] = []

    def number(n: int, session: Session) -> int:
        return session.scalar(text(f"SELECT {n}"))

    database.open()
    event.listen(database.engine, "commit", commits.append)

    results = transactions_of(database, *[partial(number, n) for n in range(5)])
    database.close()  # which waits for all that was begun

    assert results == [0, 1, 2, 3, 4]
    assert len(commits) <= 2  # that of the one they waited for, and theirs


def test_nothing_is_begun_for_which_nobody_waits_any_more(database: Database) -> None:
    begun: list[object] = []

    def note(_session: Session, transaction: object) -> None:
        begun.append(transaction)

    database.open()
    event.listen(Session, "after_transaction_create", note)
    try:
        transactions_of(database, *[lambda _: None] * 5)
        database.close()  # which waits for all that was begun
    finally:
        event.remove(Session, "after_transaction_create", note)

    assert len(begun) <= 2  # the one they waited for, and theirs


def test_work_that_comes_after_the_end_fails_each_time_and_waits_for_nobody(
    database: Database,
) -> None:
    database.open()
    database.close()

    for _ in range(2):
        with pytest.raises(RuntimeError):
            asyncio.run(database.run(lambda _: None))


def test_who_comes_while_others_are_told_how_they_ended_is_served(database: Database) -> None:
    async def one_after_the_other(most: int) -> int:
        done = 0
        while done < most:
            done += await database.run(lambda _: 1)
        return done

    async def crowd() -> list[int]:
        async with asyncio.timeout(30):
            return await asyncio.gather(*map(one_after_the_other, [100] * 8))

    assert asyncio.run(crowd()) == [100] * 8


def note(writer: str) -> Callable[[Session], None]:
    """Make work that writes a row, in which a second one with the same name breaks."""
    row = text("INSERT INTO receipts (writer, number, at) VALUES (:writer, 1, 't')")
    return lambda session: session.execute(row, {"writer": writer}) and None


def broken(session: Session) -> None:
    raise ValueError("in the middle")


def without_its_key(session: Session) -> None:
    session.execute(text("INSERT INTO receipts (writer, number, at) VALUES ('x', NULL, 't')"))


def without_its_table(session: Session) -> None:
    session.execute(text("SELECT 1 FROM never_made"))


@pytest.mark.parametrize(
    ("how", "error"),
    [
        (broken, ValueError),
        (without_its_key, StoreLost),
        (without_its_table, StoreLost),
    ],
)
def test_work_that_fails_in_company_fails_alone(
    database: Database, how: Callable[[Session], None], error: type[Exception]
) -> None:
    # Given two that write, and between them one that breaks after it has written
    def failing(session: Session) -> None:
        note("failing")(session)
        how(session)

    # When they share a transaction
    first, failed, last = transactions_of(database, note("first"), failing, note("last"))

    # Then nothing of the broken one is there, and all of the others
    assert (first, type(failed), last) == (None, error, None)
    kept = database.do(
        lambda session: session.scalars(
            text("SELECT writer FROM receipts WHERE at = 't' ORDER BY 1")
        ).all()
    )
    assert kept == ["first", "last"]


def test_a_row_that_is_there_already_fails_alone_however_long_it_was_waited_for(
    database_url: str,
) -> None:
    database = Database(database_url, patience_seconds=0.3)
    database.do(note("twice"))

    first, failed, last = transactions_of(database, note("first"), note("twice"), note("last"))

    assert (first, type(failed), last) == (None, StoreLost, None)
    database.close()


def test_a_lock_that_all_have_waited_for_is_not_waited_for_by_each(postgres_url: str) -> None:
    # Given another process that does not let go of what each of three wants to read
    database = Database(postgres_url, patience_seconds=0.1)
    database.open()
    other = create_engine(parse_url(postgres_url)).connect()
    other.execute(text("LOCK TABLE workflows"))
    waited = []

    def impatient(session: Session) -> None:
        waited.append(True)
        session.execute(text("SET LOCAL lock_timeout = '50ms'"))
        session.execute(text("SELECT count(*) FROM workflows"))

    # When they share a transaction
    results = transactions_of(database, impatient, impatient, impatient)

    # Then the first has waited for all
    assert [type(one) for one in results] == [StoreLost] * 3
    assert len(waited) == 1
    other.close()
    other.engine.dispose()
    database.close()


def test_work_in_company_sees_what_the_ones_before_it_have_written(database: Database) -> None:
    # Given one that changes an object, and one that asks past SQLAlchemy's objects for its row
    database.do(note("one"))

    def change(session: Session) -> None:
        row = session.get_one(ReceiptRow, "one")
        row.number += 1

    def number(session: Session) -> object:
        return session.connection().scalar(text("SELECT number FROM receipts WHERE writer='one'"))

    def change_past_it(session: Session) -> None:
        update = text("UPDATE receipts SET number = 7 WHERE writer = 'one'")
        session.connection().execute(update)

    def read(session: Session) -> int:
        return session.get_one(ReceiptRow, "one").number

    # When they share a transaction
    results = transactions_of(database, change, number, change_past_it, read)

    # Then each finds what the others have left, as if it came after their COMMIT
    assert results == [None, 2, None, 7]


def test_reading_makes_no_file_and_no_folder(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/data/a.db")

    with pytest.raises(NoArchive, match="no run is in this database yet"):
        database.look(lambda session: session.scalar(text("SELECT 1")))

    assert list(tmp_path.iterdir()) == []
    database.close()


def test_reading_an_empty_database_leaves_it_empty(bare_url: str) -> None:
    empty = create_engine(parse_url(bare_url))
    with empty.connect():
        pass
    database = Database(bare_url)

    with pytest.raises(NoArchive, match="no run is in this database yet"):
        database.look(lambda session: session.scalar(text("SELECT 1")))

    assert inspect(empty).get_table_names() == []
    empty.dispose()
    database.close()


def test_reading_leaves_older_tables_as_they_are_and_says_what_to_do(
    database: Database, database_url: str
) -> None:
    # Given the tables of the version before
    with database.engine.begin() as connection:
        back_to(connection, "0006")
    reader = Database(database_url)

    # When somebody looks, then nothing is changed
    with pytest.raises(StoreUnfit, match=r"\(0006, .*run `scrapy db upgrade`"):
        reader.look(lambda session: session.scalar(text("SELECT 1")))
    assert "receipts" not in inspect(database.engine).get_table_names()
    reader.close()

    # And after the upgrade everybody reads
    upgraded = Database(database_url)
    upgraded.open()
    assert upgraded.look(lambda session: session.scalar(text("SELECT count(*) FROM receipts"))) == 0
    upgraded.close()


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"database": "none"}, 'database "none" does not exist'),
        ({"username": "nobody"}, 'role "nobody" does not exist'),
    ],
)
def test_what_waiting_cannot_mend_is_told_at_once(
    postgres_url: str, change: dict[str, str], cause: str
) -> None:
    # Given patience beyond all time limits
    url = make_url(postgres_url).set(**change).render_as_string(hide_password=False)
    database = Database(url, patience_seconds=10_000)

    with pytest.raises(StoreLost, match=cause):
        database.open()
    database.close()


def test_a_missing_permission_is_told_at_once(postgres_url: str) -> None:
    # Given a role that may connect and nothing more
    role = f"reader_{secrets.token_hex(4)}"
    admin = Database(postgres_url)
    admin.do(lambda session: session.execute(text(f"CREATE ROLE {role} LOGIN")))
    url = make_url(postgres_url).set(username=role).render_as_string(hide_password=False)
    database = Database(url, patience_seconds=10_000)

    with pytest.raises(StoreLost, match="permission denied"):
        database.open()
    database.close()
    admin.do(lambda session: session.execute(text(f"DROP ROLE {role}")))
    admin.close()


def test_somebody_elses_lock_on_postgresql_is_waited_for_again(postgres_url: str) -> None:
    # Given a lock that outlasts what one statement may wait
    database = Database(postgres_url, patience_seconds=20)
    database.open()
    other = create_engine(parse_url(postgres_url)).connect()
    other.execute(text("LOCK TABLE workflows"))
    waited = []

    def impatient(session: Session) -> int:
        if waited:
            other.close()
        waited.append(True)
        session.execute(text("SET LOCAL lock_timeout = '50ms'"))
        return session.scalar(text("SELECT count(*) FROM workflows"))

    assert database.do(impatient) == 0
    assert len(waited) == 2
    other.engine.dispose()
    database.close()


def test_ctrl_c_while_a_connection_is_given_back_leaves_no_traceback(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    def interrupted(*_args: object) -> None:
        raise KeyboardInterrupt

    event.listen(database.engine, "reset", interrupted)

    with pytest.raises(KeyboardInterrupt):
        database.do(lambda session: session.execute(text("SELECT 1")))

    assert caplog.messages == []


def test_what_else_goes_wrong_with_a_connection_is_told(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_args: object) -> None:
        raise OSError("gone")

    event.listen(database.engine, "reset", broken)

    database.do(lambda session: session.execute(text("SELECT 1")))

    assert caplog.messages == ["Exception during reset or similar"]


def test_a_lost_server_is_named_without_its_password() -> None:
    database = Database("postgresql://user:secret@127.0.0.1:9/none", patience_seconds=0)

    with pytest.raises(StoreLost) as lost:
        database.open()

    assert "127.0.0.1:9" in str(lost.value)
    assert "secret" not in str(lost.value)
    assert "\n" not in str(lost.value)
    database.close()


def test_a_lost_connection_is_repaired_and_the_work_repeated(postgres_url: str) -> None:
    # Given a connection that the server cuts between two transactions
    database = Database(postgres_url, patience_seconds=5)
    database.open()
    killer = Database(postgres_url)
    killed = []

    def cut_once(session: object) -> str:
        if not killed:
            killed.append(
                killer.do(
                    lambda one: one.execute(
                        text(
                            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                        )
                    )
                )
            )
        return session.scalar(text("SELECT 'still here'"))  # type: ignore[attr-defined]

    assert database.do(cut_once) == "still here"
    assert killed
    database.close()
    killer.close()
