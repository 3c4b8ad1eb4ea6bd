"""Enter a run of a site in the ledger, as its spider would have it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scrapy.settings import BaseSettings
from scrapy.spiderloader import get_spider_loader

from n8n_scraper.ledger import sites
from n8n_scraper.ledger.admission import admit
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import NewRun
from n8n_scraper.policies.run.chunks import TOLD
from n8n_scraper.policies.run.run_settings import RunSettings
from n8n_scraper.reports.sites import runs_of
from n8n_scraper.sources import source_of
from n8n_scraper.sources_file.entry import Entry
from n8n_scraper.sources_file.told import arguments_of, settings_of


class SiteEntrance:
    """Where runs of sites are entered, by whoever begins them."""

    def __init__(self, settings: BaseSettings, database: Database) -> None:
        self._settings = settings
        self._database = database
        self._loader = get_spider_loader(settings)

    def enter(self, entry: Entry, kept: Mapping[str, Any]) -> tuple[str, bool]:
        """Give the run that was entered; where one is under way, that one and False.

        What is `kept` stands with the run. Raise BadInput where the crawl would be refused.
        """
        source = source_of(entry.kind)
        arguments, told = arguments_of(entry, source), settings_of(entry, source)
        settings = self._settings.copy()
        settings.setdict(told, priority="cmdline")
        spider: Any = self._loader.load(source.spider)
        spider.check_arguments(arguments)
        new: NewRun = spider.new_run(settings, arguments)
        new = replace(new, settings={**new.settings, **kept, **({TOLD: told} if told else {})})
        other_site = RunSettings.from_settings(settings).other_site
        name, site = self._database.name, runs_of(entry)

        def enter(session: Any) -> tuple[str, bool]:
            admit(session, new, None, name, other_site=other_site)
            return sites.begin(session, new, site)

        return self._database.do(enter)
