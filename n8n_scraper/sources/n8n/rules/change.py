"""Decide what of a template is its author's work, and what of that has changed.

Views, dates and everything computed are no change. What was not observed says nothing: a layer
that failed or was not asked takes nothing away.

A record is a template as its row or its line in a feed has it. Nothing but the few fields below is
read of it, so that a row can be compared that an older version has written.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.core.source import Authored, Content, Record
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.rules.blacked_out import same
from n8n_scraper.sources.n8n.rules.difference import difference
from n8n_scraper.sources.n8n.rules.difference_words import in_full, in_short

_AS_THEY_ARE = ("title", "description", "categories", "price", "purchase_url", "workflow")

NAMES = ("title", "slug")
"""What a template is known by."""

# Where the site does not name a price, it may simply not have been asked the right way.
_ONLY_WITH_A_VALUE = ("price", "purchase_url")


def content_of(record: Record) -> Content:
    """Everything that an author can edit; null where it was not observed or is not there."""
    content = {name: record[name] for name in _AS_THEY_ARE}
    return content | {"author": (record["author"] or {}).get("username")}


def observed(record: Record) -> Content:
    """The part of it of which the answers spoke, be it to say that there is none."""
    content = content_of(record)
    return {name: value for name, value in content.items() if _spoke_of(record, name, value)}


def _spoke_of(record: Record, name: str, value: object) -> bool:
    if value is not None or name in _ONLY_WITH_A_VALUE:
        return value is not None
    return status_of(record, Layer.JSON if name == "workflow" else Layer.METADATA) == PartStatus.OK


def status_of(record: Record, layer: Layer) -> str | None:
    """How a layer of the template ended."""
    status: str | None = record["layers"].get(layer, {}).get("status")
    return status


def changes(
    old: Mapping[str, Any], new: Mapping[str, Any], *, shared_keys_only: bool = False
) -> dict[str, Any]:
    """Name each field that both sides know and that differs, with its old and its new value.

    The workflow's entry is the difference node by node, unless one side has no workflow at all.
    """
    found: dict[str, Any] = {}
    for name in new:
        if name not in old:
            continue
        before, after = _as_compared(name, old[name]), _as_compared(name, new[name])
        if isinstance(before, dict) and isinstance(after, dict):
            inside = difference(before, after, shared_keys_only=shared_keys_only)
            if inside:
                found[name] = inside.as_json()
        elif not same(before, after):
            found[name] = {"old": old[name], "new": new[name]}
    return found


def _as_compared(name: str, value: Any) -> Any:
    """Take off what is no edit: white space of a title, order of categories, a working title."""
    if name == "title" and isinstance(value, str):
        return " ".join(value.split())
    if name == "categories" and isinstance(value, list):
        return sorted(map(str, value))
    if name == "workflow" and isinstance(value, dict):
        # The name in the author's own n8n: where it differs, it mostly follows the title.
        return {key: part for key, part in value.items() if key != "name"}
    return value


def renaming(old: Record, new: Record) -> dict[str, Any]:
    """The old and the new title and slug, for those of them that are known and differ."""
    return changes(_names(old), _names(new))


def _names(record: Record) -> dict[str, str]:
    return {name: record[name] for name in NAMES if record[name] is not None}


def _changes(known: Content, seen: Content, read_elsewhere: Collection[str]) -> dict[str, Any]:
    # The answers that a workflow can stand in do not all carry the same settings.
    return changes(known, seen, shared_keys_only="workflow" in read_elsewhere)


AUTHORED = Authored(NAMES, content_of, observed, _changes, renaming, in_short, in_full)
"""What history is kept of."""
