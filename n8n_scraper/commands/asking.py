"""Answer one question of a command from the database, or leave with one clear line."""

from __future__ import annotations

import sys
from typing import TypeVar

from scrapy.settings import BaseSettings

from n8n_scraper.core.console import refuse, warn
from n8n_scraper.core.errors import BadInput, StoreError
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.database_settings import DatabaseSettings
from n8n_scraper.ledger.once import Work

T = TypeVar("T")


class Asking:
    """The database that the settings name; when it is lost, the command leaves with one line."""

    def __init__(self, settings: BaseSettings, patience_seconds: float = 0) -> None:
        try:
            url = DatabaseSettings.from_settings(settings).url
            self.database = Database(url, patience_seconds=patience_seconds)
        except BadInput as error:
            refuse(error)

    def __enter__(self) -> Database:
        return self.database

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> None:
        self.database.close()
        if isinstance(error, BadInput):
            refuse(error)
        if isinstance(error, StoreError):
            warn(error)
            sys.exit(ExitStatus.STORE_LOST)


def ask(settings: BaseSettings, work: Work[T]) -> T:
    """Run one piece of work in the database that the settings name."""
    with Asking(settings) as database:
        return database.do(work)


def look(settings: BaseSettings, work: Work[T]) -> T:
    """Read from the database that the settings name: no crawl is held up, nothing is changed."""
    with Asking(settings) as database:
        return database.look(work)
