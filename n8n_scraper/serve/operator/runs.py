"""Runs, one of them, and its items."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import Any

from aiohttp import web

from n8n_scraper.core.errors import NoArchive
from n8n_scraper.core.started import as_started
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import UNSETTLED, State
from n8n_scraper.policies.run.standing import Standing
from n8n_scraper.reports.failed_items import answer_as_it_came, evidence_of
from n8n_scraper.reports.run_pages import RunView, items_page, run_view, runs_page
from n8n_scraper.reports.runs import RunReport, run_id_of
from n8n_scraper.serve.archive import ARCHIVE
from n8n_scraper.serve.elsewhere import Elsewhere, elsewhere_of
from n8n_scraper.serve.live.page import Asked, add_page
from n8n_scraper.serve.operator.plots import progress_plot, throughput_plot
from n8n_scraper.serve.options import OPTIONS
from n8n_scraper.serve.pages.keyset import number_of, place_in, place_of
from n8n_scraper.serve.pages.navigation import add_link
from n8n_scraper.serve.people.places import places
from n8n_scraper.serve.problems import Problem

_RUNS_SHOWN = 25
_ITEMS_SHOWN = 100
_MOST_BYTES = 1_000_000


def add_to(app: web.Application) -> None:
    """Add them."""
    look_at_one = partial(_run, elsewhere=elsewhere_of(app[OPTIONS]))
    add_page(app, "/runs", "runs.html", _runs)
    add_page(app, "/runs/{run}", "run.html", look_at_one)
    add_page(app, "/runs/{run}/items", "items.html", _items)
    add_page(app, "/runs/{run}/items/{item}", "item.html", _item)
    app.router.add_get("/runs/{run}/items/{item}/answers/{part}", _answer)
    add_link(app, "/runs", "Runs")


def commands_of(run: RunReport) -> list[str]:
    """Give what can be typed after a run, each with what it is for."""
    said = []
    if run.standing is not Standing.LIVE and run.counts.unsettled:
        said.append(run.going_on.with_what_failed())
    if run.standing is not Standing.LIVE and run.status != "finished":
        said.append(run.going_on.with_what_is_left())
    return [as_started(one) for one in said]


def values_of(view: RunView) -> dict[str, Any]:
    """Give what a page shows of a run."""
    spans, counts = view.spans, view.run.counts
    return {
        "view": view,
        "run": view.run,
        "details": view.details,
        "throughput": throughput_plot(spans) if spans else None,
        "progress": progress_plot(spans, counts.total) if spans else None,
        "commands": commands_of(view.run),
    }


def _runs(database: Database, asked: Asked) -> dict[str, Any]:
    before = place_in(asked.get("before"), 2)
    source = asked.get("source")
    try:
        found = runs_page(database, source=source, before=before, most=_RUNS_SHOWN + 1)
    except NoArchive:
        found = []
    shown = found[:_RUNS_SHOWN]
    last = shown[-1] if len(found) > _RUNS_SHOWN else None
    return {
        "runs": shown,
        "is_first": before is None,
        "further": last and place_of(last.started_at, last.run_id),
    }


def _run(database: Database, asked: Asked, elsewhere: Elsewhere) -> dict[str, Any]:
    return values_of(run_view(database, asked.match["run"], elsewhere()))


def _items(database: Database, asked: Asked) -> dict[str, Any]:
    run_id = run_id_of(database, asked.match["run"])
    state = asked.get("state") or State.DONE
    if state not in list(State):
        raise Problem(HTTPStatus.BAD_REQUEST, f"state: write one of {', '.join(State)}.")
    after = place_in(asked.get("after"), 2)
    found = items_page(
        database,
        run_id,
        state,
        after=after and (number_of(after[0]), after[1]),
        most=_ITEMS_SHOWN + 1,
    )
    shown = found[:_ITEMS_SHOWN]
    last = shown[-1] if len(found) > _ITEMS_SHOWN else None
    return {
        "run_id": run_id,
        "state": state,
        "states": list(State),
        "unsettled": UNSETTLED,
        "items": shown,
        "is_first": after is None,
        "further": last and place_of(last.position, last.item_id),
    }


def _item(database: Database, asked: Asked) -> dict[str, Any]:
    run_id = run_id_of(database, asked.match["run"])
    evidence = evidence_of(database, run_id, asked.match["item"])
    of_source = (one for one in places() if one.source.name == evidence.item.source)
    return {"evidence": evidence, "place": next(of_source, None)}


async def _answer(request: web.Request) -> web.Response:
    """Give an answer as it came, as text and never as anything else."""
    match = request.match_info
    found = await request.app[ARCHIVE].look(
        answer_as_it_came, match["run"], match["item"], match["part"], most=_MOST_BYTES
    )
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, "No such answer is kept.")
    body, is_whole = found
    text = body.decode("utf-8", "replace")
    if not is_whole:
        text += f"\n… the first {_MOST_BYTES} bytes of it"
    return web.Response(text=text, content_type="text/plain")
