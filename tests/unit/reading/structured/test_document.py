"""Bytes as text, and text as a tree and as lines, whatever they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.reading.structured.document import decoded, lines_of, tree_of, words_of


@pytest.mark.parametrize(
    ("body", "encoding", "content_type"),
    [
        ("中文".encode(), None, None),
        ("\ufeff中文".encode(), "big5", None),
        ("中文".encode("big5"), "big5", "text/html; charset=utf-8"),
        ("中文".encode("big5"), None, "text/html; charset=big5"),
        ("中文".encode("gbk"), "no such thing", "text/html; charset=gbk"),
        ("中文".encode("utf-16"), None, None),
    ],
)
def test_a_text_is_read_by_the_best_word_about_its_encoding(
    body: bytes, encoding: str | None, content_type: str | None
) -> None:
    assert decoded(body, encoding, content_type) == "中文"


def test_a_page_s_own_word_counts_where_nobody_else_says_anything() -> None:
    page = '<meta charset="big5"><p>中文</p>'

    assert decoded(page.encode("big5")) == page


def test_lines_are_what_people_see_below_each_other() -> None:
    root = tree_of("""<div><p>One <b>and</b>
        a half</p>Two<br>Three<script>no</script><ul><li>Four</li></ul>
        <style>no</style> Five</div>""")
    assert root is not None

    assert lines_of(root) == ["One and a half", "Two", "Three", "Four", "Five"]
    assert words_of(root) == "One and a half Two Three Four Five"


@given(st.text(max_size=200))
def test_any_text_is_a_tree_or_nothing(text: str) -> None:
    root = tree_of(text)

    assert root is None or isinstance(lines_of(root), list)
