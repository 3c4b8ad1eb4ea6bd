"""Hand a good item to the worker, which stores it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self

from n8n_scraper.core.item import Item
from n8n_scraper.crawl.indexing import Indexing, indexing_of
from n8n_scraper.crawl.sourced import source_of_crawl
from n8n_scraper.crawl.store import CrawlStore, store_of
from n8n_scraper.crawl.working import NotStored, worker_of
from n8n_scraper.ledger.worker import Worker
from n8n_scraper.records import items

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from n8n_scraper.core.source import Source

logger = logging.getLogger(__name__)


class DatabasePipeline:
    """Store every item of a run; an item counts as scraped only after its commit.

    Settings: `DATABASE_URL`.
    """

    def __init__(
        self,
        source: Source | None,
        worker: Worker,
        store: CrawlStore,
        indexing: Indexing | None,
    ) -> None:
        self.source = source
        self.worker = worker
        self.store = store
        self.indexing = indexing

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Share the worker of this crawl."""
        return cls(
            *(source_of_crawl(crawler), worker_of(crawler), store_of(crawler)),
            indexing_of(crawler),
        )

    async def process_item(self, item: object) -> object:
        """Store items that the run has claimed; pass these on as stored, others as they are."""
        source = self.source
        if source is None or not isinstance(item, Item):
            return item
        item_id = str(source.id_of(item))
        if not self.worker.is_under_way(item_id) and not self.worker.has_lost(item_id):
            return item
        stored = await self.store.unless_lost(
            self.worker.save(
                item_id,
                lambda session, answers, written: items.save(
                    session, source, item, answers, written
                ),
            )
        )
        if stored is None:
            raise NotStored(f"{item_id} could not be stored")
        if self.indexing is not None:
            self.indexing.take(item_id, stored.found_by)
        return stored.item
