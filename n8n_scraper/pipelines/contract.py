"""Refuse an item that breaks the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from scrapy.exceptions import DropItem

from n8n_scraper.crawl.sourced import source_of_crawl

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from n8n_scraper.core.source import Source


class InvalidItem(DropItem):
    """The item breaks the contract: a fault of ours, so it ends as invalid."""


class ContractPipeline:
    """Pass on what keeps every promise of its kind; name the broken ones otherwise."""

    def __init__(self, source: Source | None) -> None:
        self.source = source
        self.kind = source.kind() if source else None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Judge the items of the crawl's source."""
        return cls(source_of_crawl(crawler))

    def process_item(self, item: Any) -> object:
        """Judge items of the source, and let others pass."""
        if self.source is None or self.kind is None or not isinstance(item, self.kind.item):
            return item
        if broken := self.kind.promises(item):
            words = f"{self.source.id_of(item)}: {'; '.join(broken)}"
            raise InvalidItem(words, log_level="ERROR")
        return item
