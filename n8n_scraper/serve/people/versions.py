"""The page of two versions of an item: what its author has changed between them."""

from __future__ import annotations

from aiohttp import web
from aiohttp.typedefs import Handler

from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.history import VersionsCompared, compare_versions
from n8n_scraper.serve.archive import ARCHIVE
from n8n_scraper.serve.pages import render
from n8n_scraper.serve.people.places import Place

_NUMBER = "[1-9][0-9]{0,8}"


def add_to(app: web.Application, place: Place) -> None:
    """Add it for any two versions."""
    ids = place.source.ids.pattern
    path = f"{place.path}/{{id:{ids}}}/versions/{{older:{_NUMBER}}}/{{newer:{_NUMBER}}}"
    app.router.add_get(path, _page(place))


def _page(place: Place) -> Handler:
    async def show(request: web.Request) -> web.Response:
        info = request.match_info
        older, newer = int(info["older"]), int(info["newer"])
        found = await request.app[ARCHIVE].look(_compared, place, info["id"], older, newer)
        in_full = place.source.kind().authored.in_full
        fields = [(name, list(in_full(name, change))) for name, change in found.changes.items()]
        return render(request, "people/versions.html", place=place, found=found, fields=fields)

    return show


def _compared(
    database: Database, place: Place, item_id: str, older: int, newer: int
) -> VersionsCompared:
    return compare_versions(database, place.source, item_id, older, newer)
