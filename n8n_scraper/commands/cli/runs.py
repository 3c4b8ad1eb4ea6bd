"""`scrapy runs list|show|items|retry-failed`: what every crawl did, for people and machines."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand, add_source


class Command(ProjectCommand):
    """Shows runs and their items, and gives failed items another chance."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "list | show <run> | items <run> | retry-failed <run>"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Show what crawls did, item by item, or try again what failed"

    def long_desc(self) -> str:
        """How a run is named."""
        return "A run is named in full, by an unambiguous beginning of its name, or as `last`."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Let a machine read, and a person choose."""
        super().add_options(parser)
        add_source(parser)
        parser.add_argument("--json", action="store_true", help="write JSON")
        parser.add_argument("--state", help="items: only those in this state")
        parser.add_argument("--outcome", help="items: only those with this outcome")
        parser.add_argument("--limit", help="items: no more than so many")
