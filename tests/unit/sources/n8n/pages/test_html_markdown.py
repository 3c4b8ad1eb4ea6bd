"""HTML of a description, written as Markdown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from n8n_scraper.sources.n8n.pages.html_markdown import markdown_of
from n8n_scraper.sources.n8n.pages.markdown import read_markdown, render
from n8n_scraper.sources.n8n.pages.readable import readable_html


def written(source: str) -> str:
    return markdown_of(html.document_fromstring(f"<div>{source}</div>"))


@pytest.mark.parametrize(
    ("source", "markdown"),
    [
        ("<h2>A <b>b</b></h2><p>c</p>", "## A **b**\n\nc"),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n  \n  - c"),
        ("<ol><li>a</li><li>b</li></ol>", "1. a\n2. b"),
        ('<pre><code class="language-js x">a\n  b</code></pre>', "```js\na\n  b\n```"),
        ("<pre>a ``` b</pre>", "````\na ``` b\n````"),
        ("<p>a <code>b `c`</code></p>", "a `b c`"),
        ('<a href="https://x">y</a>', "[y](https://x)"),
        ("<a>y</a>", "y"),
        ('<img src="a b(c).png" alt="d [e]">', "![d \\[e\\]](ab%28c%29.png)"),
        ("<blockquote><p>a</p></blockquote>", "> a"),
        ("a<br>b<hr>c", "a\\\nb\n\n---\n\nc"),
        (
            "<table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td></tr></table>",
            "| a | b |\n| --- | --- |\n| 1\\|2 |  |",
        ),
        ("<table>x</table>", "x"),
        ("<p>1. not a list</p><p># no heading</p>", "1\\. not a list\n\n\\# no heading"),
        ("<p>a*b_c</p>", "a\\*b\\_c"),
        ("<strong> </strong>", ""),
        ("a<!-- b -->c", "ac"),
    ],
)
def test_each_element_is_written_in_its_own_way(source: str, markdown: str) -> None:
    assert written(source) == markdown


WHOLE = """Intro text.

## How it works
It asks **often**.

### Setup
1. Install it
2. Run `it`

- a point
- [a link](https://example.com)

| A | B |
| --- | --- |
| 1 | 2 |

```json
{"a": 1}
```
"""


def test_a_rendered_text_comes_back_with_its_structure() -> None:
    once = read_markdown(WHOLE)

    again = read_markdown(written(render(WHOLE)))

    assert (again.sections, again.steps) == (once.sections, once.steps)
    assert (again.code_blocks, again.tables) == (once.code_blocks, once.tables)
    assert again.links == once.links


def test_nesting_without_end_gives_the_words_alone() -> None:
    assert written("<div>" * 150 + "deep") == "deep"


@pytest.mark.parametrize("source", ["", "<!-- -->", '<?xml version="1.0" encoding="utf-8"?>'])
def test_what_is_no_html_has_its_own_words(source: str) -> None:
    assert isinstance(readable_html(source), str)


@given(st.lists(st.sampled_from([
    "<p>", "</p>", "<ul>", "<li>", "<ol>", "<table>", "<tr>", "<td>", "</table>", "<pre>", "</pre>",
    "<a href='x'>", "</a>", "<img src=y>", "<h1>", "</h1>", "text", "#", "1.", "|", "`", "&#0;",
])).map("".join))  # fmt: skip
def test_any_markup_is_written_and_read_again(source: str) -> None:
    assert isinstance(read_markdown(written(source)).text, str)
