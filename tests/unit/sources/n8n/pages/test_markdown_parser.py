"""The parser that asks less gives what the parser gives that asks everything."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.rules_block import heading

from n8n_scraper.sources.n8n.pages.markdown_parser import parse
from tests.thoroughness import at_length

ASKS_EVERYTHING = MarkdownIt("commonmark", {"html": True}).enable("table")

# What lines begin with, and what stands in them.
BEGINNINGS = (
    *("", " ", "    ", "\t", "> ", ">", "- ", "* ", "+ ", "1. ", "2) ", "12345678901. ", "# ", "#"),
    *(
        "---",
        "===",
        "***",
        "___",
        "```",
        "~~~js",
        "<div>",
        "<!--",
        "[a]: /b 'c'",
        "|",
        "|-|-|",
        ":-",
    ),
)
WORDS = (
    *(
        "a",
        "b c",
        " ",
        "  ",
        "*",
        "**",
        "_",
        "`",
        "``",
        "[",
        "](",
        "](/u)",
        "]",
        "![",
        "!",
        "\\",
        "\\*",
    ),
    *(
        "<b>",
        "</b>",
        "<a",
        "<http://x.y>",
        "<me@x.y>",
        "-->",
        "&amp;",
        "&",
        "&#0;",
        "[a]",
        "|",
        ":",
    ),
    *("~", "@", "=", "$", "{", "}", "é", "👋", "\u00a0", "\0", "http://x.y", "-", "1."),
)
LINES = st.builds(
    lambda begins, words: "".join([*begins, *words]),
    st.lists(st.sampled_from(BEGINNINGS), max_size=3),
    st.lists(st.sampled_from(WORDS), max_size=8),
)


@settings(max_examples=at_length(300))
@given(st.lists(LINES, max_size=10).map("\n".join))
def test_every_text_is_parsed_as_with_all_rules(text: str) -> None:
    assert parse(text) == ASKS_EVERYTHING.parse(text)


def test_prose_is_not_asked_whether_it_is_a_heading(caplog: pytest.LogCaptureFixture) -> None:
    prose, titled = "Some words\nof an author.\n" * 3, "# Some words\n"

    with caplog.at_level(logging.DEBUG, logger=heading.__module__):
        parse(prose)
        assert not caplog.records
        parse(titled)

    assert caplog.records
