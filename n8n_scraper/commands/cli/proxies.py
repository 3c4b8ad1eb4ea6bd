"""`scrapy proxies list|check|rotator`: which proxies there are, and how they do."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Shows and tries the proxies."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "list | check | rotator [--json]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Show the proxies and how they did, or try each of them now"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Let a machine read."""
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="one JSON document")
