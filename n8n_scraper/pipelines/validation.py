"""Refuse an item that breaks the contract."""

from __future__ import annotations

from scrapy.exceptions import DropItem

from n8n_scraper.sources.n8n.item import Template, broken_promises


class InvalidTemplate(DropItem):
    """The item breaks the contract: a fault of ours, so its template ends as invalid."""


class ValidationPipeline:
    """Pass on what keeps every promise of `items.Template`; name the broken ones otherwise."""

    def process_item(self, item: object) -> object:
        """Judge templates, and let items of other kinds pass."""
        if isinstance(item, Template) and (broken := broken_promises(item)):
            raise InvalidTemplate(f"{item.workflow_id}: {'; '.join(broken)}", log_level="ERROR")
        return item
