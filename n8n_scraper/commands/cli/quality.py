"""`scrapy quality [ID]`: how much is known of a source's items, or how good one of them is."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand, add_source


class Command(ProjectCommand):
    """Tells the coverage of each field, and explains a score."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "[<id>] [--source NAME] [--json]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Say how much is known of all items, or why one has its score"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Offer the form for machines."""
        super().add_options(parser)
        add_source(parser)
        parser.add_argument("--json", action="store_true", help="one JSON object for machines")
