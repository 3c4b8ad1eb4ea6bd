"""Read exports with the tools that other people read them with."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from n8n_scraper.sources.n8n.item import Template

Row = dict[str, Any]


def with_pyarrow(path: Path) -> list[Row]:
    """The rows of a Parquet file as values of JSON, read with pyarrow."""
    table = pq.read_table(path)
    return [
        _parsed({field.name: _plain(row[field.name], field.type) for field in _told(table.schema)})
        for row in table.to_pylist()
    ]


def with_duckdb(path: Path) -> list[Row]:
    """The same, read with DuckDB."""
    relation = duckdb.read_parquet(str(path))
    schema = pq.read_schema(path)
    rows = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
    told = _told(schema)
    return [_parsed({one.name: _plain(row[one.name], one.type) for one in told}) for row in rows]


def as_lines(path: Path) -> list[Row]:
    """The lines of a JSON Lines file, read with nothing but a reader of JSON."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def differences(seen: list[Row], kept: list[Template]) -> list[str]:
    """Name every place at which rows and templates are not the same to the letter.

    JSON tells 1 from 1.0 and from true, which Python takes for the same.
    """
    found = [] if len(seen) == len(kept) else [f"{len(seen)} rows of {len(kept)} templates"]
    for row, one in zip(seen, kept, strict=False):
        expected = one.model_dump(mode="json")
        found += [
            f"{one.workflow_id}: {name}"
            for name in sorted({*row, *expected})
            if json.dumps(row.get(name, "no column")) != json.dumps(expected.get(name, "no field"))
        ]
    return found


def _told(schema: pa.Schema) -> list[pa.Field]:
    """Leave out what says a time once more, as a time."""
    return [field for field in schema if not pa.types.is_timestamp(field.type)]


def _plain(value: Any, kind: pa.DataType) -> Any:
    """Make dictionaries of lists of entries."""
    if value is None:
        return None
    if pa.types.is_list(kind) and _is_entry(kind.value_type):
        item = kind.value_type.field("value").type
        return {one["key"]: _plain(one["value"], item) for one in value}
    if pa.types.is_struct(kind):
        return {field.name: _plain(value[field.name], field.type) for field in kind}
    if pa.types.is_list(kind):
        return [_plain(one, kind.value_type) for one in value]
    return value


def _is_entry(kind: pa.DataType) -> bool:
    return pa.types.is_struct(kind) and [field.name for field in kind] == ["key", "value"]


def _parsed(row: Row) -> Row:
    """Read what stands as JSON text, because it has no type of its own."""
    row["workflow"] = _json(row["workflow"])
    for note in row["notes"] or []:
        note["color"] = _json(note["color"])
    return row


def _json(text: str | None) -> Any:
    return None if text is None else json.loads(text)
