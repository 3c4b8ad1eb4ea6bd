"""`scrapy changes --since …`: what has happened since a day, for a span of time, or since a run."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand, add_source

SINCE = "a day in UTC such as 2026-11-01, 3d (or 12h, 30m, 2w), or a run's id"


class Command(ProjectCommand):
    """Shows the events of the archive's history."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "--since DAY|SPAN|RUN_ID [--kind KIND] [--source NAME] [--json]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Show which items are new, changed, renamed, removed or back"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Take from when on, and what kinds of events."""
        from n8n_scraper.records.history import EventKind

        super().add_options(parser)
        add_source(parser)
        parser.add_argument("--since", metavar="WHEN", help=SINCE)
        parser.add_argument("--kind", action="append", default=[], help=", ".join(EventKind))
        parser.add_argument("--json", action="store_true", help="one JSON object a line")
