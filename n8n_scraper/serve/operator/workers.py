"""The processes that work, or have worked, on whatever run."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from n8n_scraper.core.errors import NoArchive
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.run_pages import newest_workers
from n8n_scraper.serve.live.page import Asked, add_page
from n8n_scraper.serve.pages.navigation import add_link


def add_to(app: web.Application) -> None:
    """Add it."""
    add_page(app, "/workers", "workers.html", _look)
    add_link(app, "/workers", "Workers")


def _look(database: Database, _asked: Asked) -> dict[str, Any]:
    try:
        return {"workers": newest_workers(database)}
    except NoArchive:
        return {"workers": []}
