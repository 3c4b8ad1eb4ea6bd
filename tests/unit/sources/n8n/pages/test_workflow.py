"""Facts out of an importable workflow, in every shape that really occurs."""

from typing import Any

import pytest
from hypothesis import given

from n8n_scraper.sources.n8n.item import Note, NoteNode
from n8n_scraper.sources.n8n.pages import workflow as facts
from n8n_scraper.sources.n8n.pages.workflow import Edge
from tests.unit.sources.n8n.pages.given import JSON_LIKE, OBJECTS, WORKFLOWS

STICKY = "n8n-nodes-base.stickyNote"
B = {"node": "B", "type": "main", "index": 0}
C = {"node": "C", "type": "main", "index": 0}


def connected(connections: object) -> list[Edge]:
    return facts.edges({"nodes": [], "connections": connections})


def main(*targets: str) -> list[Edge]:
    return [Edge("A", "main", target) for target in targets]


@pytest.mark.parametrize(
    ("outputs", "targets"),
    [
        pytest.param({"main": [[B], [C]]}, ["B", "C"], id="two slots"),
        pytest.param({"main": [[B, C]]}, ["B", "C"], id="two targets in a slot"),
        pytest.param({"main": [[B, B]]}, ["B", "B"], id="a target twice counts twice"),
        pytest.param({"main": [None, [B], None]}, ["B"], id="null slot"),  # 2621, 2045
        pytest.param({"main": [[], [B], []]}, ["B"], id="empty slots"),  # 2,451 workflows
        pytest.param({"main": []}, [], id="no slots"),
        pytest.param({"main": None}, [], id="null output"),
        pytest.param({"main": [[None, B]]}, ["B"], id="null target"),
        pytest.param({"main": [["B", "main", 0]]}, ["B"], id="slot written as a target array"),
        pytest.param({"main": [[["B", "main", 0], ["C", "main", 0]]]}, ["B", "C"], id="arrays"),
        pytest.param([[B], [C]], ["B", "C"], id="missing output level"),  # 6338, 6335
        pytest.param([B], ["B"], id="missing output and slot level"),
        pytest.param(B, ["B"], id="the target alone"),
        pytest.param({"main": [B]}, ["B"], id="slot object"),  # 6666, 6686
        pytest.param({"main": {"0": [B]}}, ["B"], id="slots by number"),
        pytest.param({"main": [[{"node": "B", "index": None}]]}, ["B"], id="index null"),  # 6664
        pytest.param({"main": [[{"node": "B"}]]}, ["B"], id="index absent"),
        pytest.param({"main": [[{**B, "meta": {"x": [1]}}]]}, ["B"], id="more inside a target"),
        pytest.param({"main": [[{"destination": "B"}]]}, [None], id="named in its own way"),  # 6666
        pytest.param({"main": [[{**B, "node": None}]]}, [None], id="target without a name"),
        pytest.param({"main": [[{}]]}, [], id="empty target"),
        pytest.param({"main": [[{**B, "node": "a\x00b"}]]}, ["a\ufffdb"], id="name with NUL"),
        pytest.param("B", [], id="text where an object belongs"),
        pytest.param({"main": "B"}, [], id="text where slots belong"),
        pytest.param({"main": 7}, [], id="number where slots belong"),
    ],
)
def test_every_target_written_in_the_file_is_an_edge(outputs: object, targets: list[str]) -> None:
    found = connected({"A": outputs})

    assert found == main(*targets)


def test_edges_keep_the_output_they_leave_by() -> None:
    # A bogus type, an AI edge, and a target type unlike the output's (5370).
    outputs = {"ai_tool": [[B]], "output": [[C]], "error": [[{**B, "type": "main"}]]}

    assert connected({"A": outputs}) == [
        Edge("A", "ai_tool", "B"),
        Edge("A", "output", "C"),
        Edge("A", "error", "B"),
    ]


@pytest.mark.parametrize(
    "connections",
    [
        pytest.param({"Removed long ago": {"main": [[B]]}}, id="source not among the nodes"),
        pytest.param({"A": {"main": [[{**B, "node": "Removed"}]]}}, id="target not among them"),
        pytest.param({"Agent": {"ai_tool": [[{**B, "node": "Tool"}]]}}, id="reversed AI edge"),
    ],
)
def test_an_edge_counts_because_it_is_written(connections: object) -> None:
    assert len(connected(connections)) == 1


