"""Domains: their pace and their circuits, now and over time."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import Any

from aiohttp import web

from n8n_scraper.core.errors import NoArchive
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.domain_history import domain_history
from n8n_scraper.reports.domains import domain_reports
from n8n_scraper.serve.elsewhere import Elsewhere, elsewhere_of
from n8n_scraper.serve.live.page import Asked, add_page
from n8n_scraper.serve.operator.plots import pace_plot
from n8n_scraper.serve.options import OPTIONS
from n8n_scraper.serve.pages.navigation import add_link
from n8n_scraper.serve.problems import Problem

_SPANS = {"1": "hour", "24": "day", "168": "week"}
_USUAL = "24"


def add_to(app: web.Application) -> None:
    """Add them."""
    elsewhere = elsewhere_of(app[OPTIONS])
    add_page(app, "/domains", "domains.html", partial(_all, elsewhere=elsewhere))
    add_page(app, "/domains/{domain}", "domain.html", partial(_one, elsewhere=elsewhere))
    add_link(app, "/domains", "Domains")


def _all(database: Database, _asked: Asked, elsewhere: Elsewhere) -> dict[str, Any]:
    try:
        return {"domains": domain_reports(database, elsewhere=elsewhere())}
    except NoArchive:
        return {"domains": []}


def _one(database: Database, asked: Asked, elsewhere: Elsewhere) -> dict[str, Any]:
    name, hours = asked.match["domain"], asked.get("hours") or _USUAL
    if hours not in _SPANS:
        raise Problem(HTTPStatus.BAD_REQUEST, f"hours: write one of {', '.join(_SPANS)}.")
    known = {one.domain: one for one in domain_reports(database, elsewhere=elsewhere())}
    if name not in known:
        raise Problem(HTTPStatus.NOT_FOUND, "No crawl has met this domain.")
    history = domain_history(database, name, hours=float(hours))
    return {
        "domain": known[name],
        "history": history,
        "plot": pace_plot(history) if history.minutes else None,
        "spans": _SPANS,
        "hours": hours,
    }
