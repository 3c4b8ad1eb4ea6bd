"""`scrapy preflight`: is everything there that work needs, and how to get what is not."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Looks at everything, and starts nothing."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "[--json]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Say what is healthy, what is missing, what that prevents and how to get it"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Let a machine read."""
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="one JSON document")
