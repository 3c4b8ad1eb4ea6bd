"""Say of each workflow whether n8n takes it."""

from __future__ import annotations

from n8n_scraper.items import Template
from n8n_scraper.policies.computed import judge_import


class ImportCheckPipeline:
    """Give every template with a workflow its import verdict."""

    def process_item(self, item: object) -> object:
        """Judge templates, and let items of other kinds pass."""
        if isinstance(item, Template):
            judge_import(item)
        return item
