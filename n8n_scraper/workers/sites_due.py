"""Hand out the runs of the sites whose time has come, by the sources file."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.site_runs import SiteEntrance
from n8n_scraper.policies.run.chunks import CHUNK_SIZE
from n8n_scraper.reports.domains import Domains
from n8n_scraper.reports.sites import site_reports

if TYPE_CHECKING:
    from n8n_scraper.ledger.database import Database
    from n8n_scraper.sources_file.sources import Sources
    from n8n_scraper.workers.dispatching import Dispatcher

logger = logging.getLogger(__name__)


def hand_out_due(
    sources: Sources,
    database: Database,
    entrance: SiteEntrance,
    dispatcher: Dispatcher,
    chunk_size: int,
    domains: Callable[[], Domains],
) -> Iterator[tuple[str, str]]:
    """Hand out each site that is due, the most urgent first; give its name and its run."""
    entries = sorted(sources.scheduled(), key=lambda one: one.priority)
    if not entries:
        return
    database.open()
    for site in site_reports(database, entries, domains()):
        if site.has_its_turn(time.time()):
            try:
                run_id, is_ours = entrance.enter(site.entry, {CHUNK_SIZE: chunk_size})
            except BadInput as error:
                logger.warning("%s is not crawled: %s", site.entry.name, error)
                continue
            if is_ours:
                dispatcher.hand_out(run_id)
                yield site.entry.name, run_id
