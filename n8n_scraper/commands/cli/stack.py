"""`scrapy stack up|status|down`: what many workers need, started, told and stopped."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Starts and stops Redis, worker and beat, and looks after what else is needed."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "up | status [--json] | down"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Start what many workers need, show it, or stop it again"

    def long_desc(self) -> str:
        """What is started and what is not."""
        return (
            "`up` starts what is needed and not healthy, in order; `down` stops what `up` has "
            "started, in reverse, and nothing else."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Let a machine read."""
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="status: one JSON document")
