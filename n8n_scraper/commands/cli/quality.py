"""`scrapy quality <id>`: why a template has the score it has."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Explains a score."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "<id> [--json]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Say why a template has its quality score, rule by rule"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Offer the form for machines."""
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="one JSON object for machines")
