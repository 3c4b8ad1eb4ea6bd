"""Which source a command is about."""

from __future__ import annotations

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.runs import sources_of_runs
from n8n_scraper.sources import all_sources, source_of


def source_meant(database: Database, name: str | None) -> Source:
    """Give the one that is named; else the only one that was crawled here; else the first."""
    if name is not None:
        return source_of(name)
    here = sources_of_runs(database)
    crawled = [source for source in all_sources() if source.name in here]
    return crawled[0] if len(crawled) == 1 else all_sources()[0]
