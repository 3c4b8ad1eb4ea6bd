"""`scrapy matches [ID]`: which items announce the same happening."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand, add_source


class Command(ProjectCommand):
    """Shows the groups of all, or what matches one item."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "[<id>] [--source NAME] [--json] | --rebuild"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Show which items announce the same happening, and by what evidence"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Take what is to be shown, or that all is to be compared anew."""
        super().add_options(parser)
        add_source(parser)
        parser.add_argument(
            "--json",
            action="store_true",
            help="for machines: one JSON object a group, or of the item",
        )
        parser.add_argument(
            "--rebuild",
            action="store_true",
            help="compare the items of all sources anew, as for an archive of an earlier version",
        )
