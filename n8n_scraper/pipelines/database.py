"""Hand a good item to the archive."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self

from scrapy.exceptions import CloseSpider, DropItem

from n8n_scraper.extensions.archive import CrawlArchive, archive_of
from n8n_scraper.sources.n8n.item import Template

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class DatabasePipeline:
    """Store every template of a run; an item counts as scraped only after its commit.

    Settings: `DATABASE_URL`.
    """

    def __init__(self, archive: CrawlArchive, crawler: Crawler) -> None:
        self.archive = archive
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Share the archive of this crawl."""
        return cls(archive_of(crawler), crawler)

    async def process_item(self, item: object) -> object:
        """Store templates that the run has claimed; pass these on as stored, others as they are."""
        if isinstance(item, Template) and self.archive.is_under_way(item.workflow_id):
            try:
                return await self.archive.store(item)
            except CloseSpider as lost:
                self.archive.stop(lost.reason)
                raise DropItem(f"{item.workflow_id} could not be stored") from None
        return item
