"""A workflow goes to n8n under a name that n8n takes, however long or odd its title is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.sources.n8n.importable import importable, name_in_n8n
from n8n_scraper.sources.n8n.rules.import_check import LONGEST_NAME, length


@given(st.text() | st.integers(60, 400).map("🚀".__mul__) | st.integers(100, 400).map("x".__mul__))
def test_no_title_makes_a_name_that_n8n_refuses(title: str) -> None:
    assert 1 <= length(name_in_n8n("869", title)) <= LONGEST_NAME


@pytest.mark.parametrize("title", ["Post to Slack", "x" * LONGEST_NAME, "🚀" * (LONGEST_NAME // 2)])
def test_a_title_that_has_room_is_the_name(title: str) -> None:
    assert name_in_n8n("869", title) == title


@pytest.mark.parametrize(("sign", "kept"), [("x", 127), ("🚀", 63)])
def test_a_longer_one_is_cut_where_the_room_ends_as_n8n_counts(sign: str, kept: int) -> None:
    assert name_in_n8n("869", sign * 300) == sign * kept + "…"


@pytest.mark.parametrize("title", [None, "", "  "])
def test_without_a_title_the_number_is_the_name(title: str | None) -> None:
    assert name_in_n8n("869", title) == "Template 869"


def test_what_else_the_workflow_says_of_itself_stays() -> None:
    workflow = {"nodes": [], "connections": {}, "name": "Old", "meta": {"instanceId": "1"}}

    assert importable("869", "New", workflow) == {
        **workflow,
        "name": "New",
        "meta": {"instanceId": "1", "templateId": "869"},
    }
