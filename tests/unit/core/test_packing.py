"""Packing what an archive keeps."""

import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.packing import JsonText, pack, pack_json, to_json, unpack, unpack_json

CONTENT = {"b": [1, None, "é"], "a": {"y": 1.5, "x": True}}


@given(st.binary(max_size=1_000))
def test_what_is_packed_comes_back_to_the_byte(content: bytes) -> None:
    assert unpack(pack(content)) == content


@pytest.mark.parametrize("level", [0, 1, 6, 9])
@pytest.mark.parametrize("content", [b"", b"<html></html>" * 100])
def test_what_earlier_versions_packed_is_read(content: bytes, level: int) -> None:
    assert unpack(zlib.compress(content, level)) == content


def test_the_same_content_gives_the_same_bytes_in_any_order_of_keys() -> None:
    reordered = {"a": {"x": True, "y": 1.5}, "b": [1, None, "é"]}

    assert pack_json(CONTENT) == pack_json(reordered)
    assert unpack_json(pack_json(CONTENT)) == CONTENT


def test_versions_that_were_packed_earlier_are_read() -> None:
    assert unpack_json(zlib.compress(json.dumps(CONTENT).encode())) == CONTENT


def test_json_that_is_written_out_is_not_written_out_again() -> None:
    assert to_json(JsonText('{"a": 1}')) == '{"a": 1}'
    assert to_json("a") == '"a"'
    assert to_json(CONTENT) == json.dumps(CONTENT)
