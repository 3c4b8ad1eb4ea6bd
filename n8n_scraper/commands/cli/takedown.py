"""`scrapy takedown <id>`: an item out of the archive, and never collected again."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand, add_source


class Command(ProjectCommand):
    """Takes items out of the archive."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "<id>|author:<name> --why TEXT | --undo ID | --list [--json] [--source NAME]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Take items out of the archive, never to be collected again"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Take the reason, or what else is wanted of the notes."""
        super().add_options(parser)
        add_source(parser)
        parser.add_argument("--why", metavar="TEXT", help="the reason, which is kept with the id")
        parser.add_argument(
            "--undo", metavar="ID", help="let an item be collected again; nothing comes back"
        )
        parser.add_argument("--list", action="store_true", help="what was taken down, and why")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")
