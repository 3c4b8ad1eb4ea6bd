"""The pages of whoever runs the crawls."""

from __future__ import annotations

from aiohttp import web

from n8n_scraper.serve.operator import (
    alerts,
    domains,
    failures,
    overview,
    quality,
    runs,
    sources,
    workers,
)


def add_to(app: web.Application) -> None:
    """Add them."""
    for page in (overview, runs, failures, domains, workers, alerts, quality, sources):
        page.add_to(app)
