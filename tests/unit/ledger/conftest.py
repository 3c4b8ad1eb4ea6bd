"""The ledgers that keep to one specification: in memory, in SQLite, in PostgreSQL."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import text

from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Ledger
from n8n_scraper.ledger.sql_ledger import SqlLedger
from n8n_scraper.testing.clock import MovableClock
from n8n_scraper.testing.memory_ledger import MemoryLedger


@dataclass
class Kind:
    """A ledger, and how time passes in it."""

    ledger: Ledger
    let_pass: Callable[[float], None]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Ask the ledger something, and wait for the answer."""
        method = getattr(self.ledger, name)
        return lambda *given, **named: asyncio.run(method(*given, **named))


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> Any:
    """A new ledger of each kind."""
    if request.param == "memory":
        clock = MovableClock()
        yield Kind(MemoryLedger(clock), clock.move)
        return
    url = {"sqlite": "sqlite_url", "postgresql": "postgres_url"}[request.param]
    database = Database(request.getfixturevalue(url), patience_seconds=0)
    database.open()

    def let_pass(seconds: float) -> None:
        earlier = text("UPDATE scrape_workers SET lease_until = lease_until - :seconds")
        database.do(lambda session: session.execute(earlier, {"seconds": seconds}))

    yield Kind(SqlLedger(database), let_pass)
    database.close()