@pytest.mark.parametrize("connections", [{}, None, [], "none", 7, [[B]]])
def test_where_nothing_is_connected_there_are_no_edges(connections: object) -> None:
    assert connected(connections) == []


def test_deep_connections_are_walked_without_recursion() -> None:
    slots: object = [B]
    for _ in range(5_000):
        slots = [slots]

    assert connected({"A": {"main": slots}}) == main("B")


def test_nodes_are_counted_apart_from_notes() -> None:
    found = {"nodes": [{"type": STICKY}, {"type": "x.a"}, {"type": STICKY}, {}, None, "node", 7]}

    assert len(facts.nodes(found)) == 4
    assert facts.working_nodes(found) == [{"type": "x.a"}, {}]
    assert facts.note_nodes(found) == [{"type": STICKY}, {"type": STICKY}]


@pytest.mark.parametrize(
    "node",
    [
        pytest.param({"type": "x.a"}, id="missing everything but the type"),
        pytest.param({"type": "x.a", "name": "A"}, id="missing position"),  # 6730
        pytest.param({"type": "x.a", "position": [0, 0]}, id="missing name"),  # 5417, 4804, 4658
        pytest.param({"type": "x.a", "name": "A", "id": "1"}, id="missing parameters"),  # 7666
        pytest.param({"type": "x.a", "parameters": None}, id="null parameters"),
        pytest.param({"type": "x.a", "typeVersion": "1.3"}, id="type version as text"),  # 7296
        pytest.param({"type": "x.a", "typeVersion": None}, id="missing type version"),  # 6770
        pytest.param({"type": "x.a", "disabled": True}, id="disabled"),
        pytest.param({"type": "x.a", "cid": 1, "creator": "x", "extra": {}}, id="unknown keys"),
        pytest.param({"type": "x.a", "name": "line\nbreak"}, id="newline in name"),  # 5928
        pytest.param({"type": "x.a", "name": "  spaced "}, id="outer spaces in name"),  # 576
        pytest.param({"type": "x.a", "name": "節点 Ω"}, id="name in another script"),  # 2,102
    ],
)
def test_an_odd_node_is_a_node(node: dict[str, Any]) -> None:
    found = {"nodes": [node], "connections": {}}

    assert facts.node_types(found) == {"x.a": 1}
    assert len(facts.working_nodes(found)) == 1
    assert facts.notes(found) == []


def test_nodes_with_the_same_name_or_id_all_count() -> None:
    twin = {"id": "1", "name": "Set", "type": "x.set"}  # 1122, 13291; 4504

    assert facts.node_types({"nodes": [twin, twin, twin]}) == {"x.set": 3}


def test_node_types_come_most_frequent_first() -> None:
    types = ["x.b", "x.a", "x.a", "", None, 7, "  "]

    found = facts.node_types({"nodes": [{"type": name} for name in types]})

    assert list(found.items()) == [("x.a", 2), ("x.b", 1)]


@pytest.mark.parametrize(
    ("node_type", "starts"),
    [
        ("n8n-nodes-base.scheduleTrigger", True),
        ("@n8n/n8n-nodes-langchain.chatTrigger", True),
        ("n8n-nodes-acme.acmeTrigger", True),
        ("n8n-nodes-base.webhook", True),
        ("n8n-nodes-base.cron", True),
        ("n8n-nodes-base.interval", True),
        ("n8n-nodes-base.start", True),
        ("n8n-nodes-base.emailReadImap", True),
        ("n8n-nodes-base.respondToWebhook", False),
        ("n8n-nodes-acme.webhook", False),
        ("n8n-nodes-base.set", False),
    ],
)
def test_a_trigger_is_known_by_its_type(node_type: str, starts: bool) -> None:
    found = {"nodes": [{"type": node_type}]}

    assert facts.trigger_types(found) == ([node_type] if starts else [])


