"""`scrapy reread`: read the stored answers anew with today's readers, without a request."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand, add_source


class Command(ProjectCommand):
    """Lets an improved reader reach what was collected before."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "[-a ids=ID,ID | -a since=DAY|SPAN] [--source NAME] [--dry-run] [--json]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Read the stored answers anew with today's readers and checks, without a request"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Take which items, and whether only to look."""
        super().add_options(parser)
        parser.add_argument(
            *("-a", "--argument"),
            dest="arguments",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="ids=ID,ID: these; since=DAY or SPAN (7d): scraped then (UTC) or later",
        )
        add_source(parser)
        parser.add_argument("--dry-run", action="store_true", help="only show what would change")
        parser.add_argument("--json", action="store_true", help="one JSON object for machines")
