"""What the archive has of each source."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from n8n_scraper.core.errors import NoArchive
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.archive import ArchiveReport, archive_report
from n8n_scraper.serve.kept import Kept
from n8n_scraper.serve.live.page import Asked, add_page
from n8n_scraper.serve.pages.navigation import add_link
from n8n_scraper.sources import all_sources

_KEPT_SECONDS = 60.0


def add_to(app: web.Application) -> None:
    """Add it."""
    kept: Kept[ArchiveReport | None] = Kept(_KEPT_SECONDS)

    def look(database: Database, _asked: Asked) -> dict[str, Any]:
        found = kept.get("archive", lambda: _report(database))
        return {"archive": found.value, "at": found.at}

    add_page(app, "/sources", "sources.html", look)
    add_link(app, "/sources", "Sources")


def _report(database: Database) -> ArchiveReport | None:
    try:
        return archive_report(database, all_sources())
    except NoArchive:
        return None
