"""`scrapy crawl`: its input checked, its directory locked, its exit status told.

What is refused first costs least: the settings are read without the database, and the spider is
looked up without either.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from scrapy import Spider
from scrapy.crawler import Crawler, CrawlerProcessBase
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings
from scrapy.spiderloader import get_spider_loader

from n8n_scraper import settings as project
from n8n_scraper.core.console import refuse, warn
from n8n_scraper.core.environment import check_names, take_old_names
from n8n_scraper.core.errors import BadInput, ScrapyHasChanged
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.late import importing
from n8n_scraper.core.project_folder import place_jobdir
from n8n_scraper.core.started import as_started
from n8n_scraper.ledger.jobdir import InUse, JobDirectory
from n8n_scraper.sources import all_sources, known

if TYPE_CHECKING:
    from n8n_scraper.ledger.ledger import NewRun


def prepare(
    settings: BaseSettings, args: list[str], opts: argparse.Namespace
) -> JobDirectory | None:
    """Refuse what makes no sense in one line, and give the directory that the crawl has locked."""
    if len(args) != 1:
        extra = f"; {' '.join(args[1:])!r} means nothing behind it" if args else ""
        usual = all_sources()[0].spider
        raise UsageError(f"name one spider, as in: scrapy crawl {usual}{extra}", print_help=False)
    with importing():
        spider = _spider(settings, args[0])
        from n8n_scraper.crawl.checks import check_settings
        from n8n_scraper.crawl.scrapy_internals import check_internals

    try:
        check_internals()
        check_names(settings, project, further=spider.custom_settings or ())
        take_old_names(settings)  # the crawl says so, where its log is
        place_jobdir(settings)
        if tell := getattr(spider, "tell_settings", None):
            tell(settings, opts.spargs)
        check_settings(settings)
        if check := getattr(spider, "check_arguments", None):
            check(opts.spargs)
        new_run = getattr(spider, "new_run", None)
        if new_run and "run" in opts.spargs:
            _join(settings, new_run(settings, opts.spargs), opts)
            return None
        job = _locked(settings) if settings["JOBDIR"] else None
        with ExitStack() as refused:
            if job is not None:
                refused.callback(job.release)
            if new_run:
                _admit(settings, new_run(settings, opts.spargs), job)
            refused.pop_all()  # it was not
    except BadInput as error:
        refuse(error)
    except ScrapyHasChanged as error:
        warn(error)
        sys.exit(ExitStatus.BROKEN)
    return job


def _spider(settings: BaseSettings, name: str) -> type[Spider]:
    try:
        return get_spider_loader(settings).load(name)
    except KeyError:
        refuse(f"there is no spider {name!r}; `scrapy list` names them.")
    except ModuleNotFoundError as error:
        # Where a spider of somebody's imports what is not there, it is the way to it that helps.
        if not any(f"{one}.".startswith(f"{error.name}.") for one in _spider_modules(settings)):
            raise
        refuse(f"SPIDER_MODULES names {error.name!r}, and there is no such module.")


def _spider_modules(settings: BaseSettings) -> list[str]:
    return [str(one) for one in settings.getlist("SPIDER_MODULES")]


def _join(settings: BaseSettings, asked: NewRun, opts: argparse.Namespace) -> None:
    """Find the run that is to be worked on, and say which one it is from now on."""
    with importing():
        from n8n_scraper.commands.asking import look
        from n8n_scraper.ledger.joining import run_to_join

    if settings["JOBDIR"]:
        raise BadInput("-a run=… names the run and needs no JOBDIR: leave one of them out.")
    name = opts.spargs["run"]
    found = look(settings, lambda session: run_to_join(session, name, asked))
    opts.spargs["run"] = found.run_id
    if (source := known(asked.source)) and (of := source.division(found.arguments)):
        opts.spargs[of.field] = of.value  # it has to be known before the crawl is set up
        _spider(settings, asked.spider).tell_settings(settings, opts.spargs)  # type: ignore[attr-defined]


def _admit(settings: BaseSettings, new: NewRun, job: JobDirectory | None) -> None:
    """Open the database, and refuse a crawl that is not meant for it."""
    with importing():
        from n8n_scraper.commands.asking import Asking
        from n8n_scraper.ledger.address import is_there
        from n8n_scraper.ledger.admission import admit, check_home
        from n8n_scraper.ledger.database_settings import DatabaseSettings
        from n8n_scraper.policies.run.run_settings import RunSettings

    other_site = RunSettings.from_settings(settings).other_site
    place = DatabaseSettings.from_settings(settings)
    with Asking(settings, place.patience_seconds) as database:
        if job is not None and not is_there(place.url):
            check_home(job, database.name)  # nothing comes into being by a refusal
        database.open()
        database.look(
            lambda session: admit(session, new, job, database.name, other_site=other_site)
        )


def _locked(settings: BaseSettings) -> JobDirectory:
    """Take the directory, also from a process that has not shown a sign of life for long."""
    from n8n_scraper.commands.asking import ask
    from n8n_scraper.ledger.address import is_there
    from n8n_scraper.ledger.database_settings import DatabaseSettings
    from n8n_scraper.ledger.workers import take_directory

    job = JobDirectory(settings["JOBDIR"])
    try:
        job.lock()
    except InUse:
        run_id = job.run_id()
        if run_id is None or not is_there(DatabaseSettings.from_settings(settings).url):
            raise
        path = str(job.path.absolute())
        if not ask(settings, lambda session: take_directory(session, run_id, path)):
            raise
        job.take_over()
    return job


def _fork_early(crawler: Crawler) -> None:
    """Have a process to compute in before the crawl has threads, sockets and files of its own."""
    with importing():  # what both take is shared
        from n8n_scraper.crawl import finishing as finishing
        from n8n_scraper.crawl.compute.pool import compute_of
        from n8n_scraper.crawl.sourced import kind_of_crawl

        kind_of_crawl(crawler)
    compute_of(crawler).fork()


def run(process: CrawlerProcessBase, crawler: Crawler, opts: argparse.Namespace) -> ExitStatus:
    """Crawl, and give the status that the run deserves."""
    if getattr(crawler.spidercls, "keeps_the_archive", False):
        _fork_early(crawler)
    process.crawl(crawler, **opts.spargs)
    process.start()
    if process.bootstrap_failed:
        return ExitStatus.BROKEN
    assert crawler.stats is not None
    if crawler.stats.get_value("finish_reason") is None:
        # A second signal: there was no time to judge how it ended.
        warn(as_started(f"left at once; {_what_goes_on(crawler)} goes on."))
        return ExitStatus.WORK_LEFT
    status: ExitStatus = crawler.stats.get_value("exit_status", ExitStatus.BROKEN)
    return status


def _what_goes_on(crawler: Crawler) -> str:
    """Name what goes on with a crawl that had no time to say so."""
    if crawler.settings["JOBDIR"]:
        return "the same command"
    if not getattr(crawler.spidercls, "keeps_the_archive", False):
        return "without JOBDIR nothing"
    from n8n_scraper.crawl.working import worker_of

    run_id = worker_of(crawler).run_id
    return f"scrapy crawl {crawler.spidercls.name} -a run={run_id}" if run_id else "nothing"
