"""The contract that pages, pipelines, storage, feeds and tests share."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from n8n_scraper.core.item import Outcome, PartState, PartStatus
from n8n_scraper.sources.n8n.item import Author, Explainer, Note, Template, broken_promises
from n8n_scraper.sources.n8n.parts import Layer

STATES = {layer: PartState(status=PartStatus.OK) for layer in Layer}
OBSERVED = {
    "workflow_id",
    "url",
    "outcome",
    "layers",
    "in_inventory",
    "removed_at",
    "unobserved",
    "sources",
    "run_id",
    "scraped_at",
    "processing_time",
}


def template(**changes: Any) -> Template:
    """A template of which nothing could be observed, changed here and there."""
    unobserved = {
        field: "not asked" for field in Template.model_fields if field not in {*OBSERVED, *changes}
    }
    values: dict[str, Any] = {
        "workflow_id": "1954",
        "url": "https://n8n.io/workflows/1954/",
        "outcome": Outcome.COMPLETE,
        "layers": STATES,
        "in_inventory": True,
        "run_id": "run",
        "scraped_at": "2026-10-01T00:00:00Z",
        "processing_time": 0.5,
        "unobserved": unobserved,
    }
    return Template(**{**values, **changes})


def test_a_template_of_which_every_null_has_a_reason_keeps_the_contract() -> None:
    assert broken_promises(template()) == []


@pytest.mark.parametrize(
    ("changes", "promise"),
    [
        ({"unobserved": {}}, "title is null without a reason"),
        ({"unobserved": {"workflow_id": "why?"}}, "workflow_id has a value and a reason for"),
        ({"layers": {}}, "not every layer has a state"),
        ({"layers": {Layer.JSON: STATES[Layer.JSON]}}, "not every layer has a state"),
        (
            {"layers": {layer: PartState(status=PartStatus.MISSING) for layer in Layer}},
            "outcome complete although no layer is ok",
        ),
        (
            {"layers": {}, "outcome": Outcome.PARTIAL},
            "outcome partial although no layer is ok",
        ),
    ],
)
def test_each_broken_promise_is_said_in_words(changes: dict[str, Any], promise: str) -> None:
    assert any(broken.startswith(promise) for broken in broken_promises(template(**changes)))


@pytest.mark.parametrize("outcome", [Outcome.GONE, Outcome.BLOCKED, Outcome.FAILED])
def test_a_template_that_could_not_be_had_needs_no_good_layer(outcome: Outcome) -> None:
    states = {layer: PartState(status=PartStatus.FAILED, reason="503") for layer in Layer}

    assert broken_promises(template(outcome=outcome, layers=states)) == []


def test_an_empty_value_is_a_value() -> None:
    found = template(categories=[], description="", views=0, videos=[], node_types={})

    assert broken_promises(found) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"workflow_id": "0"},
        {"workflow_id": "01"},
        {"workflow_id": "1 "},
        {"workflow_id": "1\n"},
        {"workflow_id": 1954},  # the id is text
        {"title": 7},
        {"categories": ["AI", None]},
        {"categories": "AI"},
        {"created_at": "yesterday"},
        {"created_at": "2026-13"},
        {"views": -1},
        {"views": "7"},
        {"views": 7.0},
        {"recent_views": True},
        {"price": "20"},
        {"node_types": {"x.a": "1"}},
        {"workflow": []},
        {"outcome": "splendid"},
        {"layers": {"fourth": STATES[Layer.JSON]}},
        {"in_inventory": None},
        {"processing_time": -0.1},
        {"slogan": "no such field"},
        {"author": {"name": "A", "email": "no such field"}},
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        template(**changes)


def test_a_wrong_value_is_refused_later_too() -> None:
    found = template()

    with pytest.raises(ValidationError):
        found.views = -1


def test_to_observe_a_field_forgets_why_it_was_not() -> None:
    found = template()

    found.observe("title", "AI agent chat", "metadata")

    assert found.title == "AI agent chat"
    assert found.sources == {"title": "metadata"}
    assert "title" not in found.unobserved
    assert broken_promises(found) == []


def test_to_observe_one_field_leaves_the_others() -> None:
    found = template()
    found.observe("title", "AI agent chat", "metadata")

    found.observe("views", 7, "metadata")

    assert found.sources == {"title": "metadata", "views": "metadata"}
    assert found.unobserved["description"] == "not asked"


def test_two_templates_share_nothing() -> None:
    first, second = template(unobserved={}), template(unobserved={})

    first.observe("title", "AI agent chat", "metadata")

    assert (second.title, second.sources) == (None, {})
    assert Author().links is not Author().links


@pytest.mark.parametrize(
    ("part", "values"),
    [
        (Note, {"name": None}),  # every part of a note is said, if only as null
        (Explainer, {"markdown": "text"}),
        (PartState, {}),
        (PartState, {"status": "splendid"}),
    ],
)
def test_a_part_is_whole_or_refused(part: type[Any], values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        part(**values)


def test_a_template_says_in_json_what_it_is() -> None:
    written = template(author=Author(name="A"), price=20.0).model_dump(mode="json")

    assert written["outcome"] == "complete"
    assert written["layers"]["metadata"]["status"] == "ok"
    assert written["author"]["links"] == []
    assert list(written) == list(Template.model_fields)


@given(
    title=st.none() | st.text(),
    views=st.none() | st.integers(0, 2**63 - 1),
    price=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    categories=st.none() | st.lists(st.text()),
    outcome=st.sampled_from(Outcome),
)
def test_a_template_comes_back_from_json_as_it_was(**changes: Any) -> None:
    found = template(**changes)

    assert Template.model_validate_json(json.dumps(found.model_dump(mode="json"))) == found
