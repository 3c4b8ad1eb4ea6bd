"""`scrapy sessions list|close`: which remote browsers are open, and a word to end them."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Shows and ends the browser sessions of Browserbase."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "list [--json] | close [ID | --all]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Show which remote browsers are open, or end those that nobody uses any more"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Let a machine read, and let all be ended."""
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="one JSON document")
        parser.add_argument(
            "--all", action="store_true", help="end also those that crawls under way use"
        )
