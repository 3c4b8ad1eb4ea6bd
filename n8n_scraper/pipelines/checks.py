"""Compute what follows from an item: verdicts, findings, its score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from n8n_scraper.core.computing import compute, switched_off
from n8n_scraper.crawl.sourced import kind_of_crawl

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from n8n_scraper.core.source import ItemKind


class ChecksPipeline:
    """Give every item the fields that are computed of its kind, where it has none yet.

    Settings: `REDACT`. Stats: those that the kind names, such as `secrets/templates`.
    """

    def __init__(self, kind: ItemKind[Any] | None, crawler: Crawler) -> None:
        self.kind = kind
        self.crawler = crawler
        self.off = switched_off(kind.computed, crawler.settings) if kind else frozenset[str]()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take from the settings what is wanted of the crawl's kind of items."""
        return cls(kind_of_crawl(crawler), crawler)

    def process_item(self, item: Any) -> object:
        """Check items of the crawl's kind, and let others pass."""
        if self.kind and isinstance(item, self.kind.item):
            compute(self.kind.computed, item, off=self.off)
            self._count(self.kind, item)
        return item

    def _count(self, kind: ItemKind[Any], item: Any) -> None:
        for one in kind.computed:
            if one.stat and getattr(item, one.field) and self.crawler.stats:
                self.crawler.stats.inc_value(one.stat)
