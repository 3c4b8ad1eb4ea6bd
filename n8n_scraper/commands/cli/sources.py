"""`scrapy sources list|show|validate|run`: the sites of the sources file."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Shows the sites, checks their file, and crawls them."""

    def syntax(self) -> str:
        """What may follow the command."""
        return (
            "list | show NAME | validate [FILE] | "
            "run [--priority N] [--only NAME]… [--due] [--max-concurrent N]"
        )

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Show the sites of the sources file, check it, or crawl them"

    def long_desc(self) -> str:
        """What a round is."""
        return (
            "`run` crawls each site in a process of its own, the most urgent first; one that fails "
            "leaves the others alone, and one that is crawled already is left out."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Let a person say which sites, and how many at once."""
        super().add_options(parser)
        parser.add_argument("--priority", metavar="N", help="the sites of this priority: 1, 2 or 3")
        parser.add_argument(
            "--only", metavar="NAME", action="append", default=[], help="run: this site (repeat)"
        )
        parser.add_argument(
            "--due", action="store_true", help="run: those whose time has come by their schedule"
        )
        parser.add_argument(
            "--max-concurrent", metavar="N", help="run: so many at once (default: 3)"
        )
        parser.add_argument(
            "--logs", metavar="FOLDER", help="run: what each crawl says goes into a file there"
        )
        parser.add_argument("--json", action="store_true", help="one JSON document")
