"""JSON as people write it by hand, and how long anything at all takes."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.reading.structured.json_text import read_json


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "A, B", "tags": ["x", "y"]}',
        '{"name": "A, B", "tags": ["x", "y",],}',
        '// said once\n{"name": "A, B", /* and */ "tags": ["x", "y"]};',
        '<!-- {"name": "A, B", "tags": ["x", "y"]} -->',
        '/*<![CDATA[*/ {"name": "A, B", "tags": ["x", "y"]} /*]]>*/',
        "{&quot;name&quot;: &quot;A, B&quot;, &quot;tags&quot;: [&quot;x&quot;, &quot;y&quot;]}",
        '\ufeff{"name": "A, B",\n\t"tags": ["x", "y"]}',
    ],
)
def test_it_is_read_in_every_loose_form(text: str) -> None:
    assert read_json(text) == {"name": "A, B", "tags": ["x", "y"]}


def test_what_a_string_holds_is_left_alone() -> None:
    text = '{"url": "https://a.example/x", "say": "/* [1,] */ &amp; \\"}\\"", "line": "a\nb",}'

    assert read_json(text) == {
        "url": "https://a.example/x",
        "say": '/* [1,] */ &amp; "}"',
        "line": "a\nb",
    }


def test_numbers_that_are_none_are_nothing() -> None:
    assert read_json('{"price": NaN, "most": Infinity}') == {"price": None, "most": None}


@pytest.mark.parametrize(
    "text", ["", "no", "{", "[" * 100_000, '"' + '\\"' * 400_000, "/*" * 400_000, ",\n" * 400_000]
)
def test_what_is_no_json_is_refused_before_long(text: str) -> None:
    before = time.process_time()
    with pytest.raises(ValueError, match=r"no JSON|nested"):
        read_json(text)

    assert time.process_time() - before < 2


@given(st.text(alphabet='{}[]",:\\/*<!->\n &quot;1a', max_size=60))
def test_no_text_raises_anything_else(text: str) -> None:
    try:
        read_json(text)
    except ValueError:
        return
