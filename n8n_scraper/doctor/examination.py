"""Look at everything once, one thing after another, and let nothing that breaks end the look."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial

from scrapy.settings import BaseSettings

from n8n_scraper.core.errors import BadInput, NoArchive, StoreError
from n8n_scraper.core.source import Source
from n8n_scraper.crawl.checks import check_settings
from n8n_scraper.crawl.introduction import Introduction
from n8n_scraper.doctor import database, installed, jobs, services, site
from n8n_scraper.doctor.finding import Finding, bad, ok
from n8n_scraper.doctor.judging import of_contact
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.database_settings import DatabaseSettings
from n8n_scraper.ledger.domains import load
from n8n_scraper.reports.domains import Domains
from n8n_scraper.reports.runs import RunReport, run_reports, sources_of_runs
from n8n_scraper.sources import all_sources

_RUNS_LOOKED_AT = 20


def examine(
    settings: BaseSettings, source: Source | None, elsewhere: Callable[[], Domains]
) -> Iterator[Finding]:
    """Give each finding as soon as it is there; `elsewhere` says how domains stand in Redis."""
    yield from _whole("versions", installed.look)
    yield from _whole("settings", partial(_settings, settings))
    yield from _whole("contact", partial(_contact, settings))
    yield from _whole("database", lambda: database.look(DatabaseSettings.from_settings(settings)))
    yield from _whole("services", partial(services.look, settings))
    runs, names, states = _from_archive(settings)
    for one in [source] if source else [one for one in all_sources() if one.name in names]:
        yield from _whole("network", partial(_site, settings, one, states, elsewhere))
    yield from _whole("jobdir", lambda: jobs.look(runs, settings["JOBDIR"] or ""))


def _whole(name: str, look: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """Give what a look finds; where it breaks, that is what was found."""
    try:
        yield from look()
    except (BadInput, StoreError) as error:
        yield bad(name, str(error).rstrip("."))
    except Exception as error:  # noqa: BLE001 - whatever it is, the rest is worth a look
        yield bad(name, f"it could not be looked at: {error!r}", "report this")


def _settings(settings: BaseSettings) -> Iterator[Finding]:
    check_settings(settings)
    yield ok("settings", "each makes sense, and what they need is there")


def _contact(settings: BaseSettings) -> Iterator[Finding]:
    told = Introduction.from_settings(settings)
    yield of_contact(told.user_agent, is_anonymous=told.is_anonymous)


def _from_archive(settings: BaseSettings) -> tuple[list[RunReport], list[str], Domains]:
    """Give the newest runs, the sources that were crawled, and how domains stand.

    Where there is no archive, or none that can be read, it is the first source that counts.
    """
    try:
        url = DatabaseSettings.from_settings(settings).url
        with closing(Database(url, patience_seconds=0, look_seconds=database.LOOK_SECONDS)) as here:
            runs = run_reports(here, most=_RUNS_LOOKED_AT)
            return runs, sources_of_runs(here) or _first(), here.look(load)
    except (NoArchive, BadInput, StoreError):  # which the look at the database has told
        return [], _first(), {}


def _first() -> list[str]:
    return [all_sources()[0].name]


def _site(
    settings: BaseSettings, source: Source, states: Domains, elsewhere: Callable[[], Domains]
) -> Iterator[Finding]:
    return site.look(settings, source, {**states, **elsewhere()})
