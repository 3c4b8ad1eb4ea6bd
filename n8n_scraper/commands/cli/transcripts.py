"""`scrapy transcripts`: fetch what videos say, as far as it is still missing, at any time."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Asks the video host for every video that is still pending."""

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Fetch the transcripts of the items' videos that are still missing"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Its own options."""
        super().add_options(parser)
        parser.add_argument("--limit", metavar="N", help="ask for N videos at most")
        parser.add_argument(
            "--retry-failed", action="store_true", help="also those that failed five times"
        )
        parser.add_argument("--json", action="store_true", help="say it as JSON")
