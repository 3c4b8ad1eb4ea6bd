"""How each field of an item stands in a column: derived from its type, whatever it is.

Lists are lists, models are structs, dictionaries with typed values are lists of entries: maps would
say it better, but not every reader of Parquet takes them. What has no type of its own stands as
JSON text.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args, get_origin

import pyarrow as pa
from pydantic import BaseModel

from n8n_scraper.exports.annotations import bare, is_text
from n8n_scraper.exports.json_text import json_text

Conversion = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Shape:
    """A column's type, and the way of a value into it and out of it; null stays null.

    No way in means that a column takes the value as it is: nothing in it is looked at.
    """

    type: pa.DataType
    into: Conversion | None
    out_of: Conversion

    def filled(self, value: Any) -> Any:
        """Give a value as the column takes it."""
        return value if self.into is None or value is None else self.into(value)


def shapes(model: type[BaseModel]) -> dict[str, Shape]:
    """Give the shape of each field."""
    return {name: _shape(field.annotation) for name, field in model.model_fields.items()}


def _shape(annotation: Any, inside: tuple[type, ...] = ()) -> Shape:
    kind = bare(annotation)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is list:
        return _list_of(_shape(arguments[0], inside))
    if origin is dict and is_text(bare(arguments[0])) and arguments[1] is not Any:
        return _entries_of(_shape(arguments[1], inside))
    if isinstance(kind, type) and issubclass(kind, BaseModel) and kind not in inside:
        return _struct_of(kind, inside)
    if is_text(kind):
        return _nullable(pa.string(), None, _same)
    if kind in _PLAIN:
        return _nullable(_PLAIN[kind], None, _same)
    return _nullable(pa.string(), json_text, json.loads)


_PLAIN = {bool: pa.bool_(), int: pa.int64(), float: pa.float64()}


def _list_of(inner: Shape) -> Shape:
    return _nullable(
        pa.list_(inner.type),
        inner.into and (lambda value: list(map(inner.filled, value))),
        lambda value: [inner.out_of(one) for one in value],
    )


def _entries_of(inner: Shape) -> Shape:
    return _nullable(
        pa.list_(pa.struct([("key", pa.string()), ("value", inner.type)])),
        (lambda value: [(key, inner.filled(one)) for key, one in value.items()])
        if inner.into
        else (lambda value: list(value.items())),
        lambda value: {key: inner.out_of(one) for key, one in map(_entry, value)},
    )


def _entry(entry: Any) -> Any:
    """A key and its value; the maps of earlier files come as pairs."""
    return entry.values() if isinstance(entry, dict) else entry


def _struct_of(model: type[BaseModel], inside: tuple[type, ...]) -> Shape:
    parts = {
        name: _shape(field.annotation, (*inside, model))
        for name, field in model.model_fields.items()
    }
    if not parts:
        return _nullable(pa.string(), json_text, json.loads)
    changed = [(name, part.filled) for name, part in parts.items() if part.into]
    return _nullable(
        pa.struct([pa.field(name, part.type) for name, part in parts.items()]),
        (lambda value: vars(value) | {name: fill(vars(value)[name]) for name, fill in changed})
        if changed
        else vars,
        lambda value: {
            name: part.out_of(value[name]) for name, part in parts.items() if name in value
        },
    )


def _nullable(kind: pa.DataType, into: Conversion | None, out_of: Conversion) -> Shape:
    return Shape(kind, into, lambda value: None if value is None else out_of(value))


def _same(value: Any) -> Any:
    return value
