from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from n8n_scraper.sources.n8n.exports.markdown import MarkdownWriter, file_name, page
from n8n_scraper.sources.n8n.item import Author, Template
from tests.thoroughness import at_length
from tests.unit.exports.given import NASTY_TITLES, anyhow, template

WORKFLOW = {
    "nodes": [
        {"name": "Ask | twice", "type": "n8n-nodes-base.httpRequest"},
        {"name": "Note", "type": "n8n-nodes-base.stickyNote"},
        {"name": None},
    ]
}


def front_matter(text: str) -> dict[str, Any]:
    assert text.startswith("---\n")
    read: dict[str, Any] = yaml.safe_load(text.split("\n---\n")[0].removeprefix("---\n"))
    return read


@pytest.mark.parametrize(
    ("slug", "title", "name"),
    [
        ("ask-an-address", "x", "7-ask-an-address.md"),
        ("../../etc/passwd", "x", "7-etc-passwd.md"),
        (None, "Ünï & Co.", "7-uni-co.md"),
        (None, "🚀🔥", "7.md"),
        (None, None, "7.md"),
        (None, "x" * 300, f"7-{'x' * 80}.md"),
        (None, "مرحبا", "7.md"),
        (None, "a\nb\x00/c\\d", "7-a-b-c-d.md"),
    ],
)
def test_the_file_name_is_safe(slug: str | None, title: str | None, name: str) -> None:
    assert file_name(template(slug=slug, title=title)) == name


def test_the_page_says_everything_in_its_place() -> None:
    one = template(
        title="Ask <b>",
        description="First *this*.\n\n## Then\n\nthat",
        author=Author(name="Ada | <i>"),
        categories=["AI"],
        workflow=WORKFLOW,
        quality=None,
    )

    text = page(one)

    assert "# Ask &lt;b&gt;\n" in text
    assert "Published by Ada \\| &lt;i&gt; at <https://n8n.io/workflows/7-a-slug/>." in text
    assert "First *this*.\n\n## Then" in text
    assert "| Ask \\| twice | n8n-nodes-base.httpRequest |\n| None | None |" in text
    assert "stickyNote" not in text
    found = front_matter(text)
    assert (found["title"], found["categories"]) == ("Ask <b>", ["AI"])
    assert found["author"]["name"] == "Ada | <i>"
    assert found["price"] is None


def test_every_field_without_a_place_on_the_page_is_in_the_front_matter() -> None:
    missing = set(Template.model_fields) - set(front_matter(page(template())))

    assert missing == {"description", "explainer", "notes", "workflow"}


@settings(max_examples=at_length(80), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(anyhow)
def test_the_front_matter_of_any_template_can_be_read(one: Template) -> None:
    found = front_matter(page(one))

    assert (found["title"], found["slug"], found["url"]) == (one.title, one.slug, one.url)


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.sampled_from(NASTY_TITLES))
def test_the_index_has_a_line_for_each_page(
    tmp_path_factory: pytest.TempPathFactory, title: str
) -> None:
    folder: Path = tmp_path_factory.mktemp("x") / "pages"
    with MarkdownWriter(folder) as writer:
        writer.write(template("1", title=title))
        writer.write(template("2", title=None, slug=None))
        writer.finish()

    lines = (folder / "index.md").read_text().splitlines()
    pages = sorted(path.name for path in folder.iterdir())
    assert len([line for line in lines if line.startswith("- [")]) == 2
    assert lines[-1] == "- [Template 2](2.md)"
    assert len(pages) == 3
