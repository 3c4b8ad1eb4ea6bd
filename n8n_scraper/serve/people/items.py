"""The page of one item: what it says, how good it is, how it has changed, and what is like it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

from n8n_scraper.core.errors import NotThere
from n8n_scraper.core.item import Item
from n8n_scraper.core.narration import summary
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import items
from n8n_scraper.reports.history import ItemHistory, item_history
from n8n_scraper.reports.known_fields import known_fields
from n8n_scraper.reports.likeness import Alike, look_alikes
from n8n_scraper.reports.matches import Announcement, Matched, is_matched, matches_of
from n8n_scraper.reports.media import stored_pictures
from n8n_scraper.reports.stored import item_samples
from n8n_scraper.serve import pictures
from n8n_scraper.serve.archive import ARCHIVE
from n8n_scraper.serve.pages import render
from n8n_scraper.serve.pages.words import cut
from n8n_scraper.serve.people.item_page import ItemPage, item_page_of
from n8n_scraper.serve.people.places import PLACES, Place
from n8n_scraper.serve.plots import Line, Plot, lines
from n8n_scraper.serve.problems import Problem

_MOST_FOLLOWED = 2_000
_LONGEST_LINE = 1_000


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Another item that announces the same."""

    matched: Matched
    address: str | None
    """Of its page here, where its source has one."""


@dataclass(frozen=True, slots=True)
class Shown:
    """All that the page says."""

    item: Any
    history: ItemHistory
    alike: Sequence[Alike]
    announced: Sequence[Elsewhere]
    """Where the same happening is announced as well."""
    followed: Sequence[tuple[str, float]]
    """What of it is followed over time: when, and how much."""
    explained: Sequence[str]
    """How good it is, and why, line by line."""
    own: Mapping[str, Any]
    """What the source says besides."""


def add_to(app: web.Application, place: Place) -> None:
    """Add it for every id of the source."""
    app.router.add_get(f"{place.path}/{{id:{place.source.ids.pattern}}}", _page(place))


def _page(place: Place) -> Handler:
    async def show(request: web.Request) -> web.Response:
        source, item_id = place.source, request.match_info["id"]
        page = item_page_of(source)
        places = request.app[PLACES]
        shown = await request.app[ARCHIVE].look(_look, source, page, item_id, places)
        if shown is None:
            raise Problem(HTTPStatus.NOT_FOUND, f"The archive has no {source.noun} {item_id}.")
        return render(
            request,
            page.template,
            place=place,
            shown=shown,
            item=shown.item,
            item_id=item_id,
            events=_told(source, shown.history),
            plot=_plot(shown.followed),
            **shown.own,
        )

    return show


def _look(
    database: Database, source: Source, page: ItemPage, item_id: str, places: Mapping[str, Place]
) -> Shown | None:
    item = database.look(lambda session: items.load(session, source, item_id))
    if item is None:
        return None
    comparable = source.kind().likeness is not None
    have = stored_pictures(database, set(page.pictures(item)))
    addresses = {url: f"/pictures/{pictures.name_of(one)}" for url, one in have.items()}
    return Shown(
        item=item,
        history=item_history(database, source, item_id),
        alike=look_alikes(database, source, item_id).alike if comparable else (),
        announced=_announced(database, source, item_id, places),
        followed=_followed(database, source, page, item_id),
        explained=_explained(source, item),
        own=page.values(item, addresses.get),
    )


def _announced(
    database: Database, source: Source, item_id: str, places: Mapping[str, Place]
) -> Sequence[Elsewhere]:
    """Say where the same is announced; of what was never compared nobody knows."""
    if not is_matched(source):
        return ()
    with suppress(NotThere):
        found = matches_of(database, source, item_id, {}).matched
        return [Elsewhere(one, _address(one.announcement, places)) for one in found]
    return ()


def _address(one: Announcement, places: Mapping[str, Place]) -> str | None:
    place = places.get(one.source)
    return place.item(one.item_id) if place else None


def _explained(source: Source, item: Item) -> Sequence[str]:
    explain = source.kind().explain
    found = explain(item) if explain else known_fields(source, item)
    return [cut(line, _LONGEST_LINE) for line in found.lines()]


def _told(source: Source, history: ItemHistory) -> list[tuple[str, str, str]]:
    """Say what happened: when, what, and in a few words."""
    in_short = source.kind().authored.in_short
    newest_first = reversed(history.events)
    return [(one.at, one.kind, summary(one.kind, one.details, in_short)) for one in newest_first]


def _followed(
    database: Database, source: Source, page: ItemPage, item_id: str
) -> list[tuple[str, float]]:
    if page.followed is None:
        return []
    samples = item_samples(database, source, item_id)[-_MOST_FOLLOWED:]
    return [(one["at"], one[page.followed]) for one in samples if one[page.followed] is not None]


def _plot(followed: Sequence[tuple[str, float]]) -> Plot | None:
    """Draw what is followed over time; two points make the shortest line."""
    points = [(_seconds(at), float(value)) for at, value in followed]
    if len(points) < 2:
        return None
    return lines([Line("used", points)], points[0][0], points[-1][0], "Views over time")


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()
