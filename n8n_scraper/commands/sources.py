"""`scrapy sources list|show|validate|run`: the sites of the sources file."""

from __future__ import annotations

import argparse
import json
from importlib.resources.abc import Traversable
from pathlib import Path

from scrapy.settings import BaseSettings

from n8n_scraper.commands.how_many import how_many
from n8n_scraper.commands.shared_pace import domains_in_redis
from n8n_scraper.commands.site_round import SiteRound
from n8n_scraper.commands.site_words import entry_lines, list_lines
from n8n_scraper.commands.words import tool_lines
from n8n_scraper.core.console import refuse, say, warn
from n8n_scraper.core.errors import BadInput, StoreError
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.crawl.checks import check_settings
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.database_settings import DatabaseSettings
from n8n_scraper.reports.sites import site_reports, site_tools
from n8n_scraper.rounds.site_crawl import SiteCrawls
from n8n_scraper.sources_file.entry import Entry
from n8n_scraper.sources_file.reading import read_sources
from n8n_scraper.sources_file.sources import Sources
from n8n_scraper.sources_file.sources_file_settings import SourcesFileSettings

_USAGE = "write: scrapy sources list, show NAME, validate [FILE], or run"
_AT_ONCE = 3


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> ExitStatus:
    """Do what was asked."""
    try:
        match args:
            case ["list"]:
                return _list(settings, opts)
            case ["show", name]:
                return _show(settings, name, as_json=opts.json)
            case ["validate"]:
                return _validate(SourcesFileSettings.from_settings(settings).path)
            case ["validate", path]:
                return _validate(Path(path))
            case ["run"]:
                return _run(settings, opts)
            case _:
                refuse(_USAGE)
    except BadInput as error:
        refuse(error)
    except StoreError as error:
        warn(error)
        return ExitStatus.STORE_LOST


def _list(settings: BaseSettings, opts: argparse.Namespace) -> ExitStatus:
    entries = _read(settings).of_priority(_priority(opts.priority))
    with _Archive(settings) as database:
        sites = site_reports(database, entries, domains_in_redis(settings))
    if opts.json:
        say(json.dumps([one.as_json() for one in sites], ensure_ascii=False))
    else:
        for line in list_lines(sites):
            say(line)
    return ExitStatus.DONE


def _show(settings: BaseSettings, name: str, *, as_json: bool) -> ExitStatus:
    entry = _read(settings).named(name)
    with _Archive(settings) as database:
        [site] = site_reports(database, [entry], domains_in_redis(settings))
        tools = site_tools(database, entry)
    if as_json:
        more = {"entry": entry.model_dump(mode="json"), "tools": [one.as_json() for one in tools]}
        say(json.dumps(site.as_json() | more, ensure_ascii=False))
    else:
        for line in (*entry_lines(site), *tool_lines(tools)):
            say(line)
    return ExitStatus.DONE


def _validate(path: Traversable) -> ExitStatus:
    sources = read_sources(path)
    number = len(sources)
    say(f"{sources.file}: {number} {'site is' if number == 1 else 'sites are'} in order.")
    return ExitStatus.DONE


def _run(settings: BaseSettings, opts: argparse.Namespace) -> ExitStatus:
    at_once = how_many("--max-concurrent", opts.max_concurrent, example=_AT_ONCE) or _AT_ONCE
    logs = _folder(opts.logs)
    entries = _chosen(_read(settings), opts)
    check_settings(settings)
    with _Archive(settings) as database:
        database.open()
        crawls = SiteCrawls(settings, database, logs)
        sites = site_reports(database, entries, domains_in_redis(settings))
        return SiteRound(crawls, opts).go(sites, at_once)


class _Archive:
    """The database that the settings name, for as long as the block lasts."""

    def __init__(self, settings: BaseSettings) -> None:
        place = DatabaseSettings.from_settings(settings)
        self._database = Database(place.url, patience_seconds=place.patience_seconds)

    def __enter__(self) -> Database:
        return self._database

    def __exit__(self, *_: object) -> None:
        self._database.close()


def _read(settings: BaseSettings) -> Sources:
    return read_sources(SourcesFileSettings.from_settings(settings).path)


def _chosen(sources: Sources, opts: argparse.Namespace) -> tuple[Entry, ...]:
    priority = _priority(opts.priority)
    if not opts.only:
        return sources.of_priority(priority)
    if priority is not None:
        raise BadInput("--only names its sites: leave --priority out.")
    return tuple(sorted(sources.only(opts.only), key=lambda one: one.priority))


def _priority(typed: str | None) -> int | None:
    if typed is None:
        return None
    if typed not in ("1", "2", "3"):
        raise BadInput(f"--priority {typed}: write 1, 2 or 3.")
    return int(typed)


def _folder(typed: str | None) -> Path | None:
    if typed is None:
        return None
    folder = Path(typed)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"--logs {typed}: no folder can be made there: {error.strerror}.") from None
    return folder
