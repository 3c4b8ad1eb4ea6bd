"""One book of an account's sessions for all processes of a database."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.session_book import SessionBooks
from n8n_scraper.policies.sessions.book import Limits, SessionBook, Standing, Told
from n8n_scraper.testing.clock import MovableClock

LIMITS = Limits(at_once=3, a_minute=5)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/a.db"
    given: str = request.getfixturevalue("postgres_url")
    return given


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    database = Database(url, patience_seconds=5)
    yield database
    database.close()


def test_a_book_is_read_as_it_was_written(database: Database) -> None:
    clock = MovableClock()
    books, other = (SessionBooks(database, "mine", clock) for _ in range(2))

    books.change(lambda book, now: book.reserved("a", "h:1:x", "m", now, LIMITS))
    books.change(lambda book, now: book.reserved("b", "h:1:x", "m", now, LIMITS).held(now + 1.5))
    clock.move(2.0)
    books.change(lambda book, now: book.opened("a", "remote", now).doubted("b", now))
    books.change(lambda book, now: book.renewed({"a": Told(3, 1, 1)}, "h:1:x", now))

    seen = other.look()
    assert seen == books.look()
    assert seen.now == clock.now
    assert len(seen.tag) == 16
    first, second = seen.book.leases
    assert (first.remote, first.standing, first.items) == ("remote", Standing.OPEN, 3)
    assert second.standing is Standing.DOUBTFUL
    assert seen.book.held_until == 1001.5
    assert seen.book.begun == (1002.0,)


def test_each_account_has_its_own(database: Database) -> None:
    one, other = SessionBooks(database, "one"), SessionBooks(database, "other")

    one.change(lambda book, now: book.reserved("a", "h:1:x", "m", now, LIMITS))

    assert other.look().book == SessionBook()
    assert other.look().tag != one.look().tag


def test_of_many_at_once_no_more_reserve_than_may(url: str) -> None:
    databases = [Database(url, patience_seconds=10) for _ in range(4)]
    for database in databases:
        database.open()

    def reserve(number: int) -> None:
        books = SessionBooks(databases[number % len(databases)], "mine")
        books.change(lambda book, now: book.reserved(str(number), "h:1:x", "m", now, LIMITS))

    try:
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(reserve, range(40)))
        leases = SessionBooks(databases[0], "mine").look().book.leases
    finally:
        for database in databases:
            database.close()

    assert len(leases) == LIMITS.at_once
