"""`scrapy demo`: the real spider at the real pace against a local stand-in of n8n.io."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand

_TEMPLATES = 70  # three requests each at 2 a second: a little under two minutes


class Command(ProjectCommand):
    """Shows a whole crawl to somebody who has just arrived."""

    work = "n8n_scraper.sources.n8n.commands.demo"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Crawl a local stand-in of n8n.io at the real pace, and show what comes of it"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Let a person choose how long it takes."""
        super().add_options(parser)
        parser.add_argument("--templates", default=str(_TEMPLATES), help="how many (default 70)")
