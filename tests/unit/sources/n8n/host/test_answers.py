"""What n8n's template browser gets of a template, and cannot do without."""

import json
from typing import Any

import pytest

from n8n_scraper.sources.n8n.host.answers import (
    Collection,
    card,
    categories,
    category,
    collection_card,
    collection_whole,
    detail,
    importable,
    nodes_in,
    payload_of,
    pictures_of,
)

RECORD: dict[str, Any] = {
    "workflow_id": "869",
    "title": "Post to Slack",
    "description": "# Hello",
    "views": 12,
    "recent_views": None,
    "created_at": "2024-01-01T00:00:00.000Z",
    "author": {"name": "Ada", "username": "ada", "avatar": "https://pictures.example/ada.png"},
    "price": None,
    "purchase_url": None,
    "categories": ["AI"],
    "node_types": {"n8n-nodes-base.slack": 2, "n8n-nodes-base.set": 1},
    "workflow": {"nodes": [], "connections": {}},
}


def of_nothing(_url: str) -> str | None:
    return None


def ours(url: str) -> str | None:
    return f"http://ours/{url.rsplit('/', 1)[-1]}"


def answer(**workflow: Any) -> bytes:
    return json.dumps({"workflow": workflow}).encode()


def nodes(number: int) -> list[dict[str, Any]]:
    return [
        {"id": n, "name": f"n{n}", "displayName": f"N {n}", "codex": {}, "iconData": {"type": "x"}}
        for n in range(number)
    ]


def test_a_card_has_what_the_list_shows() -> None:
    shown = card(RECORD, nodes_in(answer(nodes=nodes(1))), of_nothing)

    assert shown["id"] == 869
    assert shown["name"] == "Post to Slack"
    assert shown["createdAt"] == "2024-01-01T00:00:00.000Z"
    assert shown["user"]["username"] == "ada"
    assert shown["nodes"] == [
        {"id": 0, "name": "n0", "displayName": "N 0", "iconData": {"type": "x"}}
    ]


def test_only_as_many_icons_as_are_drawn_are_sent() -> None:
    shown = card(RECORD, nodes_in(answer(nodes=nodes(9))), of_nothing)

    assert [("iconData" in node) for node in shown["nodes"]] == [True] * 5 + [False] * 4


def test_what_is_not_known_is_left_out_and_not_sent_as_null() -> None:
    shown = card(RECORD | {"views": None, "author": None}, [], of_nothing)

    assert "totalViews" not in shown
    assert "user" not in shown


@pytest.mark.parametrize("body", [None, b"no JSON", b"[]", b'{"workflow": 5}'])
def test_without_a_metadata_answer_the_record_stands_in_for_it(body: bytes | None) -> None:
    listed = card(RECORD, nodes_in(body), of_nothing)
    whole = detail(RECORD, payload_of(body), of_nothing)

    assert [node["displayName"] for node in listed["nodes"]] == ["slack", "set"]
    assert whole["workflow"]["categories"] == [category("AI")]


def test_a_template_without_a_title_has_a_name_all_the_same() -> None:
    assert card(RECORD | {"title": None}, [], of_nothing)["name"] == "Template 869"


def test_a_template_whole_is_the_answer_of_n8n_io_word_for_word() -> None:
    given = answer(id=869, readyToDemo=True, workflow={"nodes": [1]}, image=[])

    shown = detail(RECORD, payload_of(given), of_nothing)["workflow"]

    assert shown["readyToDemo"] is True
    assert shown["workflow"] == {"nodes": [1]}


def test_pictures_that_we_have_are_shown_from_here() -> None:
    pictures = [{"id": 1, "url": "https://pictures.example/a.png"}, {"id": 2}, "odd"]

    payload = payload_of(answer(image=pictures, user={"bio": "x"}))

    shown = detail(RECORD, payload, ours)["workflow"]

    assert shown["image"] == [{"id": 1, "url": "http://ours/a.png"}, {"id": 2}]
    assert shown["user"]["avatar"] == "http://ours/ada.png"
    assert shown["user"]["bio"] == "x"


def test_its_pictures_are_that_of_its_author_and_those_attached_to_it() -> None:
    payload = payload_of(answer(image=[{"url": "https://x/a.png"}, {}, 5]))

    assert pictures_of(RECORD, payload) == ["https://pictures.example/ada.png", "https://x/a.png"]
    assert pictures_of(RECORD | {"author": None}, {}) == []


def test_what_is_put_on_the_canvas_has_no_wrapping() -> None:
    assert importable(RECORD) == {
        "id": 869,
        "name": "Post to Slack",
        "workflow": {"nodes": [], "connections": {}},
    }


def test_there_is_nothing_to_import_where_we_have_no_workflow() -> None:
    assert importable(RECORD | {"workflow": None}) is None


def test_the_id_of_a_category_follows_from_its_name() -> None:
    first, again = categories(["Sales", "AI"]), categories(["AI", "HR", "Sales"])

    ids = {one["name"]: one["id"] for one in again["categories"]}
    assert [one["name"] for one in first["categories"]] == ["AI", "Sales"]
    assert all(ids[one["name"]] == one["id"] for one in first["categories"])


def test_a_category_whose_name_would_be_read_as_two_is_not_offered() -> None:
    assert categories(["Sales, HR"])["categories"] == []


def test_a_collection_has_nodes_without_which_the_page_breaks() -> None:
    own = Collection(3, "Alike", None, None, ("869", "5"))

    assert collection_card(own, rank=1) == {
        "id": 3,
        "rank": 1,
        "name": "Alike",
        "workflows": [{"id": 869}, {"id": 5}],
        "nodes": [],
    }
    assert collection_whole(own, [])["collection"]["nodes"] == []
