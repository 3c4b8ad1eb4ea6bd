"""`scrapy show ID`: a stored item to read in the terminal."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand, add_source


class Command(ProjectCommand):
    """Shows an item."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "<id> [--source NAME] [--json]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Show a stored item so that a person can read it"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Offer the form for machines."""
        super().add_options(parser)
        add_source(parser)
        parser.add_argument("--json", action="store_true", help="the item as one JSON object")
