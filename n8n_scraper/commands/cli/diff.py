"""`scrapy diff <id>`: what the author changed between two versions of an item."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand, add_source


class Command(ProjectCommand):
    """Shows the difference between two versions of an item."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "<id> [--from VERSION] [--to VERSION] [--source NAME] [--json]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Show what changed between two versions of an item, part by part"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Take the two versions; the last two are meant where none is named."""
        super().add_options(parser)
        add_source(parser)
        parser.add_argument("--from", dest="older", metavar="VERSION", help="the older version")
        parser.add_argument("--to", dest="newer", metavar="VERSION", help="the newer version")
        parser.add_argument("--json", action="store_true", help="one JSON object for machines")
