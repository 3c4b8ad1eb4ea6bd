"""Decide which older pictures and videos stay, when the texts that show them were kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from pydantic import ValidationError

from n8n_scraper.core.item import Value
from n8n_scraper.sources.n8n.item import Image, Template, Video, VideoLink

SOURCE = "content"
"""What `sources` says of what the texts show."""

_BY: dict[str, tuple[type[Value], str]] = {
    "images": (Image, "url"),
    "videos": (Video, "video_id"),
    "other_video_links": (VideoLink, "url"),
}


def keep_what_is_shown(before: Mapping[str, Any], as_it_came: Template, template: Template) -> None:
    """Add what stood in texts that did not come this time, and were taken over from before."""
    places = _kept_places(as_it_came, template)
    for field, (kind, key) in _BY.items():
        now = getattr(template, field)
        joined = {getattr(one, key): one for one in now or ()}
        for old in before[field] or ():
            with suppress(ValidationError):  # an older version may have given it another shape
                _join(joined, key, kind.model_validate(old), places)
        if list(joined.values()) != (now or []):
            template.observe(field, list(joined.values()), SOURCE)


def shown_again(before: Mapping[str, Any], again: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Give what the same texts show when they are read again, where that was known before.

    What else is known of a picture or a video was joined of several answers, and stays.
    """
    return {
        field: _as_known(before[field], again[field] or [], key)
        for field, (_, key) in _BY.items()
        if before[field] is not None
    }


def _as_known(before: list[Any], again: list[Any], key: str) -> list[Any]:
    places = {one[key]: one["places"] for one in again}
    still = [one for one in before if one[key] in places]
    known = {one[key] for one in still}
    return [
        *({**one, "places": _in_order(places[one[key]], one["places"])} for one in still),
        *(one for one in again if one[key] not in known),
    ]


def _kept_places(as_it_came: Template, template: Template) -> set[str]:
    places: set[str] = set()
    if as_it_came.description is None and template.description is not None:
        places |= {"description", "attached"}
    if as_it_came.workflow is None and template.workflow is not None:
        places |= {"note", "node note"}
    if _page_text(as_it_came) is None and _page_text(template) is not None:
        places.add("page")
    return places


def _page_text(template: Template) -> str | None:
    return template.explainer.page_text if template.explainer else None


def _join(joined: dict[str, Any], key: str, old: Any, there: Collection[str]) -> None:
    kept = [place for place in old.places if place in there]
    if not kept:
        return
    now = joined.get(getattr(old, key), old.model_copy(update={"places": []}))
    more = [place for place in kept if place not in now.places]
    places = _in_order([*now.places, *more], old.places)
    joined[getattr(old, key)] = now.model_copy(update={"places": places})


def _in_order(places: list[str], before: list[str]) -> list[str]:
    """Sort places as they were before, so that what was not touched stays as it is."""
    known = {place: at for at, place in enumerate(before)}
    return sorted(places, key=lambda place: known.get(place, len(known)))
