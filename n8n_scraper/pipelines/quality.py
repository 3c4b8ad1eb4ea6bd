"""Score an item."""

from __future__ import annotations

from n8n_scraper.items import Template
from n8n_scraper.policies.quality import score


class QualityPipeline:
    """Give every template its quality, with the reasons."""

    def process_item(self, item: object) -> object:
        """Score templates, and let items of other kinds pass."""
        if isinstance(item, Template):
            item.observe("quality", score(item), "computed")
        return item