@pytest.mark.parametrize(
    ("node_type", "foreign"),
    [
        ("n8n-nodes-base.set", False),
        ("@n8n/n8n-nodes-langchain.agent", False),
        ("n8n-nodes-acme.do", True),
        ("@acme/n8n-nodes-acme.do", True),
        ("n8n-nodes-basement.set", True),
        ("set", True),
    ],
)
def test_a_community_node_comes_from_a_package_of_others(node_type: str, foreign: bool) -> None:
    found = {"nodes": [{"type": node_type}]}

    assert facts.community_nodes(found) == ([node_type] if foreign else [])


@pytest.mark.parametrize(
    ("credentials", "kinds"),
    [
        pytest.param({"slackApi": {"id": "1", "name": "Team"}}, ["slackApi"], id="id and name"),
        pytest.param({"slackApi": "Team account"}, ["slackApi"], id="plain string"),  # 287
        pytest.param({"slackApi": {"name": "Team"}}, ["slackApi"], id="name only"),
        pytest.param({"slackApi": {}}, ["slackApi"], id="empty"),
        pytest.param({"slackApi": {"id": None, "name": "Team"}}, ["slackApi"], id="id null"),
        pytest.param({"gmailApi": {"id": "1", "resolve": False}}, ["gmailApi"], id="resolve"),
        pytest.param({"basic": {"user": "a", "password": "b"}}, ["basic"], id="user, password"),
        pytest.param({"b": {}, "a": {}}, ["a", "b"], id="two kinds"),
        pytest.param({"smtp": None}, ["smtp"], id="null"),
        pytest.param({"smtp": {}, "retryOnFail": True}, ["smtp"], id="a misplaced flag"),  # 14927
        pytest.param({"a\x00": {}, " ": {}}, ["a\ufffd"], id="unstorable kinds"),
        pytest.param({}, [], id="none at all"),
        pytest.param("[REDACTED]", [], id="redacted"),  # 4654, 6976
        pytest.param(True, [], id="a flag for all"),
        pytest.param([{"slackApi": {}}], [], id="a list"),
        pytest.param(None, [], id="null for all"),
    ],
)
def test_credentials_are_listed_by_kind(credentials: object, kinds: list[str]) -> None:
    found = {"nodes": [{"type": "x.a", "credentials": credentials}]}

    assert facts.credential_types(found) == kinds


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"settings": '{"executionOrder":"v1"}'}, id="string settings"),  # 7923
        pytest.param({"meta": None}, id="null meta"),  # 163
        pytest.param({"id": 17}, id="id is a number"),  # 18
        pytest.param({"id": ""}, id="id is empty"),  # 88
        pytest.param({"tags": ["daily", {"name": "reports"}]}, id="tags of both kinds"),
        pytest.param({"pinData": {"A": [{"json": {"x": "y" * 880_000}}]}}, id="883 kB"),  # 13096
        pytest.param({"nodeGroups": [], "staticData": None, "shared": []}, id="unknown keys"),
    ],
)
def test_what_else_a_workflow_holds_changes_no_fact(more: dict[str, Any]) -> None:
    found = {"nodes": [{"type": "x.a", "name": "A"}], "connections": {"A": {"main": [[B]]}}, **more}

    assert facts.node_types(found) == {"x.a": 1}
    assert facts.edges(found) == main("B")


def sticky(position: object = (0, 0), **parameters: object) -> dict[str, Any]:
    where = list(position) if isinstance(position, tuple) else position
    return {"name": "Note", "type": STICKY, "position": where, "parameters": parameters}


def test_a_note_knows_its_place_and_what_lies_in_it() -> None:
    note = sticky((-100, 50.5), content="## Hi", width=300, height=200, color=5)
    inside = {"name": "In", "type": "x.a", "position": [0, 100]}
    outside = {"name": "Out", "type": "x.a", "position": [500, 100]}

    found = facts.notes({"nodes": [note, inside, outside]})

    assert found == [
        Note(
            name="Note",
            text="## Hi",
            x=-100.0,
            y=50.5,
            width=300.0,
            height=200.0,
            color=5,
            nodes=[NoteNode(name="In", overlap=1.0)],
            about="nodes",
        )
    ]


