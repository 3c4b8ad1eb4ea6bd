"""The metadata answer: everything about a template in one call."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.errors import BadContent, UnreadableAnswer, WrongItem
from n8n_scraper.sources.n8n.item import Author
from n8n_scraper.sources.n8n.pages.metadata import (
    AttachedImage,
    read_author,
    read_metadata,
    read_time,
    read_workflow,
)
from tests.unit.sources.n8n.pages.given import (
    DETAIL,
    DETAILS,
    JSON_LIKE,
    WORKFLOW,
    detail,
    detail_without,
    encoded,
)


def test_a_whole_answer_is_read_field_by_field() -> None:
    body = detail(image=[{"id": 3035, "url": "https://example.com/a.png"}])

    found = read_metadata(body, asked="1954")

    assert found.workflow_id == "1954"
    assert found.title == "AI agent chat"
    assert found.description == "Chat with **an agent**."
    assert found.author == Author(name="n8n Team", username="n8n-team", verified=True)
    assert found.categories == ["Engineering"]
    assert found.created_at == "2023-10-03T14:49:21.377Z"
    assert (found.views, found.recent_views) == (7, 3)
    assert found.workflow == WORKFLOW
    assert found.images == [AttachedImage(3035, "https://example.com/a.png")]


def test_price_is_never_made_up() -> None:
    found = read_metadata(detail(), asked="1954")

    assert found.price is None
    assert found.purchase_url is None


@pytest.mark.parametrize(
    ("changes", "field", "value"),
    [
        ({"name": " Outer spaces  "}, "title", " Outer spaces  "),  # 8 templates
        ({"name": "🔥🔥 | Chat | 🤖✨"}, "title", "🔥🔥 | Chat | 🤖✨"),
        ({"name": "x" * 119}, "title", "x" * 119),  # the longest seen
        ({"name": "a\x00b\ud800c"}, "title", "a\ufffdb\ufffdc"),
        ({"name": ""}, "title", None),
        ({"description": "# Why?\n\n<br>\t"}, "description", "# Why?\n\n<br>\t"),  # unchanged
        ({"description": " \n"}, "description", None),
        ({"workflowInfo": None}, "title", "AI agent chat"),  # null in 25 templates
        ({"workflowInfo": {"nodeCount": 99}}, "workflow", WORKFLOW),  # wrong in 187
        ({"lastUpdatedBy": None}, "title", "AI agent chat"),  # null in 303
        ({"nodes": []}, "workflow", WORKFLOW),  # the list of kinds is empty for 2732
        ({"reviewStatus": "approved", "readyToDemo": True}, "views", 7),  # unknown keys
        ({"categories": []}, "categories", []),  # 2404, 5781, 6242, 6248, 7000
        ({"categories": None}, "categories", None),
        ({"categories": [None, {"id": 5}, {"name": "AI"}, "AI"]}, "categories", ["AI"]),
        ({"totalViews": 9, "views": 7}, "views", 9),
        ({"totalViews": None, "views": 7}, "views", 7),
        ({"totalViews": "9", "views": -1}, "views", None),
        ({"recentViews": 0}, "recent_views", 0),
        ({"recentViews": 2**70}, "recent_views", None),
        ({"createdAt": "yesterday"}, "created_at", None),
        ({"createdAt": "ten letterThen"}, "created_at", None),  # a T at the right place
        ({"createdAt": 1696344561}, "created_at", None),
        ({"price": 20}, "price", 20.0),  # as search would give it
        ({"purchaseUrl": "https://shop.example.com/"}, "purchase_url", "https://shop.example.com/"),
        ({"purchaseUrl": ""}, "purchase_url", None),
        ({"workflow": None}, "workflow", None),
        ({"workflow": {"nodes": {}}}, "workflow", None),  # nothing to import
        ({"workflow": {"nodes": []}}, "workflow", {"nodes": []}),
        ({"image": None}, "images", []),
        ({"image": [{"id": "7", "url": "u"}, {"id": 8}]}, "images", [AttachedImage(None, "u")]),
        ({"user": None}, "author", None),
        ({"user": {}}, "author", None),
        ({"user": "n8n Team"}, "author", None),
    ],
)
def test_an_odd_value_is_read_for_what_it_is(
    changes: dict[str, Any], field: str, value: object
) -> None:
    assert getattr(read_metadata(detail(**changes), asked="1954"), field) == value


@pytest.mark.parametrize(
    ("key", "field"),
    [
        ("name", "title"),
        ("description", "description"),
        ("user", "author"),
        ("categories", "categories"),
        ("createdAt", "created_at"),
        ("recentViews", "recent_views"),
        ("workflow", "workflow"),
    ],
)
def test_an_absent_value_is_none(key: str, field: str) -> None:
    assert getattr(read_metadata(detail_without(key), asked="1954"), field) is None


def test_an_answer_without_status_is_read_all_the_same() -> None:
    found = read_metadata(detail_without("status", "image"), asked="1954")

    assert found.images == []


@pytest.mark.parametrize(
    ("links", "found"),
    [
        (["https://example.com"], ["https://example.com"]),  # a real array, in this answer
        ([""], []),
        ([], []),
        ('["https://example.com"]', ["https://example.com"]),  # JSON in a string, in search
        ('[""]', []),
        ("[]", []),
        ("https://example.com", ["https://example.com"]),
        ("", []),
        ([None, 1, "https://example.com"], ["https://example.com"]),
        (None, []),
        ({"web": "https://example.com"}, []),
    ],
)
def test_author_links_come_as_a_list_or_as_json_in_a_string(
    links: object, found: list[str]
) -> None:
    author = read_author({"name": "n8n Team", "links": links})

    assert author is not None
    assert author.links == found


def test_links_that_are_nested_without_end_do_no_harm() -> None:
    author = read_author({"links": "[" * 100_000})

    assert author is not None


def test_an_author_without_bio_has_none_and_an_empty_bio_stays_empty() -> None:
    without = read_author({"name": "A", "bio": None})
    empty = read_author({"name": "A", "bio": ""})

    assert without is not None
    assert without.bio is None
    assert empty is not None
    assert empty.bio == ""


@pytest.mark.parametrize(
    "body",
    [
        encoded({}),
        encoded({"workflow": None}),
        encoded({"workflow": []}),
        encoded({"workflow": {"name": "no id"}}),
        encoded({"workflow": {**DETAIL, "id": True}}),
        encoded({"error": True, "statusCode": 404, "statusMessage": "Page not found"}),
        detail()[:-20],  # cut short
        b"",
    ],
)
def test_what_is_no_metadata_is_refused(body: bytes) -> None:
    with pytest.raises(BadContent):
        read_metadata(body, asked="1954")


def test_the_answer_for_another_template_is_refused() -> None:
    with pytest.raises(WrongItem, match="asked for template 1955, the answer speaks of 1954"):
        read_metadata(detail(), asked="1955")


def test_an_id_given_as_text_is_the_same_id() -> None:
    assert read_metadata(detail(id="1954"), asked="1954").workflow_id == "1954"


def test_the_workflow_keeps_its_keys_in_the_order_served() -> None:
    served = {"zeta": 1, "nodes": [], "alpha": {"y": 1, "x": 2}, "connections": {}}

    found = read_workflow(served)

    assert json.dumps(found) == json.dumps(served)


@given(JSON_LIKE)
def test_no_part_of_an_answer_makes_a_reader_raise(value: Any) -> None:
    read_author(value)
    read_workflow(value)
    read_time(value)


@given(JSON_LIKE | DETAILS.map(lambda inner: {"workflow": {"id": 1954, **inner}}))
def test_any_json_is_read_or_refused(value: Any) -> None:
    try:
        found = read_metadata(encoded(value), asked="1954")
    except UnreadableAnswer:
        return

    assert found.workflow_id == "1954"


@given(st.binary())
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    with pytest.raises(UnreadableAnswer):
        read_metadata(body, asked="1954")
