"""The search answer: the only place that names a price."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.errors import BadContent, UnreadableAnswer
from n8n_scraper.sources.n8n.pages.search import Listed, SearchPage, read_search
from tests.unit.sources.n8n.pages.given import JSON_LIKE, OBJECTS, encoded


def answer(*items: object, total: object = 2) -> bytes:
    return encoded({"totalWorkflows": total, "workflows": list(items), "filters": []})


@pytest.mark.parametrize(
    ("item", "listed"),
    [
        ({"id": 8549, "price": 15, "purchaseUrl": "https://a"}, Listed("8549", 15.0, "https://a")),
        ({"id": 1, "price": 0, "purchaseUrl": None}, Listed("1", 0.0, None)),
        ({"id": 1}, Listed("1", None, None)),  # the key is absent on 28 of 100
        ({"id": 1, "price": None}, Listed("1", None, None)),
        ({"id": 1, "price": "15"}, Listed("1", None, None)),
        ({"id": 1, "price": True}, Listed("1", None, None)),
        ({"id": 1, "purchaseUrl": ""}, Listed("1", None, None)),
        ({"id": "1"}, Listed("1", None, None)),
        ({"id": 1, "user": {"links": '["https://a"]'}, "nodes": []}, Listed("1", None, None)),
    ],
)
def test_each_listed_template_comes_with_its_price(item: object, listed: Listed) -> None:
    assert read_search(answer(item)).templates == [listed]


@pytest.mark.parametrize("item", [{}, {"id": 0}, {"id": None}, {"name": "x"}, None, 7, "1954", []])
def test_an_entry_without_an_id_is_passed_over(item: object) -> None:
    found = read_search(answer(item, {"id": 5}))

    assert [listed.workflow_id for listed in found.templates] == ["5"]


def test_a_search_that_finds_nothing_is_a_good_answer() -> None:
    assert read_search(answer(total=0)) == SearchPage(0, [])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        encoded({"workflows": []}),
        encoded({"totalWorkflows": 5}),
        encoded({"totalWorkflows": "5", "workflows": []}),
        encoded({"totalWorkflows": -1, "workflows": []}),
        encoded({"totalWorkflows": 5, "workflows": {}}),
        encoded({"error": True, "statusCode": 400, "message": "rows must be at most 100"}),
        answer({"id": 1})[:-30],  # cut short
    ],
)
def test_what_is_no_search_answer_is_refused(body: bytes) -> None:
    with pytest.raises(BadContent):
        read_search(body)


@given(JSON_LIKE | st.lists(OBJECTS).map(lambda items: {"totalWorkflows": 1, "workflows": items}))
def test_any_json_is_read_or_refused(value: Any) -> None:
    try:
        found = read_search(encoded(value))
    except UnreadableAnswer:
        return

    assert all(listed.workflow_id.isdigit() for listed in found.templates)


@given(st.binary())
def test_any_bytes_are_refused(body: bytes) -> None:
    with pytest.raises(UnreadableAnswer):
        read_search(body)
