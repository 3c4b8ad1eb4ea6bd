"""`scrapy review list|accept|reject`: items of which it is doubtful what they are."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand, add_source


class Command(ProjectCommand):
    """Shows what waits to be looked at, and takes a person's word."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "list [--all] [--source NAME] [--json] | accept <id> [--source NAME] | reject <id> …"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Show items that may be no events, and say which of them are"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Take which of them are shown."""
        super().add_options(parser)
        add_source(parser)
        parser.add_argument(
            "--all", action="store_true", help="list: those as well that do not wait any more"
        )
        parser.add_argument("--json", action="store_true", help="list: one JSON object a line")
