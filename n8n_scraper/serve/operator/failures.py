"""What was not had in full, over all runs."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from n8n_scraper.core.errors import NoArchive
from n8n_scraper.core.started import as_started
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.failed_items import failed_items, failure_categories
from n8n_scraper.reports.runs import run_id_of, run_report, sources_of_runs
from n8n_scraper.serve.live.page import Asked, add_page
from n8n_scraper.serve.pages.keyset import place_in, place_of
from n8n_scraper.serve.pages.navigation import add_link

_SHOWN = 50


def add_to(app: web.Application) -> None:
    """Add it."""
    add_page(app, "/failures", "failures.html", _look)
    add_link(app, "/failures", "Failures")


def _look(database: Database, asked: Asked) -> dict[str, Any]:
    before = place_in(asked.get("before"), 3)
    named = asked.get("run")
    try:
        run_id = run_id_of(database, named) if named else None
        categories, sources = failure_categories(database), sources_of_runs(database)
        found = failed_items(
            database,
            run_id=run_id,
            source=asked.get("source"),
            category=asked.get("category"),
            before=before,
            most=_SHOWN + 1,
        )
    except NoArchive:
        run_id, categories, sources, found = None, [], [], []
    shown = found[:_SHOWN]
    last = shown[-1] if len(found) > _SHOWN else None
    return {
        "failures": shown,
        "categories": categories,
        "sources": sources,
        "run_id": run_id,
        "asked": asked,
        "is_first": before is None,
        "further": last and place_of(*last.place),
        "commands": _commands(database, {one.run_id: None for one in shown}),
    }


def _commands(database: Database, run_ids: dict[str, None]) -> dict[str, str]:
    """Say for each run of the page what tries its failures again."""
    return {
        run_id: as_started(run_report(database, run_id).going_on.with_what_failed())
        for run_id in [*run_ids][:3]
    }
