import tomllib

from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.sources_file.places import line_of, lines_of

TEXT = """# sites
[sources.a]
title = "x"
required.title = 1.0
[sources.a.timeouts]
http = 3

[sources."b c"]
'rate' = 1
"""


def test_each_key_is_found_at_its_line():
    lines = lines_of(TEXT)

    assert line_of(lines, ("sources", "a", "title")) == 3
    assert line_of(lines, ("sources", "a", "required", "title")) == 4
    assert line_of(lines, ("sources", "a", "timeouts", "http")) == 6
    assert line_of(lines, ("sources", "b c", "rate")) == 9


def test_what_is_not_there_is_found_where_it_should_stand():
    assert line_of(lines_of(TEXT), ("sources", "a", "kind")) == 2


def test_what_stands_nowhere_has_no_line():
    assert line_of(lines_of(TEXT), ("speed",)) is None


_NAMES = st.text("abc-_1", min_size=1, max_size=4)
_KEYS = st.dictionaries(_NAMES, st.integers(0, 9), min_size=1, max_size=3)


@given(st.dictionaries(_NAMES, _KEYS, min_size=1, max_size=3))
def test_every_key_of_a_file_has_its_own_line(tables):
    text, expected = "", {}
    for name, keys in tables.items():
        text += f"[t.{name}]\n"
        for key, number in keys.items():
            text += f"{key} = {number}\n"
            expected["t", name, key] = text.count("\n")

    assert tomllib.loads(text)["t"] == tables
    assert {path: lines_of(text)[path] for path in expected} == expected
