"""The search page of a source, and the feed of each search."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from aiohttp import web
from aiohttp.typedefs import Handler

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.errors import NoArchive
from n8n_scraper.core.searched import REMOVED, Facet
from n8n_scraper.ledger.database import Database
from n8n_scraper.records.indexing import number_not_indexed
from n8n_scraper.search.found import Found, Order
from n8n_scraper.search.searching import find
from n8n_scraper.search.snippets import without_marks
from n8n_scraper.serve.archive import ARCHIVE
from n8n_scraper.serve.asked_at import asked_at
from n8n_scraper.serve.pages import render
from n8n_scraper.serve.people.asked import PAGE, Asked
from n8n_scraper.serve.people.atom import Entry, Feed, as_xml
from n8n_scraper.serve.people.places import LONGEST_VALUE, Place

_VALUES_SHOWN = 8
_NOTHING = Found(total=0, hits=(), facets={}, corrected={}, missing=0)


@dataclass(frozen=True, slots=True)
class Result:
    """What a search page shows."""

    place: Place
    asked: Asked
    found: Found
    facets: tuple[Facet, ...]
    narrowed: tuple[str, str] | None = None
    """The facet and the value that the page is about, where it is about one."""
    not_indexed: int = 0
    """Stored items that a search does not find; looked up where nothing was found."""

    @property
    def pages(self) -> int:
        """How many there are."""
        return -(-self.found.total // PAGE)

    @property
    def path(self) -> str:
        """The address of the page, without what is asked of it."""
        return self.place.facet(*self.narrowed) if self.narrowed else self.place.path

    def link(self, asked: Asked) -> str:
        """Give the address of this page with something else asked of it."""
        if self.narrowed:
            facet, _ = self.narrowed
            others = {name: those for name, those in asked.filters.items() if name != facet}
            asked = replace(asked, filters=others)
        return f"{self.path}{asked.query()}"

    @property
    def feed(self) -> str:
        """The address of the feed of this search."""
        return f"{self.place.path}/feed.atom{replace(self.asked, page=1, order=None).query()}"

    def values(self, facet: Facet) -> tuple[tuple[str, int], ...]:
        """Give the values of a facet to choose from: those chosen, and the most frequent."""
        counted = readable(self.found.facets.get(facet.name, ()))
        chosen = [one for one in counted if self.asked.has(facet.name, one[0])]
        others = [one for one in counted if not self.asked.has(facet.name, one[0])]
        return (*chosen, *others[: max(_VALUES_SHOWN - len(chosen), 0)])


def readable(values: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Leave out what no person has written as a name: it would fill the page."""
    return [one for one in values if len(one[0]) <= LONGEST_VALUE]


def add_to(app: web.Application, place: Place) -> None:
    """Add both."""
    app.router.add_get(place.path, _page(place))
    app.router.add_get(f"{place.path}/feed.atom", _feed(place))


def facets_of(place: Place) -> tuple[Facet, ...]:
    """Give what a search can be narrowed by."""
    searched = place.source.kind().searched
    assert searched is not None  # or it would have no place
    return (*searched.facets, REMOVED)


def look_for(database: Database, place: Place, asked: Asked) -> Found:
    """Search; nothing is found where there is no archive yet."""
    try:
        return find(database, place.source, asked.question())
    except NoArchive:
        return _NOTHING


def number_out_of_reach(database: Database, place: Place) -> int:
    """Say how many stored items no search finds, because they are not indexed."""
    try:
        return database.look(lambda session: number_not_indexed(session, place.source))
    except NoArchive:
        return 0


def _page(place: Place) -> Handler:
    async def show(request: web.Request) -> web.Response:
        facets = facets_of(place)
        asked = Asked.of(request.query, [facet.name for facet in facets])
        archive = request.app[ARCHIVE]
        found = await archive.look(look_for, place, asked)
        # Of an archive of an earlier version nothing is found before it is indexed.
        missing = 0 if found.total else await archive.look(number_out_of_reach, place)
        result = Result(place, asked, found, facets, not_indexed=missing)
        return render(request, "people/search.html", result=result)

    return show


def _feed(place: Place) -> Handler:
    async def give(request: web.Request) -> web.Response:
        facets = [facet.name for facet in facets_of(place)]
        asked = replace(Asked.of(request.query, facets), order=Order.NEWEST, page=1)
        found = await request.app[ARCHIVE].look(look_for, place, asked)
        base = str(asked_at(request).origin())
        words = f": {asked.words}" if asked.words else ""
        now = utc_now()
        feed = Feed(
            title=f"New {place.source.noun.many}{words}",
            link=f"{base}{place.path}{asked.query()}",
            itself=str(asked_at(request)),
            empty_since=now,
            entries=[
                Entry(
                    id=base + place.item(hit.item_id),
                    title=without_marks(hit.title),
                    link=base + place.item(hit.item_id),
                    updated=hit.created_at or now,
                    summary=without_marks(hit.snippet),
                    author=next(iter(hit.labels.get("author", ())), None),
                )
                for hit in found.hits
            ],
        )
        return web.Response(body=as_xml(feed), content_type="application/atom+xml")

    return give
