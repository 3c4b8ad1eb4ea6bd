"""`scrapy version`: Scrapy's own, which also names the project's."""

from __future__ import annotations

import argparse

from scrapy.commands.version import Command as VersionCommand

from n8n_scraper import __version__


class Command(VersionCommand):
    """Prints both versions, for whoever reports an error."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Name the project first; what Scrapy prints stays as it is."""
        from n8n_scraper.core.console import say

        say(f"n8n-scraper {__version__}")
        super().run(args, opts)
