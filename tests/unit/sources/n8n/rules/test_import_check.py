"""Whether n8n takes a workflow."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.sources.n8n.item import ImportCheck
from n8n_scraper.sources.n8n.rules import import_check as rules
from n8n_scraper.sources.n8n.rules.import_check import check_import
from n8n_scraper.sources.n8n.rules.node_table import shipped_table

Workflow = dict[str, Any]

GOOD: Workflow = {
    "nodes": [
        {"id": "a", "name": "Start", "type": "n8n-nodes-base.manualTrigger", "position": [0, 0]},
        {
            "id": "b",
            "name": "Ask",
            "type": "n8n-nodes-base.httpRequest",
            "typeVersion": 4.2,
            "position": [200.5, -3],
            "parameters": {},
            "disabled": False,
            "credentials": {"httpBasicAuth": {"id": "1", "name": "x"}},
        },
    ],
    "connections": {"Start": {"main": [None, [{"node": "Ask", "type": "main", "index": 0}]]}},
    "settings": None,
}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)


def judged(workflow: Workflow, name: str | None = "A name") -> ImportCheck:
    return check_import(workflow, name=name, table=shipped_table())


def broken(workflow: Workflow, name: str | None = "A name") -> list[tuple[str, str]]:
    return [(one.rule, one.place) for one in judged(workflow, name).problems]


def with_node(**changes: Any) -> Workflow:
    """The good workflow with another second node; `...` leaves a key out."""
    workflow = deepcopy(GOOD)
    node = workflow["nodes"][1] | changes
    workflow["nodes"][1] = {key: value for key, value in node.items() if value is not ...}
    return workflow


def wired(connections: Any) -> Workflow:
    return {**GOOD, "connections": connections}


def test_a_good_workflow_imports() -> None:
    check = judged(GOOD)

    assert check.verdict == "imports"
    assert check.problems == []
    assert check.needs.credentials == ["httpBasicAuth"]
    assert check.n8n_version == "2.41.1"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"name": ...}, "name"),
        ({"name": ""}, "name"),
        ({"type": None}, "type"),
        ({"position": ...}, "position"),
        ({"position": [1]}, "position"),
        ({"position": [1, True]}, "position"),
        ({"parameters": None}, "parameters"),
        ({"parameters": []}, "parameters"),
        ({"id": 7}, "id"),
        ({"typeVersion": "1.3"}, "typeVersion"),
        ({"typeVersion": None}, "typeVersion"),
        ({"disabled": "no"}, "disabled"),
        ({"credentials": "[REDACTED]"}, "credentials"),
    ],
)
def test_each_broken_rule_of_a_node_is_named_with_its_place(
    change: dict[str, Any], place: str
) -> None:
    assert [where for _, where in broken(with_node(**change))] == [f"nodes[1].{place}"]


@pytest.mark.parametrize(
    "change",
    [
        {"id": None},  # the server gives it one before it judges
        {"id": ""},
        {"id": ...},
        {"parameters": ...},
        {"typeVersion": ...},
        {"credentials": None},
        {"disabled": True, "credentials": "[REDACTED]"},  # of a disabled node nobody looks at them
        {"unheard": "of"},
    ],
)
def test_what_n8n_makes_good_or_overlooks_breaks_no_rule(change: dict[str, Any]) -> None:
    assert broken(with_node(**change)) == []


@pytest.mark.parametrize(
    ("connections", "place"),
    [
        ([], "connections"),
        (None, "connections"),
        ({"Start": [[]]}, "connections.Start"),
        ({"Start": {"main": {}}}, "connections.Start.main"),
        ({"Start": {"main": [{}]}}, "connections.Start.main[0]"),
        ({"Start": {"main": [["Ask"]]}}, "connections.Start.main[0][0]"),
        (
            {"Start": {"main": [[{"node": "Ask", "type": "main"}]]}},
            "connections.Start.main[0][0].index",
        ),
        (
            {"Start": {"main": [[{"node": "Ask", "type": "main", "index": 0.5}]]}},
            "connections.Start.main[0][0].index",
        ),
        (
            {"Start": {"main": [[{"node": "", "type": "main", "index": 0}]]}},
            "connections.Start.main[0][0].node",
        ),
        ({"Nobody": {"main": []}}, "connections.Nobody"),
        (
            {"Start": {"main": [[{"node": "Nobody", "type": "main", "index": 0}]]}},
            "connections.Start.main[0][0].node",
        ),
    ],
)
def test_each_broken_rule_of_the_connections_is_named_with_its_place(
    connections: Any, place: str
) -> None:
    assert [where for _, where in broken(wired(connections))] == [place]


@pytest.mark.parametrize("key", ["settings", "pinData", "meta"])
def test_settings_pinned_data_and_meta_are_objects_or_nothing(key: str) -> None:
    assert broken({**GOOD, key: None}) == []
    assert broken({**GOOD, key: {}}) == []
    assert [place for _, place in broken({**GOOD, key: "text"})] == [key]


@pytest.mark.parametrize(
    ("name", "fits"),
    [(None, True), ("", False), ("n", True), ("n" * 128, True), ("n" * 129, False)],
)
def test_a_name_has_1_to_128_characters(name: str | None, fits: bool) -> None:
    assert (broken(GOOD, name) == []) is fits


def test_a_character_beyond_the_basic_plane_counts_twice() -> None:
    assert broken(GOOD, "🦾" * 64) == []
    assert broken(GOOD, "🦾" * 65) != []


def test_names_and_ids_are_used_once() -> None:
    assert broken(with_node(name="Start", id="a")) == [
        ("an id is used once", "nodes[1].id"),
        ("a name is used once", "nodes[1].name"),
        ("a connection ends at a node", "connections.Start.main[1][0].node"),
    ]


def test_names_ids_and_wires_are_compared_only_where_the_shapes_are_right() -> None:
    both = with_node(name="Start", typeVersion="2")

    assert broken(both) == [("a type version is a number", "nodes[1].typeVersion")]


def test_pinned_data_have_a_largest_size() -> None:
    largest = rules.LARGEST_PIN_DATA - len('{"a":""}')

    assert broken({**GOOD, "pinData": {"a": "x" * largest}}) == []
    assert [place for _, place in broken({**GOOD, "pinData": {"a": "ü" * largest}})] == [
        "pinData",
        "workflow",
    ]


def test_types_that_n8n_does_not_have_are_gaps_each_with_its_nodes() -> None:
    workflow = with_node(type="n8n-nodes-mcp.mcpClient")
    workflow["nodes"][0] |= {"type": "n8n-nodes-base.function", "typeVersion": 2}

    check = judged(workflow)

    assert check.verdict == "imports with gaps"
    assert [(one.type, one.version, one.nodes) for one in check.unknown_types] == [
        ("n8n-nodes-base.function", 2.0, ["Start"]),
        ("n8n-nodes-mcp.mcpClient", None, ["Ask"]),
    ]
    assert check.needs.packages == ["n8n-nodes-mcp"]


def test_what_is_rejected_still_says_what_it_needs() -> None:
    check = judged(with_node(name="", type="n8n-nodes-mcp.mcpClient"))

    assert check.verdict == "rejected"
    assert check.needs.packages == ["n8n-nodes-mcp"]
    assert check.unknown_types[0].nodes == ["nodes[1]"]


def test_a_version_beyond_every_number_is_no_trouble() -> None:
    assert judged(with_node(typeVersion=10**400)).verdict == "imports"


@given(st.dictionaries(st.sampled_from(["nodes", "connections", "settings", "pinData"]), JSON))
def test_any_json_is_judged(workflow: Workflow) -> None:
    check = judged(workflow)

    assert (check.verdict == "rejected") is bool(check.problems)


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["name", "type", "position", "id", "typeVersion", "credentials"]), JSON
        ),
        max_size=3,
    ),
    st.dictionaries(st.text(max_size=2), st.dictionaries(st.text(max_size=2), JSON), max_size=3),
)
def test_any_nodes_and_wires_are_judged(nodes: list[Any], connections: Workflow) -> None:
    assert judged({"nodes": nodes, "connections": connections}).n8n_version == "2.41.1"
