"""`scrapy report`: how crawls and archive stand, in one file for a mail or an artifact."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Writes a report."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "-o FILE [RUN]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Write how crawls and archive stand into one HTML file"

    def long_desc(self) -> str:
        """What is in it, and what it needs to be looked at."""
        return (
            "Without RUN it is about the archive and the newest run. The file needs nothing "
            "else: no server, no network, no script."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Let a person say where to."""
        super().add_options(parser)
        parser.add_argument("-o", "--output", metavar="FILE", help="the file to write; - is a pipe")
