"""`scrapy etl status|send`: what a server elsewhere was told of our runs, and what is left."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Shows and sends what is to be told to the server of ETL_API_ENDPOINT."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "status [--json] | send [--again] [--json]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Show what your server was told of the runs, or send what is left"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Let a machine read, and a person insist."""
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="one JSON document")
        parser.add_argument(
            "--again", action="store_true", help="send: also what was given up, without waiting"
        )
