"""Find what should never have been published: keys, tokens, passwords, addresses of people.

A finding says the kind, the place and how often; the value itself is in no finding and no log.
Placeholders, the site's own and those that people write, are no secrets, nor are expressions that
ask for one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeVar

from n8n_scraper.items import SecretFinding, Template
from n8n_scraper.pages import reading
from n8n_scraper.pages.workflow import STICKY_NOTE
from n8n_scraper.policies.look_alikes import is_placeholder
from n8n_scraper.policies.secret_kinds import KINDS, Kind, kind_by_name

T = TypeVar("T")


class Redaction(StrEnum):
    """What is done about secrets: the values of `N8N_REDACT`."""

    OFF = "off"
    REPORT = "report"
    REPLACE = "replace"


_TELLS_APART = ("workflow_id", "url", "slug", "author", "categories")
_MEASURED = (
    *("created_at", "last_update_text", "views", "recent_views", "price", "purchase_url"),
    *("node_count", "note_count", "connection_count", "node_types", "trigger_types"),
    *("credential_types", "community_nodes"),
)
_OF_THE_CRAWL = (
    *("secrets", "outcome", "layers", "in_inventory", "unobserved", "sources", "content_hash"),
    *("run_id", "scraped_at", "processing_time"),
)
# The author is whom to credit; all else is the author's text.
KEPT = frozenset((*_TELLS_APART, *_MEASURED, *_OF_THE_CRAWL))

# Pictures and files in pinned data: no secret has this length, and nothing in it is a word.
_BLOB = re.compile(r"(?:data:[\w/+.;-]{1,80},)?[A-Za-z0-9+/_=\r\n-]{4096,}")
_PLAIN_KEY = re.compile(r"[A-Za-z_]\w*")
# By which a node's parameter says what the value beside it is.
_NAMING = ("name", "key", "headerName", "parameterName")
_NAMED = ("value", "headerValue", "stringValue")


@dataclass(frozen=True, slots=True)
class _Text:
    """A string of a JSON value: where it stands, and the name under which it stands there."""

    place: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class _Hit:
    kind: str
    start: int
    end: int


def find_secrets(template: Template) -> list[SecretFinding]:
    """Look through a template's workflow, its notes and its description."""
    notes = _places_of_notes(template.workflow or {})
    texts = [
        replace(one, place=notes.get(one.place, one.place))
        for one in _texts_of(template.workflow, "workflow")
    ]
    described = template.description
    place = "description"
    if described is None and template.explainer is not None:
        described, place = template.explainer.page_text, "explainer.page_text"
    return _findings([*texts, *_texts_of(described, place)])


def findings_in(value: Any, place: str = "") -> list[SecretFinding]:
    """Look through a text or any JSON value."""
    return _findings(list(_texts_of(value, place)))


def redact(value: T) -> T:
    """The same text or JSON value with `[REDACTED:kind]` in the place of each secret.

    Keys are texts too, so that the wires of a workflow still find their nodes.
    """
    clean = _redacted(value, "", _candidates(_strings(value)))
    # What stood beside a secret may come to light without it.
    return value if clean == value else redact(clean)


def redacted(template: Template) -> Template:
    """The same template without the secrets in its author's texts; the original is untouched."""
    written = template.model_dump(mode="json", exclude=set(KEPT))
    clean = redact(written)
    if clean == written:
        return template
    return Template.model_validate(template.model_dump(mode="json") | clean)


def _places_of_notes(workflow: dict[str, Any]) -> dict[str, str]:
    """Where the text of each note stands in the workflow, and where in the item's `notes`."""
    nodes = reading.listing(workflow.get("nodes"))
    places = [
        f"workflow.nodes[{index}].parameters.content"
        for index, node in enumerate(nodes)
        if isinstance(node, dict) and node.get("type") == STICKY_NOTE
    ]
    return {place: f"notes[{index}].text" for index, place in enumerate(places)}


def _findings(texts: list[_Text]) -> list[SecretFinding]:
    kinds = _candidates(one.text for one in texts)
    counts: Counter[tuple[str, str]] = Counter()
    for one in texts:
        if found := _clean(one.text, one.name, kinds)[1]:
            place = _clean(one.place, "", KINDS)[0]
            counts.update({(kind, place): count for kind, count in found.items()})
    return [
        SecretFinding(kind=kind, place=place, count=count)
        for (kind, place), count in counts.items()
    ]


def _candidates(texts: Iterable[str]) -> list[Kind]:
    """The kinds that can occur at all: most workflows have none, and are done with one look."""
    everything = "\n".join(text for text in texts if not _BLOB.fullmatch(text))
    return [kind for kind in KINDS if next(kind.secrets(everything), None)]


def _redacted(value: Any, name: str, kinds: list[Kind]) -> Any:
    if isinstance(value, str):
        return _clean(value, name, kinds)[0]
    if isinstance(value, list):
        return [_redacted(one, name, kinds) for one in value]
    if isinstance(value, dict):
        clean: dict[str, Any] = {}
        for key, one in value.items():
            new = _clean(key, "", kinds)[0]
            while new in clean:  # two keys differed only by their secrets
                new += "'"
            clean[new] = _redacted(one, _name_of(key, value), kinds)
        return clean
    return value


def _clean(text: str, name: str, kinds: Iterable[Kind]) -> tuple[str, Counter[str]]:
    """Replace until nothing is found: what stood beside a secret may come to light without it."""
    found: Counter[str] = Counter()
    while hits := _hits(text, name, kinds):
        for hit in reversed(hits):
            found[hit.kind] += 1
            text = f"{text[: hit.start]}[REDACTED:{hit.kind}]{text[hit.end :]}"
    return text, found


def _hits(text: str, name: str, kinds: Iterable[Kind]) -> list[_Hit]:
    """The secrets of a text in their order, none within another."""
    if len(text) < 6 or _BLOB.fullmatch(text):
        return []
    hits: list[_Hit] = []
    for kind in kinds:
        for start, end in kind.secrets(text):
            if all(end <= other.start or other.end <= start for other in hits):
                hits.append(_Hit(kind.name, start, end))
    if not hits and name and not is_placeholder(text) and (by_name := kind_by_name(name, text)):
        hits = [_Hit(by_name, 0, len(text))]
    return sorted(hits, key=lambda hit: hit.start)


def _texts_of(value: Any, place: str, name: str = "") -> Iterator[_Text]:
    """Every string of a JSON value with its place."""
    if isinstance(value, str):
        yield _Text(place, name, value)
    elif isinstance(value, list):
        for index, one in enumerate(value):
            yield from _texts_of(one, f"{place}[{index}]", name)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _texts_of(one, _below(place, key), _name_of(key, value))


def _strings(value: Any) -> Iterator[str]:
    """Every string of a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
    elif isinstance(value, dict):
        yield from value
        for one in value.values():
            yield from _strings(one)


def _below(place: str, key: str) -> str:
    if not _PLAIN_KEY.fullmatch(key):
        return f'{place}["{key}"]'
    return f"{place}.{key}" if place else key


def _name_of(key: str, parent: dict[str, Any]) -> str:
    """What a value is called: by its key, or by the name that stands beside it."""
    if key in _NAMED:
        given = (parent.get(naming) for naming in _NAMING)
        return next((one for one in given if isinstance(one, str)), key)
    return key
