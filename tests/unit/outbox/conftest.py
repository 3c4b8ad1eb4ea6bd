"""A database of each kind that many small tests use one after the other."""

import pytest

from n8n_scraper.ledger.database import Database


@pytest.fixture
def database(emptied: Database) -> Database:
    """An open database with nothing in it."""
    return emptied
