"""Put changes into words for a terminal; whatever a stranger wrote is shown harmlessly."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from typing import Any

_WIDEST_VALUE = 100

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


def printable(text: str) -> str:
    """Show control signs and half characters by their codes, so that no terminal obeys them."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )


def summary(kind: str, details: Mapping[str, Any]) -> str:
    """Say in a few words what an event was."""
    if kind == "changed":
        fields: Mapping[str, Any] = details.get("fields", {})
        return ", ".join(_field_in_short(name, change) for name, change in fields.items())
    if kind == "renamed":
        return ", ".join(f"{name} {_from_to(change)}" for name, change in details.items())
    return printable(str(details.get("reason", "")))


def _field_in_short(name: str, change: Mapping[str, Any]) -> str:
    counts = [
        f"{len(change[part])} {words[len(change[part]) > 1]}"
        for part, words in _COUNTED.items()
        if part in change
    ]
    return f"{name} ({', '.join(counts)})" if counts else name


def report(changes: Mapping[str, Any]) -> Iterator[str]:
    """Tell everything that changed, field by field, and the workflow node by node."""
    for name, change in changes.items():
        if any(part in change for part in _COUNTED):
            yield f"{name}:"
            yield from _workflow_lines(change)
        else:
            yield from _edit_lines({"path": name, **change}, "")


def _workflow_lines(change: Mapping[str, Any]) -> Iterator[str]:
    for node in change.get("nodes_added", ()):
        yield f"  + node {_node(node)}"
    for node in change.get("nodes_removed", ()):
        yield f"  - node {_node(node)}"
    for names in change.get("nodes_renamed", ()):
        yield f"  ~ node {_from_to(names)}"
    for node in change.get("nodes_edited", ()):
        yield f"  ~ node {_node(node)}"
        for edit in node["edits"]:
            yield from _edit_lines(edit, "      ")
    for wire in change.get("connections_added", ()):
        yield f"  + wire {printable(wire)}"
    for wire in change.get("connections_removed", ()):
        yield f"  - wire {printable(wire)}"
    for edit in change.get("other", ()):
        yield from _edit_lines(edit, "  ~ ")


def _node(node: Mapping[str, Any]) -> str:
    return f"{_value(node['name'])} ({printable(str(node['type']))})"


def _edit_lines(edit: Mapping[str, Any], indent: str) -> Iterator[str]:
    """Show a long text by its lines that differ, anything else by its two values."""
    path, old, new = printable(edit["path"]), edit.get("old"), edit.get("new")
    if isinstance(old, str) and isinstance(new, str) and "\n" in old + new:
        yield f"{indent}{path}:"
        lines = unified_diff(old.splitlines(), new.splitlines(), n=1, lineterm="")
        # The first two name the files, and there are none.
        yield from (f"{' ' * len(indent)}    {printable(line)}" for line in list(lines)[2:])
    else:
        yield f"{indent}{path}: {_from_to(edit)}"


def _from_to(edit: Mapping[str, Any]) -> str:
    old, new = (_value(edit[side]) if side in edit else "nothing" for side in ("old", "new"))
    return f"{old} → {new}"


def _value(value: Any) -> str:
    text = printable(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= _WIDEST_VALUE else f"{text[: _WIDEST_VALUE - 1]}…"
