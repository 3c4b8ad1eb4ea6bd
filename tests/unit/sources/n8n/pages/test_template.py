"""A template is put together from whatever answers there are, the best first."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.errors import UnreadableAnswer
from n8n_scraper.core.item import Outcome, PartStatus
from n8n_scraper.ledger.database import Database
from n8n_scraper.sources.n8n.item import Image, Template, broken_promises
from n8n_scraper.sources.n8n.pages import read_metadata, read_page, read_workflow_json
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.rules.fingerprint import content_hash
from tests import templates
from tests.unit.sources.n8n.pages.given import (
    DETAILS,
    WORKFLOW,
    WORKFLOWS,
    assembled,
    detail,
    dossier_of,
    encoded,
    html_page,
)

OTHER = {"nodes": [], "connections": {}}


def metadata(**changes: object) -> Any:
    return read_metadata(detail(**changes), asked="1954")


def workflow_json(name: str = "Its own name", workflow: object = WORKFLOW) -> Any:
    answer = {"id": 1954, "name": name, "workflow": workflow}
    return read_workflow_json(encoded(answer), asked="1954")


def page(description: str = "<p>On the page.</p>", **parts: str) -> Any:
    return read_page(html_page(description, **parts), asked="1954")


ABOVE = (
    '<a href="/creators/jane/">Jane</a><a href="/workflows/categories/ai/">AI</a>'
    '<p>Last update 2 days ago</p><a href="https://shop.example.com/">Buy for $20</a>'
)


def test_all_three_answers_make_a_complete_template() -> None:
    found = assembled(
        dossier_of(metadata=metadata(), workflow_json=workflow_json(), page=page(above=ABOVE))
    )

    assert broken_promises(found) == []
    assert found.outcome is Outcome.COMPLETE
    assert found.url == "https://n8n.io/workflows/1954-ai-agent-chat/"
    assert found.title == "AI agent chat"
    assert found.last_update_text == "2 days ago"
    assert (found.price, found.purchase_url) == (20.0, "https://shop.example.com/")
    assert (found.node_count, found.note_count, found.connection_count) == (1, 0, 0)
    assert found.explainer is not None
    assert found.explainer.text == "Chat with an agent."
    assert found.explainer.page_text == "On the page."


def test_each_field_names_the_answer_it_was_read_from() -> None:
    sources = assembled(
        dossier_of(metadata=metadata(), workflow_json=workflow_json(), page=page(above=ABOVE))
    ).sources

    assert sources["slug"] == "inventory"
    assert sources["title"] == sources["author"] == sources["explainer"] == "metadata"
    assert sources["workflow"] == sources["node_count"] == sources["notes"] == "json"
    assert sources["last_update_text"] == sources["price"] == "page"
    assert sources["videos"] == "content"
    assert sources["content_hash"] == "computed"


@pytest.mark.parametrize(
    ("parts", "field", "value"),
    [
        ({"page": page()}, "title", "AI agent chat"),
        ({"page": page(), "workflow_json": workflow_json()}, "title", "Its own name"),
        ({"metadata": metadata(name="")}, "title", None),
        ({"metadata": metadata()}, "workflow", WORKFLOW),
        ({"metadata": metadata(), "workflow_json": workflow_json(workflow=OTHER)}, "node_count", 0),
        ({"workflow_json": workflow_json(workflow=None)}, "workflow", None),
        ({"metadata": metadata(), "workflow_json": workflow_json(workflow=None)}, "node_count", 1),
        ({"metadata": metadata(categories=[])}, "categories", []),
        ({"page": page()}, "categories", None),
        ({"page": page(above=ABOVE)}, "categories", ["AI"]),
        ({"metadata": metadata(categories=[]), "page": page(above=ABOVE)}, "categories", []),
        ({"page": page()}, "author", None),
        ({"metadata": metadata()}, "price", None),
        ({"metadata": metadata(price=15), "page": page(above=ABOVE)}, "price", 15.0),
        ({"page": page()}, "description", None),  # a page has no Markdown
        ({"workflow_json": workflow_json()}, "explainer", None),
        ({"workflow_json": workflow_json()}, "images", None),
        ({"metadata": metadata()}, "images", []),
        ({"metadata": metadata()}, "videos", []),
        ({"workflow_json": workflow_json()}, "videos", None),  # nothing to look in
        ({"metadata": metadata()}, "transcripts", None),
    ],
)
def test_a_field_comes_from_the_best_place_that_has_it(
    parts: dict[str, Any], field: str, value: object
) -> None:
    found = assembled(dossier_of(**parts))

    assert getattr(found, field) == value
    assert broken_promises(found) == []


@pytest.mark.parametrize(
    ("parts", "planned", "field", "reason"),
    [
        ({"metadata": metadata()}, Planned("1954"), "slug", "not in the inventory; explainer skip"),
        ({"metadata": metadata()}, Planned("1954"), "price", "search was not asked; metadata does"),
        ({"metadata": metadata()}, Planned("1954"), "last_update_text", "explainer skipped: not"),
        ({"page": page()}, Planned("1954"), "description", "metadata skipped: not asked for"),
        ({"page": page()}, Planned("1954"), "node_count", "json skipped: not asked for"),
        ({"metadata": metadata()}, Planned("1954"), "transcripts", "not asked for yet"),
        ({"metadata": metadata()}, Planned("1954"), "quality", "not scored yet"),
    ],
)
def test_a_field_that_was_not_observed_says_why(
    parts: dict[str, Any], planned: Planned, field: str, reason: str
) -> None:
    found = assembled(dossier_of(planned=planned, **parts))

    assert getattr(found, field) is None
    assert found.unobserved[field].startswith(reason)


def test_a_failed_layer_leaves_its_reason_with_every_field_it_would_have_brought() -> None:
    dossier = dossier_of(metadata=metadata())
    dossier.settle(Layer.EXPLAINER, PartStatus.FAILED, "503 three times", "server_error", 503)

    found = assembled(dossier)

    assert found.outcome is Outcome.PARTIAL
    assert found.unobserved["last_update_text"] == "explainer failed: 503 three times"


def test_a_fact_of_the_workflow_is_lacking_for_the_workflows_reasons() -> None:
    dossier = dossier_of(metadata=metadata(workflow=None))
    dossier.settle(Layer.JSON, PartStatus.FAILED, "503 three times", "server_error", 503)

    unobserved = assembled(dossier).unobserved

    assert unobserved["node_count"] == unobserved["workflow"]
    assert unobserved["workflow"].startswith("json failed: 503 three times; metadata does not")


def test_what_search_said_comes_before_the_page() -> None:
    planned = Planned(
        "1954",
        listing={"slug": "x", "price": 15.0, "purchase_url": "https://gum.example.com/"},
    )

    found = assembled(dossier_of(planned=planned, metadata=metadata(), page=page(above=ABOVE)))

    assert (found.price, found.purchase_url) == (15.0, "https://gum.example.com/")
    assert found.sources["price"] == "search"


@pytest.mark.parametrize(
    ("planned", "url"),
    [
        (Planned("1954", listing={"slug": "a-b"}), "https://n8n.io/workflows/1954-a-b/"),
        (Planned("1954"), "https://n8n.io/workflows/1954/"),
    ],
)
def test_the_address_ends_in_a_slash(planned: Planned, url: str) -> None:
    assert assembled(dossier_of(planned=planned, metadata=metadata())).url == url


def test_a_template_outside_the_inventory_is_marked() -> None:
    planned = Planned("1954", listed=False)

    assert assembled(dossier_of(planned=planned, metadata=metadata())).in_inventory is False


ATTACHED = [{"id": 7, "url": "https://blob/7.png"}, {"id": 8, "url": "https://blob/8.png"}]


@pytest.mark.parametrize(
    ("description", "images"),
    [
        (
            "![Seven](fileId:7)",
            [
                ("https://blob/7.png", "Seven", ["description", "attached"], 7),
                ("https://blob/8.png", None, ["attached"], 8),
            ],
        ),
        (
            "![](fileId:8) ![again](fileId:8) ![out](https://a.example/x.png)",
            [
                ("https://blob/8.png", "again", ["description", "attached"], 8),
                ("https://a.example/x.png", "out", ["description"], None),
                ("https://blob/7.png", None, ["attached"], 7),
            ],
        ),
        (
            f"![](fileId:99) ![](fileId:{'9' * 5_000}) ![](data:image/png;base64,AA)",
            [
                ("https://blob/7.png", None, ["attached"], 7),
                ("https://blob/8.png", None, ["attached"], 8),
            ],
        ),
    ],
)
def test_pictures_are_found_by_their_number(
    description: str, images: list[tuple[str, str | None, list[str], int | None]]
) -> None:
    found = assembled(dossier_of(metadata=metadata(description=description, image=ATTACHED)))

    assert found.images == [
        Image(url=url, alt=alt, places=places, file_id=number)
        for url, alt, places, number in images
    ]


def test_attached_pictures_without_a_number_are_all_kept() -> None:
    attached = [{"url": "https://blob/a.png"}, {"url": "https://blob/b.png"}]

    found = assembled(dossier_of(metadata=metadata(image=attached)))

    assert found.images is not None
    assert [image.url for image in found.images] == ["https://blob/a.png", "https://blob/b.png"]


def test_pictures_of_the_page_count_where_there_is_no_markdown() -> None:
    found = assembled(
        dossier_of(
            page=page(
                'x<img src="https://a.example/b.png"><img src="/chrome.svg"><img src="https://[">'
            )
        )
    )

    assert found.images == [Image(url="https://a.example/b.png", alt=None, places=["page"])]


def test_videos_come_from_the_description_and_from_notes() -> None:
    note = {
        "type": "n8n-nodes-base.stickyNote",
        "parameters": {"content": "@[youtube](BBBBBBBBBBB)"},
    }
    description = "https://youtu.be/AAAAAAAAAAA and https://www.youtube.com/c/n8n-io"

    found = assembled(
        dossier_of(metadata=metadata(description=description, workflow={"nodes": [note]}))
    )

    assert found.videos is not None
    assert [(video.video_id, video.places) for video in found.videos] == [
        ("AAAAAAAAAAA", ["description"]),
        ("BBBBBBBBBBB", ["note"]),
    ]


def test_an_author_of_the_page_has_what_the_page_shows() -> None:
    author = assembled(dossier_of(page=page(above=ABOVE))).author

    assert author is not None
    assert (author.name, author.username, author.bio) == ("Jane", "jane", None)


@pytest.mark.parametrize(
    ("changes", "is_another"),
    [
        ({}, False),
        ({"totalViews": 10_000, "recentViews": 50}, False),  # views are not the author's doing
        ({"createdAt": "2026-01-01T00:00:00.000Z"}, False),
        ({"image": ATTACHED}, False),
        ({"name": "Another title"}, True),
        ({"description": "Another text"}, True),
        ({"categories": []}, True),
        ({"user": {"username": "somebody-else"}}, True),
        ({"workflow": OTHER}, True),
    ],
)
def test_the_fingerprint_changes_with_what_an_author_can_edit(
    changes: dict[str, Any], is_another: bool
) -> None:
    first = assembled(dossier_of(metadata=metadata()))
    second = assembled(dossier_of(metadata=metadata(**changes)))

    assert (first.content_hash != second.content_hash) == is_another


def test_the_fingerprint_does_not_depend_on_the_order_of_keys() -> None:
    turned = {"connections": {}, "nodes": WORKFLOW["nodes"]}

    first = assembled(dossier_of(metadata=metadata()))
    second = assembled(dossier_of(metadata=metadata(workflow=turned)))

    assert first.content_hash == second.content_hash == content_hash(second)


def test_half_characters_in_a_workflow_are_replaced_for_no_encoder_takes_them() -> None:
    workflow = {"nodes": [{"name": "\ud83d", "type": "x\x00y"}], "connections": {"\ud83d": [None]}}

    found = assembled(dossier_of(metadata=metadata(workflow=workflow)))

    assert found.workflow == {
        "nodes": [{"name": "\ufffd", "type": "x\x00y"}],  # NUL is as served
        "connections": {"\ufffd": [None]},
    }
    assert found.node_types == {"x\ufffdy": 1}
    assert Template.model_validate_json(json.dumps(found.model_dump(mode="json"))) == found


def test_a_number_that_no_machine_word_holds_stays_whole() -> None:
    workflow = {"nodes": [], "x": 10**400, "y": 0.1, "z": 1e308}

    found = assembled(dossier_of(metadata=metadata(workflow=workflow)))

    assert found.workflow == workflow


def test_both_databases_take_the_strangest_workflow_and_give_it_back(database: Database) -> None:
    # given: everything that JSON can hold and that some writer or reader has stumbled over
    deep: Any = "bottom"
    for _ in range(190):
        deep = [deep]
    workflow = {
        "zeta": [10**400, -(2**63), 0.1, 1e308, 5e-324, -0.0, 1.0, True, None],
        "nodes": [{"name": "a\x00b\ud83d", "type": "n8n-nodes-base.stickyNote"}],
        "alpha": {"\x00": "\u2028", "": "👋", "deep": deep},
        "connections": {"\ud83d": None},
    }
    found = assembled(
        dossier_of(metadata=metadata(name="a\x00b\ud83d", description="\x00", workflow=workflow))
    )

    # when
    database.do(lambda session: templates.save(session, found, []))
    loaded = database.do(lambda session: templates.load(session, "1954"))

    # then
    assert loaded == found
    assert json.dumps(loaded.workflow) == json.dumps(found.workflow)


STATES = st.fixed_dictionaries({layer: st.sampled_from(PartStatus) for layer in Layer})
PAGES = st.none() | st.builds(
    lambda text, above: (text, above),
    st.sampled_from(["<p>x</p>", "<img src='https://[x'>y", "<h1>a</h1>"]),
    st.sampled_from(["", ABOVE, "<n8n-demo workflow='{\"nodes\": [7]}'></n8n-demo>"]),
)


def _read_or_none(reader: Any, *arguments: Any) -> Any:
    try:
        return reader(*arguments, asked="1954")
    except UnreadableAnswer:
        return None


@given(
    states=STATES,
    metadata_answer=DETAILS,
    json_workflow=WORKFLOWS,
    page_parts=PAGES,
    slug=st.none() | st.text(),
)
def test_whatever_succeeded_the_contract_is_kept(
    states: dict[Layer, PartStatus],
    metadata_answer: dict[str, Any],
    json_workflow: Any,
    page_parts: tuple[str, str] | None,
    slug: str | None,
) -> None:
    # given: any answers, of which those layers count that are ok
    inner = {"id": 1954, **(metadata_answer if isinstance(metadata_answer, dict) else {})}
    dossier = dossier_of(planned=Planned("1954", listing={"slug": slug}))
    if states[Layer.METADATA] is PartStatus.OK:
        dossier.read[Layer.METADATA] = _read_or_none(read_metadata, encoded({"workflow": inner}))
    if states[Layer.JSON] is PartStatus.OK:
        answer = encoded({"id": 1954, "workflow": json_workflow})
        dossier.read[Layer.JSON] = _read_or_none(read_workflow_json, answer)
    if states[Layer.EXPLAINER] is PartStatus.OK and page_parts:
        dossier.read[Layer.EXPLAINER] = _read_or_none(
            read_page, html_page(page_parts[0], above=page_parts[1])
        )
    for layer, status in states.items():
        dossier.settle(layer, status, f"{status} for a reason")

    # when
    found = assembled(dossier)

    # then
    assert broken_promises(found) == []
    assert Template.model_validate_json(json.dumps(found.model_dump(mode="json"))) == found
