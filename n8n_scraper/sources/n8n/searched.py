"""How templates are searched: by what they are called, made of, and say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from n8n_scraper.core.searched import Document, Facet, Searched, plain_name
from n8n_scraper.core.source import Record
from n8n_scraper.sources.n8n.pages.workflow import working_nodes

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CREDENTIAL = re.compile(r"(OAuth2Api|OAuth2|TokenApi|AppToken|BotApi|AccessToken|Api|Trigger)+$")
_OF_NO_SERVICE = re.compile(r"^(http|jwt|crypto|oAuth).*", re.IGNORECASE)
_SIGNS = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|^[ \t]*(?:#+|[-*+>]|\d+\.)[ \t]+|[*_`~]{1,3}", re.M)


def document(record: Record, read_in_pictures: Sequence[str]) -> Document:
    """Give what of a template is searched."""
    author = record["author"] or {}
    explainer = record["explainer"] or {}
    types = list(record["node_types"] or ())
    body = [
        explainer.get("text") or record["description"],
        *(plain_note(note["text"]) for note in record["notes"] or ()),
        " · ".join(_node_names(record["workflow"])),
        *(one["text"] for one in record["transcripts"] or ()),
        *read_in_pictures,
    ]
    names = [
        *(" ".join(_spoken(node)) for node in map(node_of, types)),
        *(record["categories"] or ()),
        author.get("name"),
        author.get("username"),
    ]
    return Document(
        title=record["title"] or "",
        names=tuple(filter(None, dict.fromkeys(names))),
        body=tuple(filter(None, body)),
        facets=_facets(record, types, author),
        popularity=record["views"],
        created_at=record["created_at"],
        score=(record["quality"] or {}).get("score"),
    )


def node_of(node_type: str) -> str:
    """Name a node by its type: without its package, and as itself where an agent uses it."""
    name = node_type.rpartition(".")[2]
    return name.removesuffix("HitlTool").removesuffix("Tool") or name


def services_of(credential_types: Iterable[str]) -> Iterator[str]:
    """Name the services for which a template needs credentials."""
    for name in credential_types:
        if not _OF_NO_SERVICE.match(name):
            yield _CREDENTIAL.sub("", name) or name


def _facets(
    record: Record, types: Iterable[str], author: dict[str, Any]
) -> dict[str, Sequence[str]]:
    price, created = record["price"], record["created_at"]
    verdict = (record["import_check"] or {}).get("verdict")
    grade = (record["quality"] or {}).get("grade")
    found = {
        "category": record["categories"],
        "node": sorted(set(map(node_of, types))),
        "service": sorted(set(services_of(record["credential_types"] or ()))),
        "trigger": [name.rpartition(".")[2] for name in record["trigger_types"] or ()],
        "author": [author.get("username") or author.get("name")],
        "price": ["paid" if price or record["purchase_url"] else "free"],
        "verdict": [verdict],
        "grade": [grade],
        "year": [created[:4] if created else None],
    }
    return {name: tuple(filter(None, values or ())) for name, values in found.items()}


def _spoken(node: str) -> Iterator[str]:
    """Write a node's name as people may: in one word, in several, and in some of them together."""
    words = _HUMP.split(node)
    yield from words
    if len(words) > 1:
        yield node
    if len(words) > 2:
        yield from map("".join, pairwise(words))


def _node_names(workflow: Any) -> Iterator[str]:
    if isinstance(workflow, dict):
        names = (node.get("name") for node in working_nodes(workflow))
        yield from (name for name in names if isinstance(name, str))


def plain_note(markdown: str | None) -> str:
    """Take the signs out of a note; its words stay."""
    return _SIGNS.sub(lambda found: found.group(1) or "", markdown or "").strip()


def _pictures(record: Record) -> list[str]:
    return [image["url"] for image in record["images"] or ()]


def _node_spelling(name: str) -> str:
    return plain_name(node_of(name.strip()))


def _type_spelling(name: str) -> str:
    return plain_name(name.rpartition(".")[2])


SEARCHED = Searched(
    document=document,
    facets=(
        Facet("category", "a category of the site's"),
        Facet("node", "a type of node, such as slack", _node_spelling),
        Facet("service", "a service that it needs credentials for"),
        Facet("trigger", "what starts it, such as webhook", _type_spelling),
        Facet("author", "its author's user name"),
        Facet("price", "free or paid"),
        Facet("verdict", "imports, imports with gaps or rejected"),
        Facet("grade", "of its quality"),
        Facet("year", "in which it was published"),
    ),
    pictures=_pictures,
)
