"""Put what a stranger wrote into words for a terminal, so that no terminal obeys it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from typing import Any

_WIDEST_VALUE = 100

Change = Mapping[str, Any]
"""What is different in a field: its old and its new value, or whatever its source says of it."""


def printable(text: str) -> str:
    """Show control signs and half characters by their codes."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )


def value(something: Any) -> str:
    """Show a value as JSON, and no more of it than fits a line."""
    text = printable(json.dumps(something, ensure_ascii=False))
    return text if len(text) <= _WIDEST_VALUE else f"{text[: _WIDEST_VALUE - 1]}…"


def from_to(edit: Change) -> str:
    """Show the old and the new value."""
    old, new = (value(edit[side]) if side in edit else "nothing" for side in ("old", "new"))
    return f"{old} → {new}"


def edit_lines(edit: Change, indent: str) -> Iterator[str]:
    """Show a long text by its lines that differ, anything else by its two values."""
    path, old, new = printable(edit["path"]), edit.get("old"), edit.get("new")
    if isinstance(old, str) and isinstance(new, str) and "\n" in old + new:
        yield f"{indent}{path}:"
        lines = unified_diff(old.splitlines(), new.splitlines(), n=1, lineterm="")
        # The first two name the files, and there are none.
        yield from (f"{' ' * len(indent)}    {printable(line)}" for line in list(lines)[2:])
    else:
        yield f"{indent}{path}: {from_to(edit)}"


def field_in_short(name: str, _change: Change) -> str:
    """Say which field has changed."""
    return name


def field_in_full(name: str, change: Change) -> Iterator[str]:
    """Say what has changed in a field."""
    return edit_lines({"path": name, **change}, "")
