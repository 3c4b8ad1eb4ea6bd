"""`/metrics`: what Prometheus is told of the archive."""

from __future__ import annotations

from functools import partial

from aiohttp import web

from n8n_scraper.core.errors import NoArchive
from n8n_scraper.ledger.database import Database
from n8n_scraper.metrics.exposition import exposition
from n8n_scraper.metrics.metric import Sample
from n8n_scraper.metrics.of_archive import of_archive, standing_samples
from n8n_scraper.reports.archive import ArchiveReport, archive_report
from n8n_scraper.serve.archive import ARCHIVE
from n8n_scraper.serve.elsewhere import ask_elsewhere
from n8n_scraper.serve.kept import Kept
from n8n_scraper.serve.options import OPTIONS, ServeOptions
from n8n_scraper.sources import all_sources

_KEPT_SECONDS = 60.0
"""For so long the archive is not counted again: that takes the longer the more is in it."""


def add_to(app: web.Application) -> None:
    """Add it where Prometheus looks by itself."""
    look = partial(_samples, kept=Kept(_KEPT_SECONDS), options=app[OPTIONS])

    async def tell(request: web.Request) -> web.Response:
        samples = await request.app[ARCHIVE].look(look)
        text, content_type = exposition(samples, request.headers.get("Accept", ""))
        return web.Response(body=text, headers={"Content-Type": content_type})

    app.router.add_get("/metrics", tell)


def _samples(
    database: Database, *, kept: Kept[ArchiveReport], options: ServeOptions
) -> list[Sample]:
    """Give none before the first crawl: there is nothing to count yet, and nothing wrong."""
    sources = all_sources()
    try:
        counted = kept.get("archive", lambda: archive_report(database, sources))
    except NoArchive:
        return []
    standing = standing_samples(database, sources, ask_elsewhere(options))
    return [*of_archive(counted.value, counted.at), *standing]
