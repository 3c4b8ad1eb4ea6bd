"""Open the account that the settings name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from n8n_scraper.crawl.sessions.account import Account
from n8n_scraper.crawl.sessions.browserbase_api import BrowserbaseApi
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.session_book import SessionBooks
from n8n_scraper.ledger.workers import this_process
from n8n_scraper.policies.sessions.book import LEASE_SECONDS

if TYPE_CHECKING:
    from n8n_scraper.crawl.sessions.session_settings import SessionSettings
    from n8n_scraper.ledger.database_settings import DatabaseSettings


@contextmanager
def account_of(told: SessionSettings, place: DatabaseSettings) -> Iterator[Account]:
    """Open the account and its book, until the block ends; BadInput without a key."""
    told.check_key()
    database = Database(place.url, patience_seconds=place.patience_seconds)
    api = BrowserbaseApi(told.url, told.key, told.project)
    books = SessionBooks(database, told.account)
    try:
        yield Account(api, books, told.limits, this_process(LEASE_SECONDS))
    finally:
        database.close()
