"""The first page: what runs, how far and how fast, what is wrong right now, and what ran."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from aiohttp import web

from n8n_scraper.core.errors import NoArchive
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.run.standing import Standing
from n8n_scraper.reports.archive import SourceSize, sizes
from n8n_scraper.reports.domains import Circuit, DomainReport, domain_reports
from n8n_scraper.reports.run_pages import runs_page
from n8n_scraper.reports.runs import RunReport, as_stored
from n8n_scraper.reports.throughput import Span, throughput
from n8n_scraper.serve.elsewhere import Elsewhere, elsewhere_of
from n8n_scraper.serve.live.page import Asked, add_page
from n8n_scraper.serve.operator.plots import throughput_plot
from n8n_scraper.serve.options import OPTIONS
from n8n_scraper.serve.pages.navigation import add_link
from n8n_scraper.serve.plots import Plot
from n8n_scraper.sources import all_sources

_RUNS_SHOWN = 12
_LIVE_SHOWN = 6
_RECENT = timedelta(hours=3)
"""How far back the speed of a run is drawn here; its own page has all of it."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """Something that needs a person's eye."""

    path: str
    name: str
    words: str


@dataclass(frozen=True, slots=True)
class Live:
    """A run that is worked on, and its speed over time."""

    run: RunReport
    plot: Plot | None


def add_to(app: web.Application) -> None:
    """Add it at the root."""
    look = partial(_look, elsewhere=elsewhere_of(app[OPTIONS]))
    add_page(app, "/", "overview.html", look)
    add_link(app, "/", "Overview")


def _look(database: Database, _asked: Asked, elsewhere: Elsewhere) -> dict[str, Any]:
    try:
        runs = runs_page(database, most=_RUNS_SHOWN)
    except NoArchive:
        return {"live_runs": [], "wrong": [], "runs": [], "domains": [], "sizes": []}
    domains = domain_reports(database, elsewhere=elsewhere())
    since = as_stored(datetime.now(UTC) - _RECENT)
    live = [run for run in runs if run.standing is Standing.LIVE][:_LIVE_SHOWN]
    return {
        "live_runs": [
            Live(run, _plot(throughput(database, run.run_id, since=since))) for run in live
        ],
        "wrong": [*_wrong_runs(runs), *_wrong_domains(domains)],
        "runs": runs,
        "domains": domains,
        "sizes": _sizes(database),
    }


def _plot(spans: list[Span]) -> Plot | None:
    return throughput_plot(spans) if spans else None


def _sizes(database: Database) -> tuple[SourceSize, ...]:
    return sizes(database, all_sources())


def _wrong_runs(runs: list[RunReport]) -> list[Wrong]:
    found = []
    for run in runs:
        if run.standing is Standing.STALE:
            found.append(Wrong(f"/runs/{run.run_id}", run.run_id, "no process works on it"))
        elif run is runs[0] and run.status == "failed":
            found.append(Wrong(f"/runs/{run.run_id}", run.run_id, "the last run failed"))
    return found


def _wrong_domains(domains: list[DomainReport]) -> list[Wrong]:
    return [
        Wrong(f"/domains/{one.domain}", one.domain, f"left alone after {one.tripped_by}")
        for one in domains
        if one.circuit is not Circuit.CLOSED
    ]
