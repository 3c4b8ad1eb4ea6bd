"""The structured explanation, from the Markdown or else from the page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.sources.n8n.item import Difference, Explainer, Table
from n8n_scraper.sources.n8n.pages import explainer as pages


def explain(
    markdown: str | None, page_text: str | None, page_markdown: str | None = None
) -> Explainer | None:
    found = pages.explain(markdown, page_text, page_markdown)
    return found.explainer if found else None


WHOLE = """Collects rows for you.

## Who is this for
Everybody.

## How it works
It asks.

### In detail
It asks often.

## Setup steps
1. Install it
2. Run it

## Notes
None.
"""


def test_a_whole_explanation_has_all_its_parts() -> None:
    found = explain(WHOLE, "the page's text")

    assert found is not None
    assert found.markdown == WHOLE
    assert found.page_text == "the page's text"
    assert found.introduction == "Collects rows for you."
    assert found.how_it_works == "It asks.\n\nIn detail\n\nIt asks often."
    assert found.setup == "Install it\n\nRun it"
    assert found.steps == ["Install it", "Run it"]
    assert found.text.startswith("Collects rows for you.\n\nWho is this for")


def test_without_markdown_the_text_is_the_page() -> None:
    found = explain(None, "the page's text")

    assert found is not None
    assert (found.markdown, found.text, found.sections) == (None, "the page's text", [])


def test_without_a_page_there_is_no_page_text() -> None:
    found = explain("text", None)

    assert found is not None
    assert (found.text, found.page_text) == ("text", None)


def test_where_neither_says_anything_there_is_no_explanation() -> None:
    assert explain(None, None) is None


PARTS = ("how_it_works", "setup", "requirements", "customisation")


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        ("How it works", "how_it_works"),
        ("⚙️ HOW IT WORKS:", "how_it_works"),
        ("How this workflow works", "how_it_works"),
        ("What this workflow does", "how_it_works"),  # where nothing tells how
        ("Step-by-step", "how_it_works"),
        ("How the agent works", "how_it_works"),
        ("How does it work?", "how_it_works"),
        ("How it's built", "how_it_works"),
        ("Setup", "setup"),
        ("Set-up instructions", "setup"),
        ("Set up steps", "setup"),
        ("Setting up the sheet", "setup"),
        ("Configuration", "setup"),
        ("Getting started", "setup"),
        ("Installation", "setup"),
        ("Requirements", "requirements"),
        ("Pre-requisites", "requirements"),
        ("What you'll need", "requirements"),
        ("🔹 Credentials Needed", "requirements"),
        ("How to customize the workflow", "customisation"),
        ("Customisation options", "customisation"),
        ("Extend this workflow", "customisation"),
        ("Upset customers", None),
        ("Show it works", None),
    ],
)
def test_headings_are_known_by_their_meaning(heading: str, field: str | None) -> None:
    found = explain(f"# {heading}\nbelow", None)

    assert found is not None
    named = {name: getattr(found, name) for name in PARTS}
    assert {name for name, text in named.items() if text} == ({field} if field else set())


@pytest.mark.parametrize(
    ("markdown", "introduction"),
    [
        ("text\n\n# A", "text"),
        ("# A\ntext", "text"),  # a title, and what it is about
        ("# A\ntext\n\n## B\nmore", "text"),
        ("![shot](fileId:1)\n\n# A\ntext\n\n## B\nmore", "text"),
        ("![shot](fileId:1)", None),
        ("## Setup\ntext\n\n## Overview\nof it", "of it"),
        ("## How it works\ntext", None),  # that is another part
        ("## 1. Import\ntext", None),
        ("<br>\n\n# A", None),
        ("", None),
    ],
)
def test_the_introduction_stands_before_the_first_heading(
    markdown: str, introduction: str | None
) -> None:
    found = explain(markdown, None)

    assert found is not None
    assert found.introduction == introduction


def test_a_heading_with_nothing_below_explains_nothing() -> None:
    found = explain("## How it works\n## Setup", None)

    assert found is not None
    assert (found.how_it_works, found.setup) == (None, None)


@given(st.none() | st.text(st.characters()), st.none() | st.text())
def test_no_text_makes_it_raise(markdown: str | None, page_text: str | None) -> None:
    found = explain(markdown, page_text)

    assert (found is None) == (markdown is None and page_text is None)


def test_a_part_without_a_text_of_its_own_gives_way_to_the_next_of_its_meaning() -> None:
    found = explain("# How it works\n\n# How this workflow works\nIt asks.", None)

    assert found is not None
    assert found.how_it_works == "It asks."


def test_lines_below_a_usual_title_without_text_belong_to_it() -> None:
    markdown = "🤖 How It Works:\n📲 Trigger\nIt starts.\n\n📈 Research\nIt looks.\n\nSetup\nDo it."

    found = explain(markdown, None)

    assert found is not None
    assert found.how_it_works == "📲 Trigger\n\nIt starts.\n\n📈 Research\n\nIt looks."
    assert found.setup == "Do it."


def test_tables_are_kept_as_rows() -> None:
    found = explain("| A | B |\n|---|---|\n| `1` | **2** |\n| 3 | |", None)

    assert found is not None
    assert found.tables == [Table(header=["A", "B"], rows=[["1", "2"], ["3", ""]])]


def test_without_markdown_the_structure_is_the_pages() -> None:
    found = explain(None, "How it works\nIt asks.", "## How it works\n\n1. It asks.")

    assert found is not None
    assert (found.markdown, found.how_it_works, found.steps) == (None, "It asks.", ["It asks."])


@pytest.mark.parametrize(
    ("markdown", "page_text"),
    [
        ("One **bold** word.\nAnd two.", "One bold word. And two."),
        ("## Setup\n\n1. Do it\n2. Do *that*", "Setup\nDo it\nDo that"),
        ("++Who++ is it ~~for~~?", "Who is it for?"),
        ("![a picture](x.png) text", "text"),
        ("Watch @[youtube](dQw4w9WgXcQ) now", "Watch now"),
        ("<h3>A</h3><p>B &amp; C</p>", "A\nB & C"),
        ("```\nkey_name = 1\n```", "key_name = 1"),
    ],
)
def test_marks_and_lines_are_no_difference(markdown: str, page_text: str) -> None:
    found = pages.explain(markdown, page_text)

    assert found is not None
    assert found.explainer.differences == []
    assert found.comparison is not None
    assert found.comparison.agrees


def test_what_only_one_of_them_says_is_named() -> None:
    found = pages.explain("It asks.\n\nIt costs $5.", "It asks.\nIt is free.")

    assert found is not None
    assert found.explainer.differences == [
        Difference(only_in="markdown", text="It costs $5."),
        Difference(only_in="page", text="It is free."),
    ]
    assert found.comparison is not None
    assert not found.comparison.agrees


def test_a_very_different_page_is_named_in_short() -> None:
    text = ". ".join(f"sentence {number} " + "word " * 100 for number in range(100))

    found = explain("Something else.", text)

    assert found is not None
    assert len(found.differences) == 21
    assert all(len(one.text) <= 300 for one in found.differences)
