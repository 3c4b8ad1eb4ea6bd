"""Find out what of a workflow is drawn where: as n8n's editor shows it, whatever the file holds.

Nothing here raises on any JSON, and what comes out is bounded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from n8n_scraper.sources.n8n.item import Note
from n8n_scraper.sources.n8n.pages import workflow as facts
from n8n_scraper.sources.n8n.pages.canvas import Point, Rectangle
from n8n_scraper.sources.n8n.pages.reading import mapping, text
from n8n_scraper.sources.n8n.rules.difference import Wire, wires

# More than the largest recorded workflow has, many times over.
MOST_NODES, MOST_NOTES, MOST_WIRES = 1_000, 300, 3_000
MAIN = "main"
# No author draws further out than this; the widest recorded canvas measures 15,000.
_FARTHEST = 100_000.0
_MARGIN = 80.0
# What stands nowhere gets a place in rows below all that stands somewhere.
_IN_A_ROW, _STEP = 8, 200.0


class Shape(StrEnum):
    """How a node is drawn."""

    TRIGGER = "trigger"
    NODE = "node"
    SUB_NODE = "sub-node"


@dataclass(frozen=True, slots=True)
class Box:
    """A node in its place."""

    name: str
    type: str
    shape: Shape
    is_disabled: bool
    place: Rectangle


@dataclass(frozen=True, slots=True)
class Paper:
    """A sticky note in its place."""

    text: str
    color: int | str | None
    """The number of one of n8n's, or one of its author's own."""
    place: Rectangle


@dataclass(frozen=True, slots=True)
class Line:
    """A wire between two nodes that are drawn."""

    source: Point
    target: Point
    is_main: bool
    """Whether data runs through it; the others lead from a sub-node up to the node it serves."""


@dataclass(frozen=True, slots=True)
class Layout:
    """All that is drawn of a workflow."""

    boxes: tuple[Box, ...]
    papers: tuple[Paper, ...]
    lines: tuple[Line, ...]
    frame: Rectangle
    """What holds all of it, with a margin."""
    left_out: int
    """How many nodes and notes are not drawn: there are too many, or a note stands nowhere."""


def lay_out(workflow: dict[str, Any]) -> Layout:
    """Give each node, note and wire of a workflow its place."""
    working, notes = facts.working_nodes(workflow), facts.notes(workflow)
    papers = list(_papers(notes))[:MOST_NOTES]
    ends = list(wires(mapping(workflow.get("connections"))))[:MOST_WIRES]
    boxes = _boxes(working[:MOST_NODES], ends, [paper.place for paper in papers])
    return Layout(
        boxes=tuple(boxes),
        papers=tuple(papers),
        lines=tuple(_lines(boxes, ends)),
        frame=_around([*(one.place for one in papers), *(one.place for one in boxes)], _MARGIN),
        left_out=len(working) + len(notes) - len(boxes) - len(papers),
    )


def _papers(notes: Sequence[Note]) -> Iterator[Paper]:
    for note in notes:
        width, height = note.width or facts.NOTE_WIDTH, note.height or facts.NOTE_HEIGHT
        if note.x is None or note.y is None or min(width, height) <= 0:
            continue
        if all(map(_is_near, (note.x, note.y, width, height))):
            yield Paper(note.text or "", note.color, Rectangle(note.x, note.y, width, height))


def _boxes(
    working: Sequence[dict[str, Any]], ends: Sequence[Wire], taken: list[Rectangle]
) -> list[Box]:
    """Put every node where its file says; those that stand nowhere come below, in rows."""
    serving = {wire.source for wire in ends if wire.output != MAIN}
    corners = [_corner(node) for node in working]
    known = [Rectangle(*corner, facts.NODE_SIZE, facts.NODE_SIZE) for corner in corners if corner]
    below = _around(known + taken, _STEP / 2)
    free = (
        (below.left + _STEP * (number % _IN_A_ROW), below.bottom + _STEP * (number // _IN_A_ROW))
        for number in range(len(working))
    )
    return [
        _box(node, corner or next(free), serving)
        for node, corner in zip(working, corners, strict=True)
    ]


def _box(node: dict[str, Any], corner: Point, serving: set[str]) -> Box:
    name, kind = text(node.get("name")) or "", text(node.get("type")) or ""
    shape = Shape.TRIGGER if facts.is_trigger(kind) else Shape.NODE
    shape = Shape.SUB_NODE if name in serving else shape
    size = facts.SUB_NODE_SIZE if shape is Shape.SUB_NODE else facts.NODE_SIZE
    return Box(name, kind, shape, node.get("disabled") is True, Rectangle(*corner, size, size))


def _corner(node: dict[str, Any]) -> Point | None:
    corner = facts.position(node)
    return corner if corner and all(map(_is_near, corner)) else None


def _is_near(number: float) -> bool:
    """Whether a number can be a coordinate; what is no number at all is none."""
    return abs(number) <= _FARTHEST


def _lines(boxes: Sequence[Box], ends: Sequence[Wire]) -> Iterator[Line]:
    """Draw each wire whose ends are both there, from the output that it leaves by.

    Where two nodes have one name, n8n means the first.
    """
    places = {box.name: box.place for box in reversed(boxes)}
    outputs: dict[str, int] = defaultdict(int)
    for wire in ends:
        if wire.output == MAIN:
            outputs[wire.source] = max(outputs[wire.source], wire.slot + 1)
    for wire in ends:
        source, target = places.get(wire.source), places.get(wire.target or "")
        if source is None or target is None:
            continue
        if wire.output == MAIN:
            share = (wire.slot + 1) / (outputs[wire.source] + 1)
            leaves = source.right, source.top + source.height * share
            yield Line(leaves, (target.left, target.middle[1]), is_main=True)
        else:
            bottom = target.middle[0], target.bottom
            yield Line((source.middle[0], source.top), bottom, is_main=False)


def _around(places: Sequence[Rectangle], margin: float) -> Rectangle:
    """The rectangle that holds all the others; a small one where there are none."""
    if not places:
        return Rectangle(0.0, 0.0, 2 * margin, 2 * margin)
    left, top = min(one.left for one in places), min(one.top for one in places)
    right, bottom = max(one.right for one in places), max(one.bottom for one in places)
    width, height = right - left + 2 * margin, bottom - top + 2 * margin
    return Rectangle(left - margin, top - margin, width, height)
