"""Which sources a file of tests is about: those that it imports, itself or through another."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).parents[1]
_OF_SOURCES = "n8n_scraper.sources."
SOURCES = {"n8n", "hk_events", "events"}


@cache
def sources_of(path: Path) -> frozenset[str]:
    """Name the sources that are imported where the file is; not those that only types need."""
    found = set()
    for name in _imports(path):
        if name.startswith(_OF_SOURCES):
            found.add(name.split(".")[2])
        elif (other := _file_of(name)) and other != path:
            found |= sources_of(other)
    return frozenset(found & SOURCES)


def _imports(path: Path) -> Iterator[str]:
    for statement in ast.parse(path.read_text("utf-8")).body:
        if isinstance(statement, ast.Import):
            yield from (one.name for one in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            yield statement.module
            yield from (f"{statement.module}.{one.name}" for one in statement.names)


def _file_of(name: str) -> Path | None:
    """Give the file of a module of the tests."""
    path = PROJECT / f"{name.replace('.', '/')}.py"
    return path if name.startswith("tests.") and path.is_file() else None
