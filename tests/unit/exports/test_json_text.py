"""JSON of any value, also of those that the fast writer refuses."""

import json
from functools import reduce
from typing import Any

import pytest
from hypothesis import given

from n8n_scraper.exports.json_text import json_text
from tests.unit.exports.given import free_json


@given(free_json)
def test_any_value_is_read_as_it_was_written(value: Any) -> None:
    assert json.dumps(json.loads(json_text(value))) == json.dumps(value)


@pytest.mark.parametrize(
    "value", ["half a character: \ud800", reduce(lambda inner, _: [inner], range(600), "deep")]
)
def test_what_the_fast_writer_refuses_is_written_too(value: Any) -> None:
    assert json.loads(json_text(value)) == value


def test_it_is_compact_and_in_the_order_given() -> None:
    assert json_text({"b": [1, 2.0, None], "a": "ü"}) == '{"b":[1,2.0,null],"a":"ü"}'
