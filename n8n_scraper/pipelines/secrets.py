"""Look for secrets in each template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from n8n_scraper.policies.safety.redaction import Redaction, RedactionSettings
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.rules.computed import SWITCHED_OFF, is_due, look_for_secrets

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class SecretsPipeline:
    """Note kind, place and count of each secret; the values stay where they are.

    Settings: `REDACT`. Stats: `secrets/templates`.
    """

    def __init__(self, redaction: Redaction, crawler: Crawler) -> None:
        self.redaction = redaction
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take what is wanted from the settings."""
        return cls(RedactionSettings.from_settings(crawler.settings).redaction, crawler)

    def process_item(self, item: object) -> object:
        """Look through templates, and let items of other kinds pass."""
        if isinstance(item, Template):
            if is_due(item, "secrets"):
                if self.redaction is Redaction.OFF:
                    item.leave_out("secrets", SWITCHED_OFF)
                else:
                    look_for_secrets(item)
            if item.secrets and self.crawler.stats:
                self.crawler.stats.inc_value("secrets/templates")
        return item
