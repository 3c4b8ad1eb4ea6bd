"""Write feeds, and say when one could not be written."""

from __future__ import annotations

import logging
from typing import Any

from scrapy import Spider
from scrapy.extensions.feedexport import FeedExporter

logger = logging.getLogger(__name__)

FEED_LOST = "feedexport/lost"
"""Stat: how many items or feeds could not be written."""


class TruthfulFeedExporter(FeedExporter):
    """Scrapy's exporter, which counts what it could not write; Scrapy's own only logs it."""

    def item_scraped(self, item: Any, spider: Spider) -> None:
        """Write an item to every feed."""
        try:
            super().item_scraped(item, spider)
        except OSError as error:
            if not self.crawler.stats.get_value(FEED_LOST):
                logger.error("A feed cannot be written: %s", error)
            self.crawler.stats.inc_value(FEED_LOST)

    def open_spider(self, spider: Spider) -> None:
        """Open every feed."""
        try:
            super().open_spider(spider)
        except OSError as error:
            logger.error("A feed cannot be opened: %s", error)
            self.crawler.stats.inc_value(FEED_LOST)
