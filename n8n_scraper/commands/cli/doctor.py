"""`scrapy doctor`: what is wrong, and what to do about it."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand, add_source


class Command(ProjectCommand):
    """Looks at everything, and changes nothing."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "[--source NAME] [--json]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Find what is wrong: database, network, clock, settings, versions, runs"

    def long_desc(self) -> str:
        """What it asks, and how it ends."""
        return (
            "One line for each thing: ok, warn or bad, and what to do. The site is asked for "
            "its robots.txt and nothing else, once a host. The exit status is 1 if anything is bad."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Let a machine read."""
        super().add_options(parser)
        add_source(parser)
        parser.add_argument("--json", action="store_true", help="one JSON document")
