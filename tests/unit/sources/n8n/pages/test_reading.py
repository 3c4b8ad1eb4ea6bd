"""JSON that may hold anything: each reader gives the wanted type, or None."""

import json
import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.errors import BadContent
from n8n_scraper.sources.n8n.pages import reading
from tests.unit.sources.n8n.pages.given import JSON_LIKE

HUGE = 10**400


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b"{}", {}),
        (b'\xef\xbb\xbf{"id": 1}', {"id": 1}),  # a byte order mark
        ('{"title": "Grüße 👋"}'.encode(), {"title": "Grüße 👋"}),
        (b'{"b": 1, "a": 2}', {"b": 1, "a": 2}),
        (b'{"title": "\\ud83d\\udc4b"}', {"title": "👋"}),
        (b'{"title": "\\ud83d"}', {"title": "\ufffd"}),  # half a character, which no encoder takes
        (b'{"n": %d}' % HUGE, {"n": HUGE}),
        (b'{"x": 1e308}', {"x": 1e308}),
        (b"[" * 200 + b"]" * 200, json.loads("[" * 200 + "]" * 200)),  # as deep as we go
    ],
)
def test_json_is_decoded_as_it_is(body: bytes, value: object) -> None:
    assert reading.load_json(body) == value


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "not JSON"),
        (b'{"id": 1', "not JSON"),  # cut short
        (b"<!DOCTYPE html>", "not JSON"),
        (b'{"x": NaN}', "NaN is not JSON"),
        (b'{"x": Infinity}', "Infinity is not JSON"),
        (b'{"x": -Infinity}', "-Infinity is not JSON"),
        (b'{"x": 1e999}', "1e999 is beyond"),
        (b'{"x": -1e999}', "-1e999 is beyond"),
        (b'{"x": %s}' % (b"9" * 5_000), "not JSON"),  # longer than Python agrees to read
        (b'{"x": "\xff\xfe"}', "not UTF-8"),
        (b"[" * 201 + b"]" * 201, "nested too deeply"),  # no writer after us would go so deep
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_not_json_is_refused_with_the_reason(body: bytes, reason: str) -> None:
    with pytest.raises(BadContent, match=reason):
        reading.load_json(body)


@pytest.mark.parametrize("body", [b"[]", b"null", b'"text"', b"1", b"true"])
def test_where_an_object_is_expected_nothing_else_will_do(body: bytes) -> None:
    with pytest.raises(BadContent, match="where an object was expected"):
        reading.load_object(body)


@pytest.mark.parametrize(
    ("reader", "value", "found"),
    [
        (reading.text, "", ""),  # an empty string is as given
        (reading.text, " a ", " a "),
        (reading.text, 1, None),
        (reading.text, None, None),
        (reading.text, "a\x00b", "a\ufffdb"),  # no database takes NUL
        (reading.text, "a\ud800b", "a\ufffdb"),  # nor half a character
        (reading.filled, " \n", None),
        (reading.filled, " a ", " a "),
        (reading.filled, ["a"], None),
        (reading.integer, 5, 5),
        (reading.integer, 5.0, None),
        (reading.integer, "5", None),
        (reading.integer, True, None),  # true is not one
        (reading.integer, 2**63 - 1, 2**63 - 1),
        (reading.integer, 2**63, None),  # no database holds it
        (reading.integer, -HUGE, None),
        (reading.number, 5, 5.0),
        (reading.number, 5.5, 5.5),
        (reading.number, False, None),
        (reading.number, "5", None),
        (reading.number, HUGE, None),
        (reading.count, 0, 0),
        (reading.count, -1, None),  # nothing is viewed less than never
        (reading.count, 1.5, None),
        (reading.boolean, True, True),
        (reading.boolean, 1, None),
        (reading.boolean, "true", None),
        (reading.listing, [1], [1]),
        (reading.listing, {"0": 1}, []),
        (reading.listing, None, []),
        (reading.mapping, {"a": 1}, {"a": 1}),
        (reading.mapping, [1], {}),
        (reading.mapping, "[REDACTED]", {}),
        (reading.identity, 1954, "1954"),
        (reading.identity, "1954", "1954"),
        (reading.identity, 0, None),
        (reading.identity, -5, None),
        (reading.identity, "01954", None),  # the same id has one spelling
        (reading.identity, "19 54", None),
        (reading.identity, "1954\n", None),
        (reading.identity, "١٩", None),  # digits of another script
        (reading.identity, True, None),
        (reading.identity, 1954.0, None),
        (reading.identity, None, None),
    ],
)
def test_a_value_is_read_in_the_wanted_type_or_not_at_all(
    reader: Callable[[object], object], value: object, found: object
) -> None:
    read = reader(value)

    assert read == found
    assert type(read) is type(found)


@given(st.binary() | st.text(st.characters()).map(lambda text: text.encode(errors="replace")))
def test_arbitrary_bytes_are_json_or_refused(body: bytes) -> None:
    with suppress(BadContent):
        reading.load_json(body)


@given(JSON_LIKE)
def test_no_reader_raises_whatever_it_is_given(value: Any) -> None:
    for reader in (
        reading.text,
        reading.filled,
        reading.integer,
        reading.number,
        reading.count,
        reading.boolean,
        reading.listing,
        reading.mapping,
        reading.identity,
    ):
        reader(value)


@given(st.text(st.characters()))
def test_storable_text_can_be_written_anywhere(text: str) -> None:
    found = reading.storable(text)

    assert "\x00" not in found
    assert found.encode().decode() == found


@given(JSON_LIKE)
def test_what_is_decoded_is_finite_and_can_be_written_again(value: Any) -> None:
    try:
        decoded = reading.load_json(json.dumps(value).encode())
    except BadContent:
        return

    written = json.dumps(decoded)

    assert json.loads(written, parse_constant=lambda _: math.nan) == decoded
