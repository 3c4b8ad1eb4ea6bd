"""The archive's database."""

from __future__ import annotations

from functools import partial

from n8n_scraper.core.errors import NoArchive, StoreError
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.database_settings import DatabaseSettings
from n8n_scraper.stack.health import Health, State
from n8n_scraper.stack.service import Service


def database(settings: DatabaseSettings) -> Service:
    """Give the database that everything is kept in."""
    return Service(
        name="database",
        prevents="nothing can be crawled, stored or read",
        remedy="",
        check=partial(_look, settings),
        make=partial(_open, settings),
    )


def _look(settings: DatabaseSettings, _seconds: float) -> Health:
    """See whether its tables are of the newest shape; how long it waits is its driver's affair."""
    found = Database(settings.url, patience_seconds=0)
    try:
        found.look(lambda _: None)
    except NoArchive:
        return Health(State.TO_BE_MADE, f"no archive is in {found.name} yet")
    except StoreError as error:
        return Health.unhealthy(str(error).rstrip("."))
    finally:
        found.close()
    return Health.healthy(f"{found.name} has the newest tables")


def _open(settings: DatabaseSettings) -> None:
    """Make the tables, or bring them to the newest shape."""
    made = Database(settings.url, patience_seconds=settings.patience_seconds)
    try:
        made.open()
    finally:
        made.close()
