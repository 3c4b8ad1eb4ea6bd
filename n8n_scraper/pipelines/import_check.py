"""Say of each workflow whether n8n takes it."""

from __future__ import annotations

from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.rules.computed import is_due, judge_import


class ImportCheckPipeline:
    """Give every template with a workflow its import verdict, if it has none yet."""

    def process_item(self, item: object) -> object:
        """Judge templates, and let items of other kinds pass."""
        if isinstance(item, Template) and is_due(item, "import_check"):
            judge_import(item)
        return item
