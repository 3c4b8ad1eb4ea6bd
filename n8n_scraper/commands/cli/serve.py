"""`scrapy serve`: the archive and its crawls, looked at by a browser and by programs."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Serves pages until Ctrl-C."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "[--host ADDRESS] [--port NUMBER]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Show crawls and archive to a browser, until Ctrl-C"

    def long_desc(self) -> str:
        """What it does beside a crawl, and what it needs where others can reach it."""
        return (
            "It may run for days beside crawls of the same database. At any address but "
            "127.0.0.1 it needs SERVE_TOKEN, which also whatever changes something needs."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Let a person say where."""
        super().add_options(parser)
        parser.add_argument("--host", metavar="ADDRESS", help="where to answer (SERVE_HOST)")
        parser.add_argument("--port", metavar="NUMBER", help="on which port (SERVE_PORT); 0: any")
