"""`scrapy nodes update|show`: which node types n8n knows, and a newer table of them."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Shows and rebuilds the table of node types."""

    work = "n8n_scraper.sources.n8n.commands.nodes"

    def syntax(self) -> str:
        """What may follow the command."""
        return "show <type> | update [--n8n-version VERSION]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Show a node type of n8n, or rebuild the table of them from its packages"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Let a version of n8n be named."""
        super().add_options(parser)
        parser.add_argument("--n8n-version", metavar="VERSION", help="default: the latest")
