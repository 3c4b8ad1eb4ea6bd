"""Find the line of a key in a TOML file, which its reader does not tell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

Path = tuple[str, ...]

_WORD = r"[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'"
_DOTTED = rf"(?:{_WORD})(?:\s*\.\s*(?:{_WORD}))*"
_TABLE = re.compile(rf"\s*\[+\s*({_DOTTED})\s*\]+")
_KEY = re.compile(rf"\s*({_DOTTED})\s*=")
_EACH = re.compile(_WORD)


def lines_of(text: str) -> Mapping[Path, int]:
    """Give the line at which each table and each key of a table begins, counted from 1.

    A line inside a text of several lines may look like a key: the first that does is taken, and a
    place that is a line off is still near.
    """
    found: dict[Path, int] = {}
    table: Path = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _TABLE.match(line):
            table = _parts(header[1])
            _note(found, (), table, number)
        elif key := _KEY.match(line):
            _note(found, table, _parts(key[1]), number)
    return found


def _note(found: dict[Path, int], table: Path, parts: Path, number: int) -> None:
    """Note where a key begins, and what it is the first to stand in."""
    for length in range(1, len(parts) + 1):
        found.setdefault((*table, *parts[:length]), number)


def line_of(lines: Mapping[Path, int], path: Sequence[str]) -> int | None:
    """Give the line of a key, else that of what it stands in."""
    for length in range(len(path), 0, -1):
        if found := lines.get(tuple(path[:length])):
            return found
    return None


def _parts(dotted: str) -> Path:
    return tuple(part.strip("\"'") for part in _EACH.findall(dotted))
