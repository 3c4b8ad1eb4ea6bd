"""The JSON answer: id, name and the importable workflow, nothing else."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.errors import BadContent, UnreadableAnswer, WrongItem
from n8n_scraper.sources.n8n.pages.workflow_json import WorkflowJson, read_workflow_json
from tests.unit.sources.n8n.pages.given import JSON_LIKE, WORKFLOW, WORKFLOWS, encoded


def test_a_whole_answer_is_read() -> None:
    body = encoded({"id": 1954, "name": "AI agent chat", "workflow": WORKFLOW})

    found = read_workflow_json(body, asked="1954")

    assert found == WorkflowJson("1954", "AI agent chat", WORKFLOW)


def test_the_workflow_is_exactly_as_served() -> None:
    served = '{"id": 1954, "workflow": {"settings": "{}", "nodes": [{"b": 1.10, "a": null}]}}'

    found = read_workflow_json(served.encode(), asked="1954")

    assert json.dumps(found.workflow) == '{"settings": "{}", "nodes": [{"b": 1.1, "a": null}]}'


def test_a_workflow_of_883_kilobytes_is_read_whole() -> None:
    pinned = "TmV2ZXIgZ29ubmEg" * 55_000
    workflow = {**WORKFLOW, "pinData": {"Set": [{"json": {"data": pinned}}]}}

    found = read_workflow_json(encoded({"id": 13096, "workflow": workflow}), asked="13096")

    assert found.workflow == workflow


@pytest.mark.parametrize(
    ("answer", "title", "workflow"),
    [
        ({"id": 1954}, None, None),
        ({"id": 1954, "name": "  "}, None, None),
        ({"id": 1954, "name": " spaced "}, " spaced ", None),
        ({"id": 1954, "workflow": None}, None, None),
        ({"id": 1954, "workflow": "{}"}, None, None),
        ({"id": 1954, "workflow": {"connections": {}}}, None, None),  # nothing to import
    ],
)
def test_what_an_answer_lacks_is_none(answer: Any, title: object, workflow: object) -> None:
    found = read_workflow_json(encoded(answer), asked="1954")

    assert (found.title, found.workflow) == (title, workflow)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        encoded({"name": "no id", "workflow": WORKFLOW}),
        encoded({"id": None}),
        encoded({"error": True, "statusCode": 404}),
    ],
)
def test_what_is_no_json_answer_is_refused(body: bytes) -> None:
    with pytest.raises(BadContent):
        read_workflow_json(body, asked="1954")


def test_the_answer_for_another_template_is_refused() -> None:
    with pytest.raises(WrongItem):
        read_workflow_json(encoded({"id": 1955, "workflow": WORKFLOW}), asked="1954")


@given(JSON_LIKE | WORKFLOWS.map(lambda workflow: {"id": 1954, "workflow": workflow}))
def test_any_json_is_read_or_refused(value: Any) -> None:
    try:
        found = read_workflow_json(encoded(value), asked="1954")
    except UnreadableAnswer:
        return

    assert found.workflow_id == "1954"


@given(st.binary())
def test_any_bytes_are_refused(body: bytes) -> None:
    with pytest.raises(UnreadableAnswer):
        read_workflow_json(body, asked="1954")
