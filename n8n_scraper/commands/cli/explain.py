"""`scrapy explain URL|ID`: all that the archive knows of one item, and what would be asked next."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand, add_source


class Command(ProjectCommand):
    """Tells why an item is as it is, and asks nothing of its site."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "<url|id> [--source NAME] [--json]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Say all that is known of an item: answers, runs, why each field is what it is"

    def long_desc(self) -> str:
        """What comes at its end."""
        return (
            "Each answer with status and time, what the runs did about it, where each field was "
            "read or why it has no value, what would be asked next and when the pace allows it. "
            "Nothing is asked of the site."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Offer the form for machines."""
        super().add_options(parser)
        add_source(parser)
        parser.add_argument("--json", action="store_true", help="one JSON object for machines")
