"""Read events in the words of schema.org, whatever form they stand in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lxml import etree

from n8n_scraper.reading.states import state_of
from n8n_scraper.reading.structured.document import elements
from n8n_scraper.reading.structured.json_ld import json_ld, nodes
from n8n_scraper.reading.structured.microdata import microdata
from n8n_scraper.reading.structured.rdfa import rdfa
from n8n_scraper.reading.whens import read_from_to
from n8n_scraper.sources.events.adapters.draft import Draft
from n8n_scraper.sources.events.adapters.offers import price_of
from n8n_scraper.sources.events.adapters.page import Page
from n8n_scraper.sources.events.adapters.values import (
    addresses,
    all_words,
    degrees,
    words,
)
from n8n_scraper.sources.events.found import Found, Place

Node = dict[str, Any]

_ALSO_EVENTS = frozenset(("Festival", "Hackathon", "EventSeries"))
_NOT_THE_EVENT = frozenset(("superEvent", "review", "aggregateRating"))
MOST_EVENTS = 2_000


def in_json_ld(root: etree._Element, page: Page) -> list[Found]:
    """Give the events of the page's JSON-LD."""
    return list(_events(json_ld(root), "json-ld", page))


def in_linked_data(data: Any, page: Page) -> list[Found]:
    """Give the events of JSON-LD that came by itself, as the answer of a program."""
    return list(_events([data], "json-ld", page))


def in_microdata(root: etree._Element, page: Page) -> list[Found]:
    """Give the events of the page's microdata."""
    return list(_events([_of_microdata(one) for one in microdata(root)], "microdata", page))


def in_rdfa(root: etree._Element, page: Page) -> list[Found]:
    """Give the events of the page's RDFa."""
    things = rdfa(root, page.url) if elements(root, "(//*[@typeof])[1]") else []
    return list(_events([_of_rdfa(one) for one in things], "rdfa", page))


def _events(data: list[Any], place: str, page: Page) -> Iterator[Found]:
    every = list(nodes(data, without=_NOT_THE_EVENT))
    told = (one for one in reversed(every) if set(one) - {"@id", "@type"})
    known = {one["@id"]: one for one in told if isinstance(one.get("@id"), str)}
    found = (one for one in every if _is_event(one))
    for one, _ in zip(found, range(MOST_EVENTS), strict=False):
        if event := _event(one, known, place, page):
            yield event


def _is_event(node: Node) -> bool:
    return any(kind.endswith("Event") or kind in _ALSO_EVENTS for kind in _kinds(node))


def _kinds(node: Node) -> list[str]:
    kinds = all_words(node.get("@type"))
    return [
        kind.rstrip("/").replace("#", "/").rpartition("/")[2].rpartition(":")[2] for kind in kinds
    ]


def _event(node: Node, known: Mapping[str, Node], place: str, page: Page) -> Found | None:
    draft = Draft(page, place)
    draft.title(words(node.get("name")) or words(node.get("headline")))
    draft.text("source_event_id", words(node.get("identifier")))
    for address in [*addresses(node.get("url")), *addresses(node.get("mainEntityOfPage"))][:1]:
        draft.link(address)
    if start := words(node.get("startDate")):
        draft.when(read_from_to(start, words(node.get("endDate")), page.calendar))
    elif node.get("eventSchedule"):
        draft.set("doubts", ("it comes again by a schedule that is not read",))
    draft.venue(_place(node.get("location"), known))
    draft.price(price_of(node, page))
    draft.description(words(node.get("description")))
    draft.images(addresses(node.get("image")))
    draft.categories([*_own_kinds(node), *_keywords(node)])
    draft.text("organiser", words(_whole(node.get("organizer"), known)))
    draft.status(state_of(words(node.get("eventStatus"))))
    return draft.done()


def _own_kinds(node: Node) -> list[str]:
    return [kind for kind in _kinds(node) if kind != "Event"]


def _keywords(node: Node) -> list[str]:
    several = [*all_words(node.get("keywords")), *all_words(node.get("genre"))]
    return [word for one in several for word in one.split(",") if len(word) <= 60]


def _whole(value: Any, known: Mapping[str, Node]) -> Any:
    """Give the thing that a value refers to by its address alone."""
    while isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict) and set(value) <= {"@id", "@type"}:
        return known.get(str(value.get("@id")), value)
    return value


def _place(value: Any, known: Mapping[str, Node]) -> Place | None:
    several = value if isinstance(value, list) else [value]
    for one in several[:10]:
        found = _whole(one, known)
        if isinstance(found, str) and found.strip():
            return Place(name=" ".join(found.split()))
        if isinstance(found, dict) and "VirtualLocation" not in _kinds(found):
            return _of_place(found, known)
    return None


def _of_place(node: Node, known: Mapping[str, Node]) -> Place:
    address = _whole(node.get("address"), known)
    geo = _whole(node.get("geo"), known)
    geo = geo if isinstance(geo, dict) else node
    written = city = None
    if isinstance(address, dict):
        names = ("streetAddress", "addressLocality", "addressRegion", "postalCode")
        parts = [words(address.get(name)) for name in (*names, "addressCountry")]
        written = ", ".join(dict.fromkeys(part for part in parts if part)) or None
        city = words(address.get("addressLocality"))
    else:
        written = words(address)
    latitude, longitude = degrees(geo.get("latitude"), 90), degrees(geo.get("longitude"), 180)
    both = latitude is not None and longitude is not None and (latitude, longitude) != (0, 0)
    return Place(
        name=_one_line(words(node.get("name"))),
        address=_one_line(written),
        city=_one_line(city),
        latitude=latitude if both else None,
        longitude=longitude if both else None,
    )


def _one_line(text: str | None) -> str | None:
    return " ".join(text.split()) if text else None


def _of_microdata(item: Any) -> Any:
    """Write a thing of microdata as JSON-LD has it."""
    if isinstance(item, list):
        return [_of_microdata(one) for one in item]
    if not isinstance(item, dict):
        return item
    node = {name: _of_microdata(value) for name, value in item["properties"].items()}
    return {"@type": item.get("type"), **({"@id": item["id"]} if "id" in item else {}), **node}


def _of_rdfa(node: Node) -> Node:
    """Write a thing of RDFa without the addresses of its words."""
    short: Node = {}
    for name, values in node.items():
        if not name.startswith("@"):
            own = name.replace("#", "/").rpartition("/")[2]
            short[own] = [one.get("@value", one) for one in values]
    return {**short, "@id": node["@id"], "@type": node.get("@type", [])}
