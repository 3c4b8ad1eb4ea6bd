"""Columns follow the types, also those of fields that nobody has thought of yet."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pyarrow as pa
import pytest
from pydantic import BaseModel, Field

from n8n_scraper.exports.columns import shapes
from n8n_scraper.sources.n8n.item import Template


class Inner(BaseModel):
    word: Literal["a", "b"]
    inner: list[Inner] = []


class Empty(BaseModel):
    pass


class Tomorrow(BaseModel):
    text: Annotated[str, Field(min_length=1)] | None
    count: int
    share: Annotated[float | None, Field(ge=0)]
    yes: bool
    words: list[str | None]
    by_name: dict[str, Inner]
    free: dict[str, Any]
    frees: list[dict[str, Any]]
    either: int | str | None
    empty: Empty


@pytest.mark.parametrize(
    ("field", "kind"),
    [
        ("text", pa.string()),
        ("count", pa.int64()),
        ("share", pa.float64()),
        ("yes", pa.bool_()),
        ("words", pa.list_(pa.string())),
        ("free", pa.string()),
        ("frees", pa.list_(pa.string())),
        ("either", pa.string()),
        ("empty", pa.string()),
    ],
)
def test_the_column_follows_the_type(field: str, kind: pa.DataType) -> None:
    assert shapes(Tomorrow)[field].type == kind


def test_a_model_inside_itself_stands_as_json_text() -> None:
    inner = pa.struct([("word", pa.string()), ("inner", pa.list_(pa.string()))])

    entry = pa.struct([("key", pa.string()), ("value", inner)])
    assert shapes(Tomorrow)["by_name"].type == pa.list_(entry)


def test_every_column_is_of_a_type_that_all_readers_have() -> None:
    plain = {pa.string(), pa.int64(), pa.float64(), pa.bool_()}

    def leaves(kind: pa.DataType) -> set[pa.DataType]:
        if pa.types.is_list(kind):
            return leaves(kind.value_type)
        if pa.types.is_struct(kind):
            return {leaf for field in kind for leaf in leaves(field.type)}
        return {kind}

    for name, shape in shapes(Template).items():
        assert leaves(shape.type) <= plain, name


def test_every_value_goes_in_and_out() -> None:
    one = Tomorrow(
        text=None,
        count=1,
        share=0.5,
        yes=False,
        words=["x", None],
        by_name={"n": Inner(word="a", inner=[Inner(word="b")])},
        free={"z": 1, "a": [None]},
        frees=[{}],
        either=3,
        empty=Empty(),
    )
    columns = shapes(Tomorrow)

    table = pa.table(
        {name: pa.array([s.filled(getattr(one, name))], s.type) for name, s in columns.items()}
    )
    row = table.to_pylist()[0]

    assert Tomorrow.model_validate({n: s.out_of(row[n]) for n, s in columns.items()}) == one


def test_every_field_of_a_template_has_a_column() -> None:
    assert list(shapes(Template)) == list(Template.model_fields)
