"""Structure out of Markdown: sections, steps, code, links, pictures, text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.sources.n8n.item import CodeBlock, Link, Section
from n8n_scraper.sources.n8n.pages.markdown import Picture, read_markdown

LONG = """This workflow *collects* **rows**.

## How it works
1. Ask the `API`
2. Sort
   - by name
   - by date
3. Send

### Setup
See [the docs](https://docs.example.com/a "title") or <https://example.com>.

```json
{"a": 1}
```

    indented

| Setting | Value |
| --- | --- |
| `TABLE` | rows |

![A *chart*](fileId:3035)
"""


def test_a_text_is_taken_apart_by_its_headings() -> None:
    found = read_markdown(LONG)

    assert [(section.heading, section.level) for section in found.sections] == [
        (None, 0),
        ("How it works", 2),
        ("Setup", 3),
    ]
    assert found.sections[0].text == "This workflow collects rows."
    assert found.sections[1].text == "Ask the API\n\nSort\n\nby name\n\nby date\n\nSend"


def test_the_whole_text_has_headings_code_and_cells_but_no_marks() -> None:
    found = read_markdown(LONG)

    assert found.text.startswith("This workflow collects rows.\n\nHow it works\n\nAsk the API")
    assert '{"a": 1}' in found.text
    assert "indented" in found.text
    assert "TABLE\n\nrows" in found.text
    assert found.text.endswith("A chart")


@pytest.mark.parametrize(
    ("source", "steps"),
    [
        ("1. one\n2. two", ["one", "two"]),
        ("1) one\n2) two", ["one", "two"]),
        ("1. one\n\n   still one\n\n2. two", ["one\n\nstill one", "two"]),
        ("1. one\n   - a point\n2. two", ["one\n\na point", "two"]),
        ("1. one\n   1. inner\n   2. inner too\n2. two", ["one\n\ninner\n\ninner too", "two"]),
        ("- a point\n  1. one\n  2. two", ["one", "two"]),
        ("1. one\n\n   ```\n   code\n   ```", ["one\n\ncode"]),
        ("1. one\n\ntext\n\n1. other", ["one", "other"]),
        ("1.", [""]),
        ("- a point\n- another", []),
        ("Step 1. Not a list", []),
        ("## Step 1: A\na\n1. x\n\n## Step 2: B\nb", ["Step 1: A\n\na\n\nx", "Step 2: B\n\nb"]),
        ("## 1. A\na\n\n## 2. B\nb", ["1. A\n\na", "2. B\n\nb"]),
        ("**1.** Do this\n\n**2.** Do that", ["1. Do this", "2. Do that"]),
        ("1️⃣ **First**\n\n2️⃣ **Second**", ["1️⃣ First", "2️⃣ Second"]),
        ("**1.** Only one", []),
        ("", []),
    ],
)
def test_steps_are_the_points_of_numbered_lists(source: str, steps: list[str]) -> None:
    assert read_markdown(source).steps == steps


def test_code_comes_with_its_language_and_unchanged() -> None:
    assert read_markdown(LONG).code_blocks == [
        CodeBlock(language="json", code='{"a": 1}\n'),
        CodeBlock(language=None, code="indented\n"),
    ]


@pytest.mark.parametrize(
    ("source", "links"),
    [
        ("[docs](https://a.example)", [Link(text="docs", url="https://a.example")]),
        ("<https://a.example>", [Link(text="https://a.example", url="https://a.example")]),
        ("[**bold** `code`](x)", [Link(text="bold code", url="x")]),
        ("[![alt](pic.png)](https://a.example)", [Link(text="alt", url="https://a.example")]),
        ("[two\nlines](x)", [Link(text="two\nlines", url="x")]),
        ("[a][ref]\n\n[ref]: https://a.example", [Link(text="a", url="https://a.example")]),
        (
            "| [cell](x) |\n| --- |\n| [other](y) |",
            [Link(text="cell", url="x"), Link(text="other", url="y")],
        ),
        ("[a<br><b>b</b>](x)", [Link(text="a\nb", url="x")]),
        ('see <a href="https://a.example">b</a> c', [Link(text="b", url="https://a.example")]),
        ("see <a name='x'>b</a>", []),
        ("[empty]()", []),
        ("[evil](javascript:alert(1))", []),  # no link by the parser's own rules
        ("https://bare.example stays text", []),
        ("`[code](x)`", []),
        ("```\n[code](x)\n```", []),
    ],
)
def test_links_come_with_their_words(source: str, links: list[Link]) -> None:
    assert read_markdown(source).links == links


@pytest.mark.parametrize(
    ("source", "pictures"),
    [
        ("![alt](fileId:3035)", [Picture("fileId:3035", "alt")]),
        ("![](https://a.example/x.png)", [Picture("https://a.example/x.png", None)]),
        ("[![alt](x.png)](y)", [Picture("x.png", "alt")]),
        ("# ![in a heading](x.png)", [Picture("x.png", "in a heading")]),
        ("1. ![in a step](x.png)", [Picture("x.png", "in a step")]),
        ('<img src="x.png">', [Picture("x.png", None)]),
        ("a <IMG alt='a &amp; b' src=x.png> b", [Picture("x.png", "a & b")]),
        ('<p><img alt="none"></p>', []),
        ("`![code](x.png)`", []),
    ],
)
def test_pictures_come_with_the_words_for_them(source: str, pictures: list[Picture]) -> None:
    assert read_markdown(source).pictures == pictures


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("a\nb", "a\nb"),
        ("a  \nb", "a\nb"),
        ("a\r\n\r\nb", "a\n\nb"),
        ("a\n\n\n\n\nb", "a\n\nb"),
        ("a<br>b", "a\nb"),
        ("<h3>Watch</h3>\n<a href='x'>it</a>", "Watch\n\nit"),
        ("<div>\n\n**bold**\n\n</div>", "bold"),
        ("<!-- hidden -->", ""),
        ("&amp; &copy; \\*", "& © *"),
        ("~~a~~ _b_ *c*", "~~a~~ b c"),
        ("> quoted", "quoted"),
        ("a\n\n---\n\nb", "a\n\nb"),
        ("# ", ""),
        ("a\x00b", "a\ufffdb"),
        ("", ""),
    ],
)
def test_the_text_is_the_words_without_the_marks(source: str, text: str) -> None:
    assert read_markdown(source).text == text


@pytest.mark.parametrize(
    ("source", "sections"),
    [
        ("text", [Section(heading=None, level=0, text="text")]),
        ("# A", [Section(heading="A", level=1, text="")]),
        ("A\n=\nb", [Section(heading="A", level=1, text="b")]),
        ("## A **b**\nc", [Section(heading="A b", level=2, text="c")]),
        ("#not a heading", [Section(heading=None, level=0, text="#not a heading")]),
        (
            "**Nothing below it**",
            [Section(heading=None, level=0, text="Nothing below it")],
        ),
        ("**How it works:**\nb", [Section(heading="How it works:", level=2, text="b")]),
        ("📝 **Overview**\n\nb", [Section(heading="📝 Overview", level=2, text="b")]),
        ("**++Who++**\n\nb", [Section(heading="Who", level=2, text="b")]),
        ("⚙️ How to set up\nDo it.", [Section(heading="⚙️ How to set up", level=2, text="Do it.")]),
        ("Requirements\n\n- a", [Section(heading="Requirements", level=2, text="a")]),
        ("Step 1: Import\n\nb", [Section(heading="Step 1: Import", level=2, text="b")]),
        ("<h3>A</h3>\nb", [Section(heading="A", level=3, text="b")]),
        (
            "## A\n**B**\nc",
            [Section(heading="A", level=2, text=""), Section(heading="B", level=3, text="c")],
        ),
        (
            "**A sentence, in bold.**\nb",
            [Section(heading=None, level=0, text="A sentence, in bold.\nb")],
        ),
        ("**[A link](x)**\nb", [Section(heading=None, level=0, text="A link\nb")]),
        (
            "✅ one\n✅ two\n✅ three",
            [Section(heading=None, level=0, text="✅ one\n✅ two\n✅ three")],
        ),
        ("- **Point:**\n\n  b", [Section(heading=None, level=0, text="Point:\n\nb")]),
        (
            "**Above a heading**\n\n# A",
            [
                Section(heading=None, level=0, text="Above a heading"),
                Section(heading="A", level=1, text=""),
            ],
        ),
        ("© 2025 Company\nb", [Section(heading=None, level=0, text="© 2025 Company\nb")]),
        ("", []),
    ],
)
def test_sections_follow_the_headings(source: str, sections: list[Section]) -> None:
    assert read_markdown(source).sections == sections


@pytest.mark.parametrize(
    "mark", ["> ", "- ", "1. ", "[", "![", "**", "`", "<div>", "<div <", "#", "| "]
)
def test_marks_without_end_do_no_harm(mark: str) -> None:
    assert isinstance(read_markdown(mark * 2_000).text, str)


@given(st.lists(st.sampled_from([*"#*_`[]()!<>-|~\n \\1.&;", "text", "```", "fileId:1"])))
def test_no_markdown_makes_it_raise(parts: list[str]) -> None:
    found = read_markdown("".join(parts))

    assert all(section.heading is not None for section in found.sections[1:])


@given(st.text(st.characters()))
def test_no_text_makes_it_raise(source: str) -> None:
    assert isinstance(read_markdown(source).text, str)
