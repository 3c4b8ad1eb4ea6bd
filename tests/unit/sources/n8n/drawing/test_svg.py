from typing import Any

import pytest
from hypothesis import given
from lxml import etree

from n8n_scraper.sources.n8n.drawing import draw
from tests.unit.sources.n8n.drawing.test_layout import ANYTHING, NODES, node, to

SHAPES = {"svg", "title", "g", "rect", "circle", "path", "text"}
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "]]></text><script>alert(1)</script>",
    "\x1b[31mred\x00\ud800\uffff",
    "\u202egnp.exe",
    "[click](javascript:alert(1)) ![x](https://evil.example/a.png)",
    "A" * 1_000_000,
]


def drawn(workflow: dict[str, Any]) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    return etree.fromstring(draw(workflow, "A workflow").encode(), parser)


def words(svg: etree._Element) -> list[str]:
    return [one.text or "" for one in svg.iter("{*}text")]


def note(text: str, **parameters: Any) -> dict[str, Any]:
    paper = node("Note", "n8n-nodes-base.stickyNote")
    return {**paper, "parameters": {"content": text, **parameters}}


def test_it_shows_the_names_of_the_nodes_and_what_the_notes_say() -> None:
    svg = drawn({"nodes": [node("Fetch the page"), note("## Read me\nfirst")]})

    assert {"Fetch the page", "Read me", "first"} <= set(words(svg))


def test_it_is_read_aloud_by_its_label() -> None:
    svg = drawn({"nodes": []})

    assert svg.get("role") == "img"
    assert svg.findtext("{*}title") == "A workflow"


def test_a_wire_of_a_sub_node_looks_different() -> None:
    svg = drawn({"nodes": [node("A"), node("B")], "connections": {"A": to("B", "ai_tool")}})

    assert [one.get("class") for one in svg.iter("{*}path")] == ["wire side"]


def test_a_long_note_ends_where_its_paper_does() -> None:
    svg = drawn({"nodes": [note("word " * 500, width=200, height=100)]})

    assert len(words(svg)) == 4
    assert words(svg)[-1].endswith("…")


@pytest.mark.parametrize(
    ("color", "ink"), [("#102030", "#ffffff"), ("#f0f0f0", "#1f2430"), ("url(#x)", "#1f2430")]
)
def test_a_note_of_an_own_color_can_be_read(color: str, ink: str) -> None:
    svg = drawn({"nodes": [note("Hello", color=color)]})

    assert {one.get("fill") for one in svg.iter("{*}text")} == {ink}


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_nothing_that_a_stranger_wrote_becomes_more_than_words(text: str) -> None:
    workflow = {
        "nodes": [node(text, text), note(text, color=text)],
        "connections": {text: to(text)},
    }

    picture = draw(workflow, text)

    svg = etree.fromstring(picture.encode())
    assert {etree.QName(one).localname for one in svg.iter()} <= SHAPES
    assert not [name for one in svg.iter() for name in one.attrib if "on" in name[:2]]
    assert not {"href", "src", "style"} & {name for one in svg.iter() for name in one.attrib}
    assert not set(picture) & set("\x1b\x00\u202e")


@given(nodes=NODES, connections=ANYTHING)
def test_whatever_the_file_holds_the_picture_is_well_formed(
    nodes: dict[str, Any], connections: object
) -> None:
    svg = drawn({"nodes": [nodes], "connections": connections})

    assert {etree.QName(one).localname for one in svg.iter()} <= SHAPES
