"""What of a template counts as a change."""

from typing import Any

from n8n_scraper.sources.n8n.rules.change import changes, content_of, observed, renaming
from tests.unit.making import template


def record(**changes: object) -> dict[str, Any]:
    return template(**changes).model_dump(mode="json")


def failed(layer: str, **lost: None) -> dict[str, Any]:
    found = record() | lost
    found["layers"][layer] = {"status": "failed", "reason": "the site answered 500"}
    return found


def test_views_dates_and_scores_are_no_authors_work() -> None:
    old, new = record(), record(totalViews=99_999, createdAt="2026-05-05T00:00:00.000Z")

    assert changes(content_of(old), content_of(new)) == {}


def test_each_field_that_differs_is_named_with_both_values() -> None:
    old, new = record(), record(name="New", user={"name": "B", "username": "bob"})

    assert changes(content_of(old), content_of(new)) == {
        "title": {"old": "Ask an address", "new": "New"},
        "author": {"old": "ada", "new": "bob"},
    }


def test_an_authors_bio_is_no_part_of_the_template() -> None:
    old, new = record(), record()
    new["author"] = {"name": "Ada L.", "username": "ada", "bio": "New"}

    assert changes(content_of(old), content_of(new)) == {}


def test_white_space_of_a_title_and_the_order_of_categories_depend_on_where_they_were_read() -> (
    None
):
    old = {"title": " A  b ", "categories": ["AI", "Sales"]}

    assert changes(old, {"title": "A b", "categories": ["Sales", "AI"]}) == {}


def test_a_layer_that_failed_takes_nothing_away() -> None:
    item = failed("metadata", description=None, author=None, categories=None)

    assert set(observed(item)) == {"title", "workflow"}
    assert changes(content_of(record()), observed(item)) == {}


def test_what_the_site_says_there_is_none_of_was_observed() -> None:
    assert observed(record(description=""))["description"] is None


def test_a_price_that_is_not_named_says_nothing() -> None:
    assert {"price", "purchase_url"}.isdisjoint(observed(record()))


def test_a_workflow_that_goes_missing_is_a_change_as_a_whole() -> None:
    assert changes({"workflow": {"nodes": []}}, {"workflow": None}) == {
        "workflow": {"old": {"nodes": []}, "new": None}
    }


def test_a_new_title_or_slug_is_a_new_name_and_a_lost_one_is_not() -> None:
    old, new = record(), record(name="New") | {"slug": "new"}
    lost = record() | {"slug": None, "title": None}

    assert renaming(old, new) == {
        "title": {"old": "Ask an address", "new": "New"},
        "slug": {"old": "ask-an-address", "new": "new"},
    }
    assert renaming(old, lost) == {}
    assert renaming(lost, new) == {}
