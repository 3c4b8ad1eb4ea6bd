"""`scrapy alerts check|list|test`: is something wrong, who is told of it, and does that work."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Looks whether something is wrong, and tells the addresses of ALERT_URLS."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "check | list | test [--json]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Look whether something is wrong and tell it, show it, or try who is told"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Let a machine read."""
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="one JSON document")
