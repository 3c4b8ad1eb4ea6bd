"""The page and the feed of what is new, changed and gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aiohttp import web
from aiohttp.typedefs import Handler

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.errors import NoArchive
from n8n_scraper.core.narration import summary
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.records.history import EventKind
from n8n_scraper.reports.history import EventReport, events_before
from n8n_scraper.serve.archive import ARCHIVE
from n8n_scraper.serve.asked_at import asked_at
from n8n_scraper.serve.numbers import whole_number
from n8n_scraper.serve.pages import render
from n8n_scraper.serve.people.atom import Entry, Feed, as_xml
from n8n_scraper.serve.people.places import Place

_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Told:
    """Something that happened, in words."""

    event: EventReport
    words: str


def add_to(app: web.Application, place: Place) -> None:
    """Add both."""
    app.router.add_get(place.changes, _page(place))
    app.router.add_get(f"{place.changes}.atom", _feed(place))


def _page(place: Place) -> Handler:
    async def show(request: web.Request) -> web.Response:
        kind = _kind(request)
        before = whole_number(request.query.get("before", ""))
        found = await request.app[ARCHIVE].look(_events, place.source, before, kind)
        return render(
            request,
            "people/changes.html",
            place=place,
            told=found,
            kind=kind,
            kinds=list(EventKind),
            older=found[-1].event.id if len(found) == _SHOWN else None,
        )

    return show


def _feed(place: Place) -> Handler:
    async def give(request: web.Request) -> web.Response:
        found = await request.app[ARCHIVE].look(_events, place.source, None, _kind(request))
        base = str(asked_at(request).origin())
        feed = Feed(
            title=f"{place.source.noun.many.capitalize()}: what is new and changed",
            link=f"{base}{place.changes}",
            itself=str(asked_at(request)),
            empty_since=utc_now(),
            entries=[_entry(base, place, told) for told in found],
        )
        return web.Response(body=as_xml(feed), content_type="application/atom+xml")

    return give


def _entry(base: str, place: Place, told: Told) -> Entry:
    event = told.event
    page = base + place.item(event.item_id)
    return Entry(
        id=f"{page}#event-{event.id}",
        title=f"{event.kind}: {event.title or event.item_id}",
        link=page,
        updated=event.at,
        summary=told.words or event.kind,
    )


def _kind(request: web.Request) -> EventKind | None:
    kind = request.query.get("kind")
    return EventKind(kind) if kind in set(EventKind) else None


def _events(
    database: Database, source: Source, before: int | None, kind: EventKind | None
) -> Sequence[Told]:
    in_short = source.kind().authored.in_short
    try:
        found = events_before(database, source, before, [kind] if kind else (), _SHOWN)
    except NoArchive:
        return ()
    return [Told(one, summary(one.kind, one.details, in_short)) for one in found]
