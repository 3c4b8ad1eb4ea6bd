"""`scrapy db upgrade`: create the tables, or bring them to the newest shape."""

from __future__ import annotations

import argparse

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from n8n_scraper.asking import ask
from n8n_scraper.console import say
from n8n_scraper.storage.database import Database


class Command(ScrapyCommand):
    """Looks after the database."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012 - Scrapy's declaration

    def syntax(self) -> str:
        """What may follow the command."""
        return "upgrade"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Create the database's tables, or bring them to the newest shape"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Upgrade, and say what the database is now."""
        if args != ["upgrade"]:
            raise UsageError("write: scrapy db upgrade", print_help=False)
        assert self.settings is not None
        ask(self.settings, lambda _: None)
        name = Database(self.settings["DATABASE_URL"]).name
        say(f"The database {name} has the newest tables.")
