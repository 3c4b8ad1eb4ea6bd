"""A look is bounded, changes nothing, and holds nobody up."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import text
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import StoreLost, TookTooLong
from n8n_scraper.ledger.database import Database
from n8n_scraper.serve.archive import Archive
from tests.unit.ledger.given import a_run

T = TypeVar("T")
ENDLESS = {
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT max(i) FROM n",
    "postgresql": "SELECT pg_sleep(60)",
}


def looking(url: str, *looks: Callable[[Database], T], seconds: float = 5) -> list[T | Exception]:
    """Look at a database, everything at once."""

    async def work() -> list[T | Exception]:
        archive = Archive(url, look_seconds=seconds)
        try:
            return await asyncio.gather(*map(archive.look, looks), return_exceptions=True)  # type: ignore[return-value]
        finally:
            archive.close()

    return asyncio.run(work())


def endless(database: Database) -> None:
    database.look(
        lambda session: session.execute(text(ENDLESS[session.get_bind().dialect.name])).all()
    )


def test_a_look_that_takes_too_long_is_broken_off(database: Database, database_url: str) -> None:
    begun = time.monotonic()

    (error,) = looking(database_url, endless, seconds=0.2)

    assert isinstance(error, TookTooLong)
    assert str(error) == "The database took longer than 0.2 seconds to answer this."
    assert time.monotonic() - begun < 5


def test_a_look_changes_nothing(database: Database, database_url: str) -> None:
    run_id = a_run(database, "1")

    def change(archive: Database) -> None:
        archive.look(lambda session: session.execute(text("DELETE FROM scrape_runs")))

    def runs(session: Session) -> list[str]:
        return list(session.execute(text("SELECT run_id FROM scrape_runs")).scalars())

    (error,) = looking(database_url, change)

    assert isinstance(error, StoreLost)
    assert database.look(runs) == [run_id]


def test_a_change_goes_through(database: Database, database_url: str) -> None:
    async def work() -> str:
        archive = Archive(database_url, look_seconds=5)
        try:
            return await archive.change(a_run, "1")
        finally:
            archive.close()

    run_id = asyncio.run(work())

    found = database.look(lambda session: session.execute(text("SELECT run_id FROM scrape_runs")))
    assert found.scalars().all() == [run_id]
