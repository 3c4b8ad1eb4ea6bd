"""How good what the archive has is: scores, and how many items have each field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aiohttp import web

from n8n_scraper.core.errors import NoArchive
from n8n_scraper.core.source import Source
from n8n_scraper.exports.of_source import exports_of
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.archive import Coverage, coverage
from n8n_scraper.reports.quality import IssueReport, ScoreReport, issue_reports, score_report
from n8n_scraper.serve.kept import Kept
from n8n_scraper.serve.live.page import Asked, add_page
from n8n_scraper.serve.operator.plots import score_plot
from n8n_scraper.serve.pages.navigation import add_link
from n8n_scraper.serve.people.places import Place, places
from n8n_scraper.serve.plots import Plot
from n8n_scraper.sources import all_sources

_KEPT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class QualityView:
    """What a page tells of a source."""

    source: Source
    coverage: tuple[Coverage, ...]
    scores: ScoreReport | None
    """None where the source has no score."""
    plot: Plot | None
    issues: tuple[IssueReport, ...]
    place: Place | None
    """Where its items have pages of their own."""


def add_to(app: web.Application) -> None:
    """Add it."""
    kept: Kept[list[QualityView]] = Kept(_KEPT_SECONDS)

    def look(database: Database, _asked: Asked) -> dict[str, Any]:
        found = kept.get("quality", lambda: quality_views(database))
        return {"views": found.value, "at": found.at}

    add_page(app, "/quality", "quality.html", look)
    add_link(app, "/quality", "Quality")


def quality_views(database: Database) -> list[QualityView]:
    """Look at each source that has items."""
    try:
        return [view for source in all_sources() if (view := _view(database, source))]
    except NoArchive:
        return []


def _view(database: Database, source: Source) -> QualityView | None:
    known = coverage(database, source)
    if not known or not known[0].total:
        return None
    column = exports_of(source).score
    scores = score_report(database, source, column) if column else None
    return QualityView(
        source,
        tuple(sorted(known, key=lambda one: one.present)),
        scores,
        score_plot(scores) if scores and scores.scored else None,
        issue_reports(database, source),
        next((place for place in places() if place.source is source), None),
    )
