"""A folder for Datasette: a SQLite file of plain columns, and questions that are ready to ask."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from n8n_scraper.core.source import Source
from n8n_scraper.exports.flat import flat_columns, flat_row
from n8n_scraper.exports.of_source import exports_of
from n8n_scraper.exports.writer import Writer

_TYPES = {str: "TEXT", int: "INTEGER", float: "REAL", bool: "INTEGER"}
_ROWS_AT_ONCE = 500


class DatasetteWriter(Writer[Any]):
    """Writes `metadata.json`, and `templates.db`, or what the items are called, with its tables."""

    def __init__(self, folder: Path, source: Source, about: Mapping[str, Any]) -> None:
        folder.mkdir()
        self._folder, self._source, self._about = folder, source, about
        self._columns = flat_columns(source)
        self._table = f"{source.noun.many}_flat"
        self._lists = exports_of(source).lists
        self._rows: list[dict[str, Any]] = []
        self._of_lists: dict[str, list[tuple[Any, ...]]] = {name: [] for name in self._lists}
        self._file = sqlite3.connect(folder / f"{source.noun.many}.db")
        self._make_tables()

    def write(self, item: Any) -> None:
        """Add a row, and one for each name in its lists."""
        self._rows.append(flat_row(self._columns, item))
        for name, names_in in self._lists.items():
            key = getattr(item, self._source.key)
            self._of_lists[name] += [(key, *row) for row in names_in(item)]
        if len(self._rows) >= _ROWS_AT_ONCE:
            self._flush()

    def finish(self) -> dict[str, Any]:
        """End the file, and say beside it what it is."""
        self._flush()
        self._file.execute("VACUUM")
        self._file.close()
        described = json.dumps(self._metadata(), ensure_ascii=False, indent=2)
        (self._folder / "metadata.json").write_text(described + "\n", encoding="utf-8")
        return {}

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _make_tables(self) -> None:
        key = self._source.key
        columns = ", ".join(f'"{one.name}" {_TYPES[one.type]}' for one in self._columns)
        self._file.execute(f'CREATE TABLE "{self._table}" ({columns}, PRIMARY KEY ("{key}"))')
        for name in self._lists:
            self._file.execute(
                f'CREATE TABLE "{name}" ("{key}" TEXT REFERENCES "{self._table}", '
                '"name" TEXT, "number" INTEGER)'
            )
            self._file.execute(f'CREATE INDEX "ix_{name}" ON "{name}" ("name")')

    def _flush(self) -> None:
        marks = ", ".join(f":{one.name}" for one in self._columns)
        with self._file:
            into = f'INSERT INTO "{self._table}" VALUES ({marks})'  # noqa: S608 - names of ours
            self._file.executemany(into, self._rows)
            for name, rows in self._of_lists.items():
                into = f'INSERT INTO "{name}" VALUES (?, ?, ?)'  # noqa: S608 - a name of ours
                self._file.executemany(into, rows)
                rows.clear()
        self._rows.clear()

    def _metadata(self) -> dict[str, Any]:
        exports, many = exports_of(self._source), self._source.noun.many
        return {
            "title": f"{many.capitalize()} of {self._source.name}",
            "description": f"{exports.note} Exported at {self._about['exported_at']}.",
            "databases": {
                many: {
                    "tables": {self._table: {"label_column": "title"}},
                    "queries": {
                        name: {"title": title, "sql": sql}
                        for name, (title, sql) in exports.questions.items()
                    },
                }
            },
        }
