"""Look for secrets in each template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from n8n_scraper.items import Template
from n8n_scraper.policies.computed import is_silent
from n8n_scraper.policies.secrets import Redaction, find_secrets

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class SecretsPipeline:
    """Note kind, place and count of each secret; the values stay where they are.

    Settings: `N8N_REDACT`. Stats: `secrets/templates`.
    """

    def __init__(self, redaction: Redaction, crawler: Crawler) -> None:
        self.redaction = redaction
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take what is wanted from the settings."""
        return cls(Redaction(crawler.settings["N8N_REDACT"]), crawler)

    def process_item(self, item: object) -> object:
        """Look through templates, and let items of other kinds pass."""
        if not isinstance(item, Template):
            return item
        if self.redaction is Redaction.OFF:
            item.unobserved = {**item.unobserved, "secrets": "not looked for: N8N_REDACT is off"}
        elif is_silent(item):
            item.unobserved = {**item.unobserved, "secrets": "there is nothing to look through"}
        else:
            item.observe("secrets", find_secrets(item), "computed")
            if item.secrets and self.crawler.stats:
                self.crawler.stats.inc_value("secrets/templates")
        return item
