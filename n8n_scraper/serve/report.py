"""The same figures and drawings as the pages', in one file that needs nothing else."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from n8n_scraper import __version__
from n8n_scraper.core.clock import utc_now
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.archive import archive_report
from n8n_scraper.reports.domain_history import DomainHistory, domain_history
from n8n_scraper.reports.domains import NONE_ELSEWHERE, Domains, domain_reports
from n8n_scraper.reports.run_pages import run_view, runs_page
from n8n_scraper.serve.operator.plots import pace_plot
from n8n_scraper.serve.operator.quality import quality_views
from n8n_scraper.serve.operator.runs import values_of
from n8n_scraper.serve.pages import environment_of
from n8n_scraper.serve.pages.static_files import STATIC
from n8n_scraper.serve.plots import Plot
from n8n_scraper.sources import all_sources

_RUNS_SHOWN = 25
_HOURS = 24 * 7


def report_of(database: Database, elsewhere: Domains = NONE_ELSEWHERE) -> str:
    """Write down how the archive and its newest run stand."""
    runs = runs_page(database, most=_RUNS_SHOWN)
    newest = run_view(database, runs[0].run_id, elsewhere) if runs else None
    return _written(
        "archive",
        runs=runs,
        newest=newest and values_of(newest),
        archive=archive_report(database, all_sources()),
        views=quality_views(database),
        domains=_domains(database, elsewhere),
    )


def report_of_run(database: Database, name: str, elsewhere: Domains = NONE_ELSEWHERE) -> str:
    """Write down how one run stands."""
    return _written("run", **values_of(run_view(database, name, elsewhere)))


def _domains(
    database: Database, elsewhere: Domains
) -> list[tuple[Any, DomainHistory, Plot | None]]:
    told = []
    for domain in domain_reports(database, elsewhere=elsewhere):
        history = domain_history(database, domain.domain, hours=_HOURS)
        told.append((domain, history, pace_plot(history) if history.minutes else None))
    return told


def _written(name: str, **values: object) -> str:
    return (
        _environment()
        .get_template(f"report/{name}.html")
        .render(style=_style(), at=utc_now(), version=__version__, **values)
    )


@cache
def _environment() -> Environment:
    return environment_of(is_linked=False)


@cache
def _style() -> Markup:
    # It is ours, and has no text of others in it.
    return Markup((Path(STATIC) / "style.css").read_text())  # noqa: S704
