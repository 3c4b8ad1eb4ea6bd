"""What is wrong, and what those outside are still to be told of it and of our runs."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from n8n_scraper.core.errors import NoArchive
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.outside import OutsideReport, outside_report
from n8n_scraper.serve.live.page import Asked, add_page
from n8n_scraper.serve.pages.navigation import add_link


def add_to(app: web.Application) -> None:
    """Add it."""
    add_page(app, "/alerts", "alerts.html", _look)
    add_link(app, "/alerts", "Alerts")


def _look(database: Database, _asked: Asked) -> dict[str, Any]:
    try:
        return {"outside": outside_report(database)}
    except NoArchive:
        return {"outside": OutsideReport((), ())}
