"""Say what is wrong with a sources file: one line a fault, with its place and what to write."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.spelling import misspelt
from n8n_scraper.policies.tools.ladder import Tool
from n8n_scraper.sources_file.entry import KEYS, what_to_write
from n8n_scraper.sources_file.places import Path, line_of

_TABLES = ("timeouts", "required", "selectors", "arguments")

_SHOWN = 60
"""So many signs of a value are shown."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at one place."""

    path: Path
    """The keys that lead there; none for what is wrong with the whole file."""
    words: str


class BadSources(BadInput):
    """A sources file that nobody can work with; each of its lines names one fault."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = tuple(lines)


def in_lines(file: str, faults: Iterable[Fault], lines: Mapping[Path, int]) -> list[str]:
    """Write the faults in the order in which they stand in the file."""
    placed = [(line_of(lines, fault.path) or 0, fault) for fault in faults]
    placed.sort(key=lambda one: one[0])
    return [_line(file, number, fault) for number, fault in placed]


def _line(file: str, number: int, fault: Fault) -> str:
    place = f"{file}:{number}" if number else file
    key = ".".join(fault.path)
    return f"{place}: {key}{fault.words}" if key else f"{place}: {fault.words}"


def faults_of(table: str, name: str, error: ValidationError) -> Iterator[Fault]:
    """Say in our words what the model found wrong, once for each key."""
    seen = set()
    for one in error.errors():
        key, *inside = map(str, one["loc"])
        # A key of a table is one more step; what a union has tried is none.
        path = (table, name, key, *(inside[:1] if key in _TABLES else ()))
        if path not in seen:
            seen.add(path)
            yield Fault(path, _words(key, one["type"], one["input"]))


def _words(key: str, kind: str, value: Any) -> str:
    if kind == "extra_forbidden":
        return unknown("key", key, KEYS)
    if kind == "missing":
        return f" is missing; write {what_to_write(key)}."
    if key == "timeouts" and kind == "enum":
        return unknown("tool", str(value), list(Tool))
    return f" is {shown(value)}; write {what_to_write(key)}."


def unknown(what: str, name: str, known: Collection[str]) -> str:
    """Say that there is no such name, and which is meant."""
    meant = misspelt(name, known)
    told = f"is it {meant}?" if meant else f"there are: {', '.join(known)}."
    return f": there is no such {what}; {told}"


def shown(value: Any) -> str:
    """Show what was written, or its beginning."""
    words = json.dumps(value, ensure_ascii=False, default=str)
    return words if len(words) <= _SHOWN else f"{words[: _SHOWN - 1]}…"
