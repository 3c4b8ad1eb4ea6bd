"""Write templates as n8n's template browser reads them.

A template's own metadata answer serves best, being made for that; a row of the archive stands in
for it where there is none.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from n8n_scraper.core.errors import BadContent
from n8n_scraper.core.source import Record
from n8n_scraper.sources.n8n.importable import name_in_n8n
from n8n_scraper.sources.n8n.pages.reading import boolean, listing, load_object, mapping, text

Json = dict[str, Any]

Stored = Callable[[str], str | None]
"""Gives the address at which we have a picture; None of one that we have not."""

_ICONS_DRAWN = 5
"""A card draws no more; an icon of all others would make it megabytes."""
_OF_A_NODE = ("id", "name", "displayName", "icon", "defaults")
LARGEST_ID = 2**31 - 1


class _Workflow(msgspec.Struct):
    nodes: list[Json] | None = None


class _Answer(msgspec.Struct):
    workflow: _Workflow


# All but the nodes is passed over: a list has a hundred of these answers.
_NODES = msgspec.json.Decoder(_Answer)


def nodes_in(answer: bytes | None) -> list[Json]:
    """Give the kinds of nodes that a metadata answer describes, with their icons."""
    try:
        return (_NODES.decode(answer).workflow.nodes or []) if answer else []
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return []  # it is kept as it came; what could be read of it is in the record


def payload_of(answer: bytes | None) -> Json:
    """Give the template as a metadata answer has it; nothing where that cannot be read."""
    try:
        return mapping(load_object(answer).get("workflow")) if answer else {}
    except BadContent:
        return {}


def card(record: Record, nodes: list[Json], stored: Stored) -> Json:
    """Give a template as a list shows it."""
    fields = {
        "id": int(record["workflow_id"]),
        "name": record["title"] or f"Template {record['workflow_id']}",
        "totalViews": record["views"],
        "recentViews": record["recent_views"],
        "createdAt": record["created_at"],
        "user": _user(record, stored),
        "price": record["price"],
        "purchaseUrl": record["purchase_url"],
    }
    # What is missing is shown as nothing; null is shown as a number, a date, a name.
    given = {name: value for name, value in fields.items() if value is not None}
    return given | {"nodes": list(_nodes(record, nodes))}


def _user(record: Record, stored: Stored) -> Json | None:
    author = mapping(record["author"])
    if not author:
        return None
    avatar = text(author.get("avatar"))
    fields = {
        "username": text(author.get("username")) or text(author.get("name")),
        "name": text(author.get("name")),
        "bio": text(author.get("bio")),
        "verified": boolean(author.get("verified")),
        "links": listing(author.get("links")),
        "avatar": avatar and (stored(avatar) or avatar),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _nodes(record: Record, nodes: list[Json]) -> Iterator[Json]:
    if not nodes:
        types = mapping(record["node_types"])
        yield from ({"name": one, "displayName": one.rsplit(".", 1)[-1]} for one in types)
    for place, one in enumerate(nodes):
        wanted = (*_OF_A_NODE, "iconData") if place < _ICONS_DRAWN else _OF_A_NODE
        yield {name: one[name] for name in wanted if name in one}


def detail(record: Record, payload: Json, stored: Stored) -> Json:
    """Give a template whole, as its page shows it; pictures that we have are shown from here."""
    own = {
        **card(record, listing(payload.get("nodes")), stored),
        "description": record["description"],
        "workflow": record["workflow"],
        "categories": [category(name) for name in record["categories"] or ()],
        "image": [],
    }
    whole = {name: value for name, value in own.items() if value is not None} | payload
    whole |= {"id": own["id"], "name": own["name"]}
    if user := own.get("user"):
        whole["user"] = mapping(payload.get("user")) | user
    whole["image"] = [
        image | {"url": stored(url) or url} if (url := text(image.get("url"))) else image
        for image in listing(whole.get("image"))
        if isinstance(image, dict)
    ]
    return {"workflow": whole}


def importable(record: Record) -> Json | None:
    """Give what is put on the canvas; None where the archive has no workflow of the template.

    In another form than this one n8n shows an empty canvas and says nothing.
    """
    if not mapping(record["workflow"]):
        return None
    return {
        "id": int(record["workflow_id"]),
        "name": name_in_n8n(record["workflow_id"], record["title"]),
        "workflow": record["workflow"],
    }


def category(name: str) -> Json:
    """Give a category; its id follows from its name, so that a bookmark stays true."""
    return {"id": zlib.crc32(name.encode("utf-8", "replace")) & LARGEST_ID, "name": name}


def pictures_of(record: Record, payload: Json) -> list[str]:
    """Name the pictures of a template: its author's, and those that are attached to it."""
    attached = (mapping(one).get("url") for one in listing(payload.get("image")))
    avatar = mapping(record["author"]).get("avatar")
    return [url for url in (avatar, *attached) if isinstance(url, str)]


def categories(names: Iterable[str]) -> Json:
    """Give the categories to choose from; of several the names are sent joined by commas."""
    return {"categories": [category(name) for name in sorted(set(names)) if "," not in name]}


@dataclass(frozen=True, slots=True)
class Collection:
    """Some templates that belong together."""

    id: int
    name: str
    description: str | None
    created_at: str | None
    templates: tuple[str, ...]
    """Their ids, in the order in which they are shown."""


def collection_card(collection: Collection, rank: int) -> Json:
    """Give a collection as the strip above the list shows it; it cannot do without the nodes."""
    fields = {
        "id": collection.id,
        "rank": rank,
        "name": collection.name,
        "createdAt": collection.created_at,
        "workflows": [{"id": int(one)} for one in collection.templates],
        "nodes": [],
    }
    return {name: value for name, value in fields.items() if value is not None}


def collection_whole(collection: Collection, templates: Iterable[Json]) -> Json:
    """Give a collection with the cards of its templates."""
    fields = {
        "id": collection.id,
        "name": collection.name,
        "description": collection.description,
        "createdAt": collection.created_at,
        "nodes": [],
        "categories": [],
        "image": [],
        "workflows": list(templates),
    }
    return {"collection": fields}


def page_of(total: int, templates: Iterable[Json]) -> Json:
    """Give a page of a list, with the number of all that are in it."""
    return {"totalWorkflows": total, "workflows": list(templates), "filters": []}
