"""`scrapy similar <id>`: which other items are nearly the same."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand, add_source


class Command(ProjectCommand):
    """Shows the look-alikes of an item."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "<id> [--source NAME] [--json] | --rebuild [--source NAME]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Show which other items are nearly the same as one"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Take what is to be shown, or that all is to be compared anew."""
        super().add_options(parser)
        add_source(parser)
        parser.add_argument("--json", action="store_true", help="one JSON object for machines")
        parser.add_argument(
            "--rebuild",
            action="store_true",
            help="compare all items anew, as for an archive of an earlier version",
        )
