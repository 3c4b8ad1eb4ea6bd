"""Write feeds, without secrets where that is wanted, and say when one could not be written."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy import Spider
from scrapy.extensions.feedexport import FeedSlot

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.scrapy_internals import FeedExporterWithAnEnd
from n8n_scraper.crawl.sourced import kind_of_crawl
from n8n_scraper.exports.redactor import redactor
from n8n_scraper.policies.safety.redaction import RedactionSettings

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

FEED_LOST = "feedexport/lost"
"""Stat: how many items or feeds could not be written."""


class TruthfulFeedExporter(FeedExporterWithAnEnd):
    """Scrapy's exporter, which counts what it could not write; Scrapy's own only logs it.

    Settings: `REDACT`, Scrapy's `FEEDS`. Stats: `feedexport/lost`.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._redaction = RedactionSettings.from_settings(crawler.settings).redaction

    def open_spider(self, spider: Spider) -> None:
        """Open every feed."""
        try:
            super().open_spider(spider)
        except OSError as error:
            self._lose("A feed cannot be opened", error)

    def item_scraped(self, item: Any, spider: Spider) -> None:
        """Write an item to every feed; nobody else's item is redacted by it."""
        try:
            super().item_scraped(self._leaving(item), spider)
        except Exception as error:  # noqa: BLE001 - whatever it is, the feed has lost an item
            self._lose("A feed cannot be written", error)

    def _leaving(self, item: Any) -> Any:
        kind = kind_of_crawl(self.crawler)
        if kind is None or not isinstance(item, kind.item):
            return item
        return redactor(self._redaction, kind.kept)(item)

    async def end_feed(self, slot: FeedSlot, spider: Spider) -> None:
        """End a feed; what was kept back until now may still meet a full disk."""
        try:
            await super().end_feed(slot, spider)
        except Exception as error:  # noqa: BLE001 - nobody else would hear of it
            self._lose("A feed cannot be finished", error)

    def _lose(self, what: str, error: Exception) -> None:
        """Count a loss, and tell the first: in one line, unless the error is one of our own."""
        if not self.crawler.stats.get_value(FEED_LOST):
            is_explained = isinstance(error, OSError | BadInput)
            logger.error("%s: %s", what, error, exc_info=None if is_explained else error)
        self.crawler.stats.inc_value(FEED_LOST)


def is_feed_lost(crawler: Crawler) -> bool:
    """Whether anything could not be written to a feed, by our count or by Scrapy's."""
    stats = crawler.stats.get_stats()
    return any(one == FEED_LOST or "feedexport/failed" in one for one in stats)


def replaced_feed(settings: BaseSettings) -> str:
    """Name the first feed that the next crawl of the same command begins anew, if there is one."""
    feeds = settings.getdict("FEEDS").items()
    return next((str(uri) for uri, options in feeds if options.get("overwrite")), "")