@pytest.mark.parametrize(
    ("position", "overlap"),
    [
        ([0, 0], 1.0),  # a note without a size of its own is 240 by 160
        ([140, 60], 1.0),  # its lower right corner is the node's
        ([190, 60], 0.5),  # half of it is enough
        ([191, 60], None),
        ([0, 110], 0.5),
        ([-50, 0], 0.5),
        ([-50, -50], None),  # a quarter
        ([180, 0], 0.6),
        ([240, 0], None),
        ([0.33331298828125, 0.5], 1.0),  # fractional positions: 395 nodes
        ([0], None),
        ([0, 0, 0], None),
        (["0", "0"], None),
        ([None, 0], None),
        ([True, 0], None),
        ({"x": 0, "y": 0}, None),
        (None, None),
    ],
)
def test_a_node_belongs_to_a_note_when_half_of_it_lies_there(
    position: object, overlap: float | None
) -> None:
    node = {"name": "A", "type": "x.a", "position": position, "disabled": True}

    (found,) = facts.notes({"nodes": [sticky(), node]})

    assert found.nodes == ([] if overlap is None else [NoteNode(name="A", overlap=overlap)])
    assert found.about == ("template" if overlap is None else "nodes")


def test_a_sub_node_is_smaller() -> None:
    node = {"name": "A", "type": "x.a", "position": [200, 0]}  # 40 of 100, or of 80
    connections = {"A": {"ai_tool": [[B]]}}

    (found,) = facts.notes({"nodes": [sticky(), node], "connections": connections})

    assert found.nodes == [NoteNode(name="A", overlap=0.5)]


def test_a_node_may_lie_in_two_notes_and_a_note_in_a_note_is_no_node() -> None:
    node = {"name": "A", "type": "x.a", "position": [0, 0]}

    inner, outer = facts.notes({"nodes": [sticky(), sticky(width=900, height=900), node]})

    assert inner.nodes == outer.nodes == [NoteNode(name="A", overlap=1.0)]


def test_the_notes_of_single_nodes_are_read() -> None:
    noted = {"type": "x.a", "notes": "Watch this"}

    assert facts.node_notes({"nodes": [noted, {"notes": " "}, {"notes": 7}, sticky()]}) == [
        "Watch this"
    ]


def test_a_note_without_a_position_holds_nothing() -> None:
    node = {"name": "A", "type": "x.a", "position": [0, 0]}

    (found,) = facts.notes({"nodes": [sticky(position=None), node]})

    assert (found.x, found.y, found.nodes) == (None, None, [])


@pytest.mark.parametrize(
    ("parameters", "field", "value"),
    [
        ({}, "text", None),  # 205 notes without content
        ({"content": ""}, "text", ""),
        ({"content": "a\x00b"}, "text", "a\ufffdb"),
        ({"content": {"text": "a"}}, "text", None),
        ({}, "width", None),  # the size is never made up
        ({"width": "300"}, "width", 300.0),  # a number all the same
        ({"width": " 30.5 "}, "width", 30.5),
        ({"width": "30 px"}, "width", None),
        ({"width": "nan"}, "width", None),
        ({"height": "9" * 400}, "height", None),
        ({"height": 278.75}, "height", 278.75),
        ({"color": 5}, "color", 5),
        ({"color": "#ff0000"}, "color", "#ff0000"),
        ({"color": None}, "color", None),
        ({"color": True}, "color", None),
    ],
)
def test_what_a_note_says_is_read_as_given(
    parameters: dict[str, Any], field: str, value: object
) -> None:
    (found,) = facts.notes({"nodes": [sticky(**parameters)]})

    assert getattr(found, field) == value


def test_a_note_may_lack_name_and_parameters() -> None:
    (found,) = facts.notes({"nodes": [{"type": STICKY}]})

    assert found == Note(
        name=None,
        text=None,
        x=None,
        y=None,
        width=None,
        height=None,
        color=None,
        nodes=[],
        about="template",
    )


@given(WORKFLOWS | OBJECTS | JSON_LIKE.map(lambda value: {"nodes": value, "connections": value}))
def test_nothing_here_raises_on_any_json(workflow: Any) -> None:
    for read in (
        facts.nodes,
        facts.node_types,
        facts.trigger_types,
        facts.community_nodes,
        facts.credential_types,
        facts.edges,
        facts.notes,
        facts.node_notes,
    ):
        read(workflow if isinstance(workflow, dict) else {})
