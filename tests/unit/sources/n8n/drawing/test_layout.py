from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.sources.n8n.drawing.layout import MOST_NODES, Box, Shape, lay_out
from n8n_scraper.sources.n8n.pages.canvas import Rectangle

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
NODES = st.fixed_dictionaries(
    {},
    optional={
        "name": ANYTHING | st.sampled_from(["A", "B"]),
        "type": ANYTHING | st.sampled_from(["n8n-nodes-base.set", "n8n-nodes-base.stickyNote"]),
        "position": ANYTHING | st.tuples(st.floats(), st.floats()).map(list),
        "parameters": ANYTHING,
        "disabled": ANYTHING,
    },
)


def node(name: str, kind: str = "n8n-nodes-base.set", at: object = (0, 0)) -> dict[str, Any]:
    return {"name": name, "type": kind, "position": list(at) if isinstance(at, tuple) else at}


def to(name: str, output: str = "main") -> dict[str, Any]:
    return {output: [[{"node": name, "type": output, "index": 0}]]}


def boxes(*nodes: dict[str, Any], **more: Any) -> dict[str, Box]:
    return {box.name: box for box in lay_out({"nodes": list(nodes), **more}).boxes}


def test_a_node_stands_where_its_file_says() -> None:
    found = boxes(node("Read", at=(120, -40)))

    assert found["Read"].place == Rectangle(120, -40, 100, 100)


def test_what_starts_what_works_and_what_serves_is_told_apart() -> None:
    found = boxes(
        node("Daily", "n8n-nodes-base.scheduleTrigger"),
        node("Agent", "@n8n/n8n-nodes-langchain.agent"),
        node("Model", "@n8n/n8n-nodes-langchain.lmChatOpenAi"),
        connections={"Daily": to("Agent"), "Model": to("Agent", "ai_languageModel")},
    )

    assert {name: box.shape for name, box in found.items()} == {
        "Daily": Shape.TRIGGER,
        "Agent": Shape.NODE,
        "Model": Shape.SUB_NODE,
    }


def test_a_wire_leads_from_the_output_that_it_leaves_by() -> None:
    branches = {"main": [[{"node": "Yes"}], [{"node": "No"}]]}

    lines = lay_out(
        {
            "nodes": [node("If"), node("Yes", at=(300, 0)), node("No", at=(300, 200))],
            "connections": {"If": branches},
        }
    ).lines

    assert [line.source for line in lines] == [
        (100, pytest.approx(100 / 3)),
        (100, pytest.approx(200 / 3)),
    ]
    assert [line.target for line in lines] == [(300, 50), (300, 250)]


def test_a_wire_to_a_node_that_is_not_there_is_not_drawn() -> None:
    assert lay_out({"nodes": [node("A")], "connections": {"A": to("Gone")}}).lines == ()


@pytest.mark.parametrize("nowhere", [None, [], ["left", "top"], [1], [1e12, 0], [float("nan"), 0]])
def test_a_node_that_stands_nowhere_gets_a_place_of_its_own_below(nowhere: object) -> None:
    found = boxes(node("There"), node("Lost", at=nowhere), node("Lost too", at=nowhere))

    places = [box.place for box in found.values()]
    assert len({(place.left, place.top) for place in places}) == 3
    assert all(place.top > found["There"].place.bottom for place in places[1:])


def test_more_than_anybody_draws_is_counted_and_left_out() -> None:
    layout = lay_out({"nodes": [node(f"{number}") for number in range(MOST_NODES + 7)]})

    assert (len(layout.boxes), layout.left_out) == (MOST_NODES, 7)


@given(nodes=st.lists(NODES, max_size=6), connections=ANYTHING)
def test_whatever_the_file_holds_all_of_it_lies_in_a_frame_of_finite_size(
    nodes: list[dict[str, Any]], connections: object
) -> None:
    layout = lay_out({"nodes": nodes, "connections": connections})

    frame = layout.frame
    assert 0 < frame.width < 1e6
    assert 0 < frame.height < 1e6
    for one in (*layout.boxes, *layout.papers):
        assert one.place.share_inside(frame) == pytest.approx(1)
    assert len(layout.boxes) + len(layout.papers) + layout.left_out == len(nodes)
