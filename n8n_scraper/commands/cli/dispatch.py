"""`scrapy dispatch`: hand a crawl to workers."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Hands the work of a run to Celery's workers."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "<spider> | --all  [-a NAME=VALUE] [--workers N] [--wait]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Hand a crawl to workers, in chunks"

    def long_desc(self) -> str:
        """What is handed out."""
        return (
            "Enters a run, and hands out as many chunks of it as there are items for. "
            "`-a run=ID` hands out what is left of a run that is there."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Let a person say what, how widely, and whether to wait."""
        super().add_options(parser)
        parser.add_argument(
            "-a",
            dest="spargs",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="an argument of the spider, as of scrapy crawl (may be repeated)",
        )
        parser.add_argument("--all", action="store_true", help="every source, a run for each")
        parser.add_argument("--workers", metavar="N", help="at most so many at work at once")
        parser.add_argument("--wait", action="store_true", help="end with the run, as a crawl does")
        parser.add_argument(
            "--unless-under-way",
            action="store_true",
            help="do nothing where the spider has a run that is not through",
        )
