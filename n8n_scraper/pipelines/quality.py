"""Score an item."""

from __future__ import annotations

from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.rules.computed import is_due, judge_quality


class QualityPipeline:
    """Give every template its quality, with the reasons, if it has none yet."""

    def process_item(self, item: object) -> object:
        """Score templates, and let items of other kinds pass."""
        if isinstance(item, Template) and is_due(item, "quality"):
            judge_quality(item)
        return item
