"""`scrapy crawl`: Scrapy's own, with its input checked and a truthful exit status."""

from __future__ import annotations

import argparse

from scrapy.commands.crawl import Command as CrawlCommand

from n8n_scraper.core.late import importing


class Command(CrawlCommand):
    """Runs a spider of this project."""

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Refuse what makes no sense in one line, before anything is set up for it."""
        with importing():
            from n8n_scraper.commands.crawl import prepare

        super().process_options(args, opts)
        assert self.settings is not None
        self.job = prepare(self.settings, args, opts)  # its lock lasts as long as this object

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Crawl, and end with the status that the run deserves."""
        from n8n_scraper.commands.crawl import run
        from n8n_scraper.crawl.scrapy_internals import crawler_for

        assert self.crawler_process is not None
        crawler = crawler_for(self, args[0])
        self.exitcode = run(self.crawler_process, crawler, opts)
