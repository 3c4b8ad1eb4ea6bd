"""Runs the stand-in of n8n.io: ``scrapy replica``."""

import argparse
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand


class Command(ScrapyCommand):
    """Serve an invented n8n.io on a local port until Ctrl-C."""

    requires_project = False
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Show how the command is written."""
        return "[options]"

    def short_desc(self) -> str:
        """Describe the command in the list of commands."""
        return "Run a local stand-in of n8n.io"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of the stand-in to those of every command."""
        # Imported late: Scrapy loads this module for every command, and aiohttp takes its time.
        from n8n_scraper.replica.cli import add_arguments

        super().add_options(parser)
        add_arguments(parser)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Serve until stopped; refuse what is not an option."""
        from n8n_scraper.replica.cli import complain, serve_until_stopped

        unknown = f"unknown argument: {' '.join(args)}"
        self.exitcode = complain(unknown) if args else serve_until_stopped(opts)
