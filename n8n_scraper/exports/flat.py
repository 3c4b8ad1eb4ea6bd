"""An item in one row of plain values: for spreadsheets, and for questions in SQL."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from n8n_scraper.core.item import Item
from n8n_scraper.core.source import Source
from n8n_scraper.exports.annotations import bare, is_text
from n8n_scraper.exports.of_source import exports_of
from n8n_scraper.exports.writer import ItemWriter

_PLAIN = (bool, int, float)


@dataclass(frozen=True, slots=True)
class FlatColumn:
    """A column of plain values."""

    name: str
    type: type[str] | type[int] | type[float] | type[bool]
    value: Callable[[Any], str | int | float | bool | None]
    """Takes it from an item."""


def flat_columns(source: Source) -> tuple[FlatColumn, ...]:
    """Give the fields that are plain values by their type, then what the source makes of others."""
    fields = source.kind().item.model_fields.items()
    plain = [(name, _plain(field.annotation)) for name, field in fields]
    own = [FlatColumn(name, kind, _field(name)) for name, kind in plain if kind is not None]
    return (*own, *exports_of(source).flat)


def flat_row(columns: tuple[FlatColumn, ...], item: Any) -> dict[str, Any]:
    """Give the row of an item."""
    return {column.name: column.value(item) for column in columns}


class FlatWriter(ItemWriter):
    """Writes the rows of items in the place of the items."""

    def __init__(self, path: Path, source: Source, exporter: Callable[[BinaryIO], Any]) -> None:
        super().__init__(path, exporter)
        self._columns = flat_columns(source)

    def write(self, item: Item) -> None:
        """Add a row."""
        self._exporter.export_item(flat_row(self._columns, item))


def _plain(annotation: Any) -> Any:
    kind = bare(annotation)
    if is_text(kind):
        return str
    return kind if kind in _PLAIN else None


def _field(name: str) -> Callable[[Any], Any]:
    def value(item: Any) -> Any:
        found = getattr(item, name)
        return str(found) if isinstance(found, str) else found

    return value
