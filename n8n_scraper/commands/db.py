"""`scrapy db upgrade`: create the tables, or bring them to the newest shape."""

from __future__ import annotations

import argparse

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import ask
from n8n_scraper.core.console import say
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.database_settings import DatabaseSettings


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Upgrade, and say what the database is now."""
    if args != ["upgrade"]:
        raise UsageError("write: scrapy db upgrade", print_help=False)
    ask(settings, lambda _: None)
    name = Database(DatabaseSettings.from_settings(settings).url).name
    say(f"The database {name} has the newest tables.")
