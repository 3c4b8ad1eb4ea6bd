"""Plain lines are read without the parser, and as the parser reads them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from n8n_scraper.sources.n8n.pages.markdown_prose import new_token, read_prose
from tests.thoroughness import at_length

PARSER = MarkdownIt("commonmark", {"html": True})
PIECES = (
    *("a", "B1", " ", "  ", "**", "**", "*", "`", "`", "``", "\n", "\n ", "\t", ":", ".", ")", "("),
    *("é", "👋", "\u00a0", "\u2003", "&", "& ", "&amp;", "!", "![", "_", "”", "—", "\\", "\x1c"),
)


def parsed(line: str) -> list[Token]:
    """What the parser makes of the inside of a paragraph."""
    return PARSER.parseInline(line)[0].children or []


@pytest.mark.parametrize(
    "plain",
    [
        *("Set **the key** first.", "**Setup:** do it", "**a**\n**b**, c"),
        *("Use `a * b` here!", "This & that\nand more", "`x`", "**1**"),
    ],
)
def test_words_bold_words_and_code_need_no_parser(plain: str) -> None:
    assert read_prose(plain) == parsed(plain)


@pytest.mark.parametrize(
    "other",
    [
        *("a*b*", "**a**b", "x**a**", "** a**", "**a **", "``a``", "` a `", "[a](b)", "a  \nb"),
        *("<b>", "&amp;", "\\*", "_a_", "**a", "![a](b)", "**a\nb**"),
    ],
)
def test_what_is_less_plain_is_left_to_the_parser(other: str) -> None:
    assert read_prose(other) is None


@settings(max_examples=at_length(500))
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_whatever_is_read_is_read_as_the_parser_does(line: str) -> None:
    line = line.strip(" \t\n")  # as the inside of a paragraph is

    assert read_prose(line) in (None, parsed(line))


def test_a_token_is_what_its_class_makes() -> None:
    assert new_token("text", "", 0) == Token("text", "", 0)
