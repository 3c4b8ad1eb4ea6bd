"""The pages of what items have in common: of an author, of a node, of a category."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from http import HTTPStatus

from aiohttp import web
from aiohttp.typedefs import Handler

from n8n_scraper.core.searched import Facet
from n8n_scraper.serve.archive import ARCHIVE
from n8n_scraper.serve.pages import render
from n8n_scraper.serve.people.asked import Asked
from n8n_scraper.serve.people.places import Place
from n8n_scraper.serve.people.search import Result, facets_of, look_for, readable
from n8n_scraper.serve.problems import Problem


def add_to(app: web.Application, place: Place) -> None:
    """Add the page of all values of each facet, and that of one value."""
    app.router.add_get(f"{place.path}/by/{{facet}}", _values(place))
    app.router.add_get(f"{place.path}/by/{{facet}}/{{value:.+}}", _value(place))


def _values(place: Place) -> Handler:
    async def show(request: web.Request) -> web.Response:
        facet = _facet(request, facets_of(place))
        found = await request.app[ARCHIVE].look(look_for, place, Asked())
        values = readable(found.facets.get(facet.name, ()))
        values.sort(key=lambda one: one[0].casefold())
        return render(request, "people/facet.html", place=place, facet=facet, values=values)

    return show


def _value(place: Place) -> Handler:
    async def show(request: web.Request) -> web.Response:
        facets, value = facets_of(place), request.match_info["value"]
        facet = _facet(request, facets)
        asked = Asked.of(request.query, [one.name for one in facets])
        asked = replace(asked, filters={**asked.filters, facet.name: (value,)})
        found = await request.app[ARCHIVE].look(look_for, place, asked)
        result = Result(place, asked, found, facets, narrowed=(facet.name, value))
        return render(request, "people/search.html", result=result)

    return show


def _facet(request: web.Request, facets: Iterable[Facet]) -> Facet:
    name = request.match_info["facet"]
    if found := next((facet for facet in facets if facet.name == name), None):
        return found
    raise Problem(HTTPStatus.NOT_FOUND, f"Nothing is told apart by {name!r} here.")
