"""Read the metadata answer: `GET {api}/api/templates/workflows/{id}`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from n8n_scraper.core.errors import BadContent, WrongItem
from n8n_scraper.sources.n8n.item import Author
from n8n_scraper.sources.n8n.pages import reading
from n8n_scraper.sources.n8n.source import SOURCE

_TIME = re.compile(r"\d{4}-\d\d-\d\dT")


@dataclass(frozen=True, slots=True)
class AttachedImage:
    """A picture attached to a template; its Markdown names it as `fileId:NUMBER`."""

    file_id: int | None
    url: str


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the metadata answer says; None where it says nothing."""

    workflow_id: str
    title: str | None
    description: str | None
    author: Author | None
    categories: list[str] | None
    created_at: str | None
    views: int | None
    recent_views: int | None
    price: float | None
    purchase_url: str | None
    workflow: dict[str, Any] | None
    images: list[AttachedImage]


def read_metadata(body: bytes, *, asked: str) -> Metadata:
    """Turn the metadata answer into typed data; it must belong to the id that was asked."""
    answer = reading.load_object(body).get("workflow")
    if not isinstance(answer, dict):
        raise BadContent("a metadata answer without its `workflow` object")
    found = reading.identity(answer.get("id"))
    if found is None:
        raise BadContent("a metadata answer without an id")
    if found != asked:
        raise WrongItem(SOURCE.noun, asked, found)
    return Metadata(
        workflow_id=found,
        title=reading.filled(answer.get("name")),
        description=reading.filled(answer.get("description")),
        author=read_author(answer.get("user")),
        categories=_categories(answer.get("categories")),
        created_at=read_time(answer.get("createdAt")),
        views=_first_count(answer, "totalViews", "views"),
        recent_views=reading.count(answer.get("recentViews")),
        price=reading.number(answer.get("price")),
        purchase_url=reading.filled(answer.get("purchaseUrl")),
        workflow=read_workflow(answer.get("workflow")),
        images=list(_images(answer.get("image"))),
    )


def read_author(value: object) -> Author | None:
    """Read the `user` of any answer; search gives `links` as JSON inside a string."""
    user = reading.mapping(value)
    if not user:
        return None
    return Author(
        name=reading.text(user.get("name")),
        username=reading.text(user.get("username")),
        bio=reading.text(user.get("bio")),
        verified=reading.boolean(user.get("verified")),
        links=[link for link in map(reading.filled, _links(user.get("links"))) if link],
        avatar=reading.text(user.get("avatar")),
    )


def read_workflow(value: object) -> dict[str, Any] | None:
    """Accept the importable JSON as it is, provided it has nodes to import."""
    workflow = reading.mapping(value)
    return workflow if isinstance(workflow.get("nodes"), list) else None


def read_time(value: object) -> str | None:
    """Accept an ISO time as it is given."""
    found = reading.filled(value)
    return found if found and _TIME.match(found) else None


def _links(value: object) -> list[Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return [value]
    return reading.listing(value)


def _categories(value: object) -> list[str] | None:
    if not isinstance(value, list):
        return None
    names = (reading.filled(reading.mapping(entry).get("name")) for entry in value)
    return [name for name in names if name]


def _first_count(answer: dict[str, Any], *keys: str) -> int | None:
    counts = (reading.count(answer.get(key)) for key in keys)
    return next((found for found in counts if found is not None), None)


def _images(value: object) -> list[AttachedImage]:
    entries = map(reading.mapping, reading.listing(value))
    return [
        AttachedImage(reading.integer(entry.get("id")), url)
        for entry in entries
        if (url := reading.filled(entry.get("url")))
    ]
