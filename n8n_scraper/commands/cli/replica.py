"""`scrapy replica`: an invented source, such as n8n.io, on a local port until Ctrl-C."""

from __future__ import annotations

import argparse

from n8n_scraper.commands.base import ProjectCommand, add_source
from n8n_scraper.sources import all_sources


class Command(ProjectCommand):
    """Serves the stand-in of a source."""

    requires_project = False

    def syntax(self) -> str:
        """What may follow the command."""
        return "[options]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Run a local stand-in of n8n.io, or of another source"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Take the options that the stand-in has wherever it is started from."""
        from n8n_scraper.testing.replica.cli import add_arguments, add_size

        super().add_options(parser)
        add_source(parser)
        add_arguments(parser)
        for many in dict.fromkeys(source.noun.many for source in all_sources()):
            add_size(parser, many)
