import html
import re
from urllib.parse import unquote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from n8n_scraper.exports.harmless import block, inline
from tests.thoroughness import at_length
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
@example("[a]: <img src=x onerror=a()>\n[a]: ")  # an address, and a tag to many readers
@example("[a](<img src=x onerror=a()>)")
@example("[a](<img\tsrc=x\tonerror=a()>)")
@settings(max_examples=at_length(400), deadline=None)
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
        "[there](#my%20section), ![it](a%20picture.png) and <https://n8n.io>",
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


@pytest.mark.parametrize("text", ["two  words", " before", "behind ", "HTTP\tRequest\n", "a\x00 b"])
def test_a_name_has_no_space_but_one_between_its_words(text: str) -> None:
    assert inline(text) == " ".join(text.replace("\x00", " ").split())


@given(texts)
def test_no_title_runs(text: str) -> None:
    assert not runs(f"# {inline(text)}")
    assert READER.render(f"# {inline(text)}").count("<") <= 2


@pytest.mark.parametrize(
    "text",
    [
        "[a](\x01javascript:alert(1))",
        "[a](java\x0cscript:alert(1))",
        "[a](javascript\x00:alert(1))",
        "[a]\n\n[a]: javascript:alert(\n1)",
        "[a]\n\n[a]:\njavascript:alert(1)",
        "- [a]:\n- javascript:alert(1)\n\n[a]",
        "> [a]:\n> javascript:alert(1)\n\n[a]",
        "[unused]: javascript:alert(1)",
        "[a](&#x6a;avascript:alert(1))",
        "[a](%6aavascript:alert(1))",
        "[a](java\\script:alert(1))",
        "[a](javascript\\:alert(1))",
        "<javascript:alert(1)>",
        "![a](data:text/html,x)",
        "[a](ftp://example.org)",
        "<tel:12345>",
    ],
)
def test_a_link_of_another_scheme_is_shown_as_source_however_it_is_written(text: str) -> None:
    shown = block(text)

    assert shown.startswith("```markdown\n")
    assert links(shown) == []


@pytest.mark.parametrize(
    "text",
    [
        "See [the docs](https://docs.n8n.io/a_(b)?c=d%20e&f=g) and <https://n8n.io>.",
        "[a]: https://n8n.io 'Title'\n\nUse metadata: [a] or [mail](mailto:ada@acme.io).",
        "| a | b |\n|---|---|\n| [1](#one) | ![](/x.png) |",
        "![workflow-screenshot](fileId:483)",
        "- data: what comes in\n- [ ] file: what goes out\n",
    ],
)
def test_usual_links_stay_as_they_were_written(text: str) -> None:
    assert block(text) == text


PIECES = st.sampled_from(
    [
        *("[a]", "](", "]: ", ")", "<", ">", "![", "[", "]", "(", "`", "```", "\\", "|", "#", "&"),
        *("javascript:", "JaVa", "script:", "data:", "file:", "vbscript:", "https://x", "mailto:a"),
        *("alert(1)", "&#58;", "&colon;", "%3a", "&Tab;", "%09", "\x01", "\x0c", "\x00", "\x7f"),
        *("\n", "\n\n", "\r", "- ", "> ", "1. ", "    ", "\t", " ", "<a href=", '"', "ab:c", "~~~"),
    ]
) | st.text(max_size=3)


@settings(max_examples=at_length(400), deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_whatever_goes_in_no_link_of_another_scheme_comes_out(text: str) -> None:
    for shown in (block(text), f"# {inline(text)}"):
        assert [one for one in links(shown) if not ALLOWED.match(one)] == []


class EveryLink(MarkdownIt):
    """A reader that refuses no link by itself."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        return True


ALLOWED = re.compile(r"(?:https?:|mailto:|fileid:|[^:]*$|[^:]*[/?#])", re.IGNORECASE)


def links(text: str) -> list[str]:
    """Where links and pictures of a text lead, in the way of browsers: without what they skip."""
    waiting = EveryLink("commonmark").enable("table").parse(text)
    found = []
    while waiting:
        token = waiting.pop()
        waiting += token.children or ()
        target = token.attrs.get("href") or token.attrs.get("src")
        found += [re.sub(r"[\x00-\x20]", "", unquote(str(target)))] if target else []
    return found
