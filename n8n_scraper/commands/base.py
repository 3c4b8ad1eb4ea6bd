"""A command that is imported for every `scrapy …` and does its work elsewhere."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand

from n8n_scraper import settings as project
from n8n_scraper.core.console import refuse, warn
from n8n_scraper.core.environment import check_names, take_old_names
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.late import importing
from n8n_scraper.sources import all_sources


def add_source(parser: argparse.ArgumentParser) -> None:
    """Let a source be named."""
    names = " or ".join(source.name for source in all_sources())
    parser.add_argument("--source", metavar="NAME", help=f"of which source: {names}")


class ProjectCommand(ScrapyCommand):
    """Tells a command's words and options; its work is the namesake's `run` in this folder."""

    work: ClassVar[str] = ""
    """The module of its work, where that is in another folder."""
    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Import the work now that it is wanted, do it, and leave with the status that it gives."""
        assert self.settings is not None
        try:
            check_names(self.settings, project)
            for line in take_old_names(self.settings):
                warn(line)
        except BadInput as error:
            refuse(error)
        home = self.work or f"n8n_scraper.commands.{self.__module__.rpartition('.')[2]}"
        with importing():
            work = import_module(home)
        self.exitcode = work.run(self.settings, args, opts) or 0
