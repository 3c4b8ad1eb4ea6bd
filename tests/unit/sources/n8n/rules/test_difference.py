"""The difference of two workflows, node by node."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.sources.n8n.replica.catalogue import Catalogue
from n8n_scraper.sources.n8n.replica.oddities import ODDITIES, index_of_oddity
from n8n_scraper.sources.n8n.rules.difference import Difference, NodeName, difference
from n8n_scraper.sources.n8n.rules.difference_words import in_full
from tests.unit.making import WORKFLOW

CATALOGUE = Catalogue(400)


def node(name: str | None, identity: str | None = None, **more: object) -> dict[str, Any]:
    made = {"id": identity, "name": name, "type": "t", "parameters": {}} | more
    return {key: value for key, value in made.items() if value is not None}


def flow(*nodes: dict[str, Any], connections: object = None, **more: object) -> dict[str, Any]:
    return {"nodes": list(nodes), "connections": connections or {}, **more}


def wire(target: str) -> dict[str, Any]:
    return {"main": [[{"node": target, "type": "main", "index": 0}]]}


def told(found: Difference) -> list[str]:
    return list(in_full("workflow", found.as_json())) if found else []


def test_a_node_more_and_a_node_less_are_named_with_their_types() -> None:
    found = difference(flow(node("A"), node("B")), flow(node("A"), node("C")))

    assert found.as_json() == {
        "nodes_added": [{"name": "C", "type": "t"}],
        "nodes_removed": [{"name": "B", "type": "t"}],
    }


def test_an_edited_parameter_is_named_by_its_path_with_both_values() -> None:
    old = node("A", parameters={"options": {"retries": 1, "gone": 2}, "list": [{"a": 1}]})
    new = node("A", parameters={"options": {"retries": 3, "here": 4}, "list": [{"a": 2}, {}]})

    found = difference(flow(old), flow(new))

    [edited] = found.as_json()["nodes_edited"]
    assert (edited["name"], edited["type"]) == ("A", "t")
    assert edited["edits"] == [
        {"path": "parameters.options.retries", "old": 1, "new": 3},
        {"path": "parameters.options.gone", "old": 2},
        {"path": "parameters.options.here", "new": 4},
        {"path": "parameters.list[0].a", "old": 1, "new": 2},
        {"path": "parameters.list[1]", "new": {}},
    ]


def test_a_node_that_was_moved_has_one_edit_and_not_two() -> None:
    found = difference(flow(node("A", position=[0, 0])), flow(node("A", position=[5, 9])))

    assert [edit.path for edit in found.edited[0].edits] == ["position"]


def test_a_renamed_node_is_known_by_its_id_and_its_wires_stay() -> None:
    old = flow(node("A", "1"), node("B", "2"), connections={"A": wire("B")})
    new = flow(node("A", "1"), node("Bee", "2"), connections={"A": wire("Bee")})

    assert difference(old, new).as_json() == {"nodes_renamed": [{"old": "B", "new": "Bee"}]}


def test_new_ids_for_the_same_nodes_are_no_edit() -> None:
    old = flow(node("A", "1"), node("B", "2"))

    assert not difference(old, flow(node("A", "7"), node("B", "8")))
    assert not difference(old, flow(node("A"), node("B")))


def test_the_order_of_the_nodes_and_of_the_keys_is_no_edit() -> None:
    old = flow(node("A", "1"), node("B", "2"))

    assert not difference(old, flow(node("B", "2"), node("A", "1")))


def test_nodes_with_the_same_id_or_name_are_told_apart_as_well_as_can_be() -> None:
    old = flow(node("A", "1"), node("B", "1"), node("C"), node("C"))

    added = difference(old, flow(*old["nodes"], node("C")))
    swapped = difference(old, flow(node("B", "1"), node("A", "1"), node("C"), node("C")))

    assert added.added == [NodeName("C", "t")]
    assert not added.edited
    assert not swapped


def test_nodes_without_id_and_name_are_matched_by_what_they_are() -> None:
    old = flow(node(None, x=1), node(None, x=2), node(None, type="u"))
    new = flow(node(None, x=2), node(None, x=1))

    assert difference(old, new).as_json() == {"nodes_removed": [{"name": None, "type": "u"}]}


def test_wires_are_compared_with_both_their_ends() -> None:
    nodes = [node("If"), node("Yes"), node("No")]
    yes, no = ({"node": name, "type": "main", "index": 0} for name in ("Yes", "No"))
    old = flow(*nodes, connections={"If": {"main": [[yes], [no]]}})
    new = flow(*nodes, connections={"If": {"main": [[no], [yes]]}})

    found = difference(old, new)

    assert sorted(found.connected) == ["If · main 0 → No · main 0", "If · main 1 → Yes · main 0"]
    assert sorted(found.disconnected) == ["If · main 0 → Yes · main 0", "If · main 1 → No · main 0"]


@pytest.mark.parametrize(
    "written",
    [
        {"A": {"main": [[["B", "main", 0]]]}},
        {"A": {"main": [{"node": "B", "type": "main", "index": 0}]}},
        {"A": [[{"node": "B"}]]},
        {"A": {"main": [[{"node": "B", "type": "main", "index": None}], None, []]}},
    ],
)
def test_a_wire_is_the_same_however_it_is_written(written: object) -> None:
    nodes = [node("A"), node("B")]

    assert not difference(
        flow(*nodes, connections={"A": wire("B")}), flow(*nodes, connections=written)
    )


def test_settings_count_where_both_sides_must_have_them() -> None:
    old, new = flow(settings={"order": "v0"}, meta=None), flow(settings={"order": "v1"})

    assert [edit.path for edit in difference(old, new).other] == ["meta", "settings.order"]
    shared = difference(old, new, shared_keys_only=True)
    assert [edit.path for edit in shared.other] == ["settings.order"]


def test_what_the_server_blacks_out_is_no_edit_and_an_edit_beside_it_is() -> None:
    credentials = {"slackApi": {"id": "1", "name": "Mine"}}
    old = node("A", "1", parameters={"key": "abc", "url": "x"}, credentials=credentials)
    redacted = copy.deepcopy(old)
    redacted["parameters"]["key"] = "YOUR_TOKEN_HERE"
    redacted["credentials"]["slackApi"] = {"id": "credential-id", "name": "slackApi Credential"}

    assert not difference(flow(old), flow(redacted))

    redacted["parameters"]["url"] = "y"
    [edited] = difference(flow(old), flow(redacted)).edited
    assert [edit.path for edit in edited.edits] == ["parameters.url"]


@pytest.mark.parametrize("name", [*ODDITIES])
def test_no_oddity_differs_from_itself_and_each_can_be_compared(name: str) -> None:
    odd = CATALOGUE[CATALOGUE.id_at(index_of_oddity(name))].workflow
    again = json.loads(json.dumps(odd))

    assert not difference(odd, again)
    for other in (WORKFLOW, {}, {"nodes": None, "connections": []}):
        for found in (difference(odd, other), difference(other, odd)):
            assert told(found)
            json.dumps(found.as_json())


def test_every_edit_of_the_stand_in_is_one_node_and_one_wire() -> None:
    from n8n_scraper.sources.n8n.replica.changes import Changes

    ids = [CATALOGUE.id_at(place) for place in (0, 200, 303)]
    edited = Catalogue(400, changes=Changes(edited=dict.fromkeys(ids, 1)))
    for number in ids:
        found = difference(CATALOGUE[number].workflow, edited[number].workflow)

        assert list(found.as_json()) == ["nodes_edited", "connections_added"]
        assert [edit.path for edit in found.edited[0].edits] == ["parameters.revision"]
        assert len(found.connected) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "name", "type", "node", "index", "main", "A"]),
            inside,
            max_size=4,
        )
    ),
    max_leaves=20,
)
WORKFLOWS = st.fixed_dictionaries({}, optional={"nodes": JSON, "connections": JSON, "meta": JSON})


@given(WORKFLOWS)
def test_nothing_differs_from_itself(workflow: dict[str, Any]) -> None:
    assert not difference(workflow, copy.deepcopy(workflow))


@given(WORKFLOWS, WORKFLOWS)
def test_any_two_can_be_compared_and_told(old: dict[str, Any], new: dict[str, Any]) -> None:
    found = difference(old, new)

    assert bool(found) == bool(found.as_json())
    assert all("\n" not in line for line in told(found))


@given(WORKFLOWS, WORKFLOWS)
def test_the_way_back_undoes_what_was_done(old: dict[str, Any], new: dict[str, Any]) -> None:
    there, back = difference(old, new), difference(new, old)

    assert len(there.added) == len(back.removed)
    assert len(there.removed) == len(back.added)
