"""What `scrapy serve` has for templates alone."""

from __future__ import annotations

from aiohttp import web

from n8n_scraper.core.source import Source
from n8n_scraper.sources.n8n import download
from n8n_scraper.sources.n8n.host import page, routes
from n8n_scraper.sources.n8n.page import ITEM_PAGE

__all__ = ["ITEM_PAGE", "add_to"]


def add_to(app: web.Application, source: Source) -> None:
    """Add it."""
    routes.add_to(app, source)
    page.add_to(app)
    download.add_to(app, source)
