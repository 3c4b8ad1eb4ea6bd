"""Decide by what templates are compared, and which of several that look alike is kept.

What is compared is the graph: the nodes by type, and the wires between types. Names, texts and
parameters do not count, so that a translated or rebranded copy is found as well.
"""

from __future__ import annotations

from typing import Any

from n8n_scraper.core.source import Likeness, Record
from n8n_scraper.policies.likeness.features import Features, telling_first
from n8n_scraper.sources.n8n.pages import workflow as reading


def features(record: Record) -> Features[int]:
    """Give the parts of a template's graph: wires tell more than the nodes that they join."""
    workflow: dict[str, Any] = record["workflow"] or {}
    nodes = reading.working_nodes(workflow)
    types = {str(node.get("name")): str(node.get("type")) for node in nodes}
    wires = (
        f"{types.get(wire.source, '?')} {wire.output} {types.get(str(wire.target), '?')}"
        for wire in reading.edges(workflow)
    )
    return telling_first(wires, (str(node.get("type")) for node in nodes))


def standing(record: Record) -> tuple[Any, ...]:
    """Put first what the site still has, then the most viewed, then the oldest."""
    number = record["workflow_id"]
    return (
        record["removed_at"] is not None,
        -(record["views"] or 0),
        record["created_at"] or "9",
        len(number),
        number,
    )


LIKENESS = Likeness(
    fields=("workflow",),
    features=features,
    standing_fields=("workflow_id", "removed_at", "views", "created_at"),
    standing=standing,
)
