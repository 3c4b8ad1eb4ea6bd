"""Say what has changed in a template, its workflow node by node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from n8n_scraper.core.wording import (
    Change,
    edit_lines,
    field_in_full,
    from_to,
    printable,
    value,
)

# What is said of each part of a workflow's difference: singular and plural.
_COUNTED = {
    "nodes_added": ("node added", "nodes added"),
    "nodes_removed": ("node removed", "nodes removed"),
    "nodes_renamed": ("node renamed", "nodes renamed"),
    "nodes_edited": ("node edited", "nodes edited"),
    "connections_added": ("wire added", "wires added"),
    "connections_removed": ("wire removed", "wires removed"),
    "other": ("setting edited", "settings edited"),
}


def in_short(name: str, change: Change) -> str:
    """Name a field, and count what is different in a workflow."""
    counts = [
        f"{len(change[part])} {words[len(change[part]) > 1]}"
        for part, words in _COUNTED.items()
        if part in change
    ]
    return f"{name} ({', '.join(counts)})" if counts else name


def in_full(name: str, change: Change) -> Iterator[str]:
    """Tell everything that is different in a field, and in a workflow node by node."""
    if any(part in change for part in _COUNTED):
        yield f"{name}:"
        yield from _workflow_lines(change)
    else:
        yield from field_in_full(name, change)


def _workflow_lines(change: Mapping[str, Any]) -> Iterator[str]:
    for node in change.get("nodes_added", ()):
        yield f"  + node {_node(node)}"
    for node in change.get("nodes_removed", ()):
        yield f"  - node {_node(node)}"
    for names in change.get("nodes_renamed", ()):
        yield f"  ~ node {from_to(names)}"
    for node in change.get("nodes_edited", ()):
        yield f"  ~ node {_node(node)}"
        for edit in node["edits"]:
            yield from edit_lines(edit, "      ")
    for wire in change.get("connections_added", ()):
        yield f"  + wire {printable(wire)}"
    for wire in change.get("connections_removed", ()):
        yield f"  - wire {printable(wire)}"
    for edit in change.get("other", ()):
        yield from edit_lines(edit, "  ~ ")


def _node(node: Mapping[str, Any]) -> str:
    return f"{value(node['name'])} ({printable(str(node['type']))})"
