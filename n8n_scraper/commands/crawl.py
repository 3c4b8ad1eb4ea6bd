"""`scrapy crawl`: Scrapy's own, with its input checked and a truthful exit status."""

from __future__ import annotations

import argparse

from scrapy.commands.crawl import Command as CrawlCommand
from scrapy.exceptions import UsageError
from scrapy.spiderloader import get_spider_loader

from n8n_scraper.asking import ask
from n8n_scraper.checks import check_settings
from n8n_scraper.console import refuse, warn
from n8n_scraper.errors import BadInput
from n8n_scraper.jobdir import InUse, JobDirectory
from n8n_scraper.policies.ending import ExitStatus
from n8n_scraper.storage import ledger
from n8n_scraper.storage.database import is_there


class Command(CrawlCommand):
    """Runs a spider of this project."""

    job: JobDirectory | None = None  # its lock lasts as long as this object

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Refuse what makes no sense in one line, before anything is set up for it."""
        super().process_options(args, opts)
        if len(args) != 1:
            raise UsageError("name one spider, as in: scrapy crawl workflows", print_help=False)
        assert self.settings is not None
        try:
            spider = get_spider_loader(self.settings).load(args[0])
        except KeyError:
            refuse(f"there is no spider {args[0]!r}; `scrapy list` names them.")
        try:
            check_settings(self.settings)
            if check := getattr(spider, "check_arguments", None):
                check(opts.spargs)
            if self.settings["JOBDIR"]:
                self.job = JobDirectory(self.settings["JOBDIR"])
                self._lock(self.job)
        except BadInput as error:
            refuse(error)

    def _lock(self, job: JobDirectory) -> None:
        """Take the directory, also from a process that has not shown a sign of life for long."""
        try:
            job.lock()
        except InUse:
            run_id = job.run_id()
            assert self.settings is not None
            if run_id is None or not is_there(self.settings["DATABASE_URL"]):
                raise
            name = ledger.owner_name()
            if not ask(self.settings, lambda session: ledger.take_over(session, run_id, name)):
                raise
            job.take_over()

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Crawl, and end with the status that the run deserves."""
        assert self.crawler_process is not None
        crawler = self._create_crawler(args[0])
        self.crawler_process.crawl(crawler, **opts.spargs)
        self.crawler_process.start()
        if self.crawler_process.bootstrap_failed:
            self.exitcode = ExitStatus.BROKEN
        elif crawler.stats.get_value("finish_reason") is None:
            # A second signal: nobody had the time to judge how it ended.
            warn("left at once; the same command goes on with what is left.")
            self.exitcode = ExitStatus.WORK_LEFT
        else:
            self.exitcode = crawler.stats.get_value("exit_status", ExitStatus.BROKEN)
