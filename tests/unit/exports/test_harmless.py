import html
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from n8n_scraper.exports.harmless import block, inline
from tests.unit.exports.given import NASTY_TITLES, texts

# What a page would become: tags pass, and so does every link.
READER = MarkdownIt("commonmark", {"html": True}).enable("table")
READER.validateLink = lambda url: True  # type: ignore[method-assign]
RUNS = re.compile(r"<(?!/?(p|h\d|a|em|strong|code|pre|ul|ol|li|blockquote|br|hr|img|t\w+)\b)\w")
PARTS = ["<script>", "</script>", "<img src=x onerror=a()>", "`", "```\n", "\n\n", "    ", "> "]
PARTS += [
    "[a](javascript:b)",
    "<javascript:b>",
    "- ",
    "\\",
    "&lt;",
    "~~~\n",
    "<!--",
    "-->",
    "[a]: ",
]
PARTS += ["javascript:b", "\n", "| a | b |\n|---|---|\n| <br> | ", "text ", "<", ">", "&#106;ava"]


def runs(markdown: str) -> bool:
    rendered = READER.render(markdown)
    links = re.findall(r'(?:href|src)="([^"]*)"', rendered)
    bad = any(html.unescape(link).lower().startswith(("javascript", "data")) for link in links)
    return bool(RUNS.search(rendered)) or "onerror=" in re.sub(r">[^<]*<", "><", rendered) or bad


@given(st.lists(st.sampled_from(PARTS), max_size=8).map("".join))
@settings(max_examples=400, deadline=None)
def test_whatever_is_put_together_does_not_run(markdown: str) -> None:
    assert not runs(block(markdown))


@pytest.mark.parametrize(
    "markdown",
    [
        "plain",
        "## A heading\n\n1. a [link](https://n8n.io) and *more*\n\n```js\nif (a < b) {}\n```\n",
        "```html\n<div onclick='x'>in a fence</div>\n```",
        "`<b>` in code",
        "[mail](mailto:a@b.example) <https://n8n.io> [here](#there)",
        "a description of data: none",
    ],
)
def test_markdown_that_does_no_harm_stays_as_it_is(markdown: str) -> None:
    assert block(markdown) == markdown


def test_tags_show_as_the_signs_they_are_made_of() -> None:
    assert block("a <b onclick=x>bold</b> word") == "a &lt;b onclick=x>bold&lt;/b> word"


def test_a_link_that_runs_makes_the_whole_show_as_source() -> None:
    shown = block("see [this](JavaScript:alert(1))\n\n```\ncode\n```")

    assert shown.startswith("````markdown\n")
    assert not runs(shown)


@pytest.mark.parametrize("text", NASTY_TITLES)
def test_a_title_shows_as_it_is_and_on_one_line(text: str) -> None:
    line = inline(text)

    assert "\n" not in line
    assert "\r" not in line
    assert not runs(f"# {line}")
    shown = html.unescape(re.sub(r"<[^>]+>", "", READER.render(f"# {line}"))).strip()
    assert shown.split() == re.sub("[\u200e\u200f\u202a-\u202e\u2066-\u2069]", " ", text).split()


@given(texts)
def test_no_title_runs(text: str) -> None:
    assert not runs(f"# {inline(text)}")
    assert READER.render(f"# {inline(text)}").count("<") <= 2
