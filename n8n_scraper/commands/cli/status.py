"""`scrapy status`: how a crawl stands, from any other terminal, while it runs and after."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand, add_source

REFRESH_SECONDS = "2"


class Command(ProjectCommand):
    """Shows where a run stands."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "[--watch [SECONDS]] [--source NAME] [--json] [RUN]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Show how the newest crawl stands, or another one"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Let a person watch, and a machine read."""
        super().add_options(parser)
        add_source(parser)
        parser.add_argument(
            *("--watch", "-w"),
            nargs="?",
            const=REFRESH_SECONDS,
            metavar="SECONDS",
            help="look again so often (default 2), until it ends or until Ctrl-C",
        )
        parser.add_argument("--json", action="store_true", help="one JSON document a look")
