"""Read facts out of an importable workflow, whatever shape its author's tools left it in.

The shapes that really occur are counted in the samples of thousands of recorded workflows: see
docs/explanation/oddities.md. Nothing here raises on any JSON.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from n8n_scraper.sources.n8n.item import Note, NoteNode
from n8n_scraper.sources.n8n.pages import reading
from n8n_scraper.sources.n8n.pages.canvas import Points, Rectangle

STICKY_NOTE = "n8n-nodes-base.stickyNote"
_OWN_PACKAGES = ("n8n-nodes-base.", "@n8n/n8n-nodes-langchain.")
# Node types that start a workflow although their name does not end in "Trigger".
_STARTERS = frozenset(
    f"n8n-nodes-base.{name}" for name in ("cron", "emailReadImap", "interval", "start", "webhook")
)
# What n8n's editor draws: a position is the upper left corner. Its newest version draws a node 96
# points wide, most templates come from those that drew 100. A sub-node is a small circle.
NODE_SIZE, SUB_NODE_SIZE = 100.0, 80.0
_DIGITS = re.compile(r"\s*\d{1,9}(?:\.\d{1,9})?\s*")
# A note without a size of its own is drawn with this one.
NOTE_WIDTH, NOTE_HEIGHT = 240.0, 160.0
# So much of a node must lie in a note for it to belong there.
_BELONGS = 0.5
# So often it is looked whether a node lies in a note; the largest template needs a tenth of it.
_MOST_LOOKS = 20_000


@dataclass(frozen=True, slots=True)
class Edge:
    """One wire of the workflow, from a node's output to another node."""

    source: str
    output: str
    target: str | None  # None where the file names it in no way that n8n knows


def nodes(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    """Everything on the canvas that is an object, notes included, in file order."""
    return [node for node in reading.listing(workflow.get("nodes")) if isinstance(node, dict)]


def working_nodes(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    """The nodes that do something: all but the sticky notes, disabled ones included."""
    return [node for node in nodes(workflow) if node.get("type") != STICKY_NOTE]


def note_nodes(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    """The sticky notes as they stand in the file."""
    return [node for node in nodes(workflow) if node.get("type") == STICKY_NOTE]


def node_types(workflow: dict[str, Any]) -> dict[str, int]:
    """How often each type of node occurs, most frequent first."""
    names = (reading.filled(node.get("type")) for node in working_nodes(workflow))
    return dict(Counter(name for name in names if name).most_common())


def is_trigger(node_type: str) -> bool:
    """Whether a node of this type starts a workflow."""
    return node_type.endswith("Trigger") or node_type in _STARTERS


def is_community(node_type: str) -> bool:
    """Whether a node of this type comes from a package that n8n does not ship."""
    return not node_type.startswith(_OWN_PACKAGES)


def trigger_types(workflow: dict[str, Any]) -> list[str]:
    """The types of nodes that start this workflow."""
    return sorted(filter(is_trigger, node_types(workflow)))


def community_nodes(workflow: dict[str, Any]) -> list[str]:
    """The types of nodes that need a community package."""
    return sorted(filter(is_community, node_types(workflow)))


def credential_types(workflow: dict[str, Any]) -> list[str]:
    """The kinds of credentials that the nodes ask for.

    Credentials come as an object by kind; redacted ones are a string or a flag and name no kind,
    and a misplaced flag of the node may stand among the kinds.
    """
    kinds: set[str] = set()
    for node in working_nodes(workflow):
        by_kind = reading.mapping(node.get("credentials"))
        kinds.update(kind for kind, one in by_kind.items() if not isinstance(one, bool))
    return sorted(reading.storable(kind) for kind in kinds if kind.strip())


def edges(workflow: dict[str, Any]) -> list[Edge]:
    """The true wires, one by one; null and empty slots are none."""
    found: list[Edge] = []
    for source, outputs in reading.mapping(workflow.get("connections")).items():
        # Some files leave out the level of output types, and mean "main".
        by_output = outputs if _is_by_output(outputs) else {"main": outputs}
        for output, slots in by_output.items():
            found += [Edge(source, output, target) for target in _targets(slots)]
    return found


def _is_by_output(outputs: object) -> bool:
    return isinstance(outputs, dict) and not isinstance(outputs.get("node"), str)


def _targets(slots: object) -> Iterator[str | None]:
    """Walk down to the targets: slots may be null, an object, or an array too few or too many."""
    waiting = [slots]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if _is_target(value):
                yield reading.text(value.get("node"))
            else:
                waiting += reversed(value.values())
        elif isinstance(value, list) and value:
            if isinstance(value[0], str):
                yield reading.storable(value[0])  # a target written as `["Node", "ai_tool", 0]`
            else:
                waiting += reversed(value)


def _is_target(value: dict[str, Any]) -> bool:
    """Whether an object names a node, or, with nothing inside it, names one in a way of its own."""
    if isinstance(value.get("node"), str):
        return True
    return bool(value) and not any(isinstance(one, dict | list) for one in value.values())


def notes(workflow: dict[str, Any], wires: list[Edge] | None = None) -> list[Note]:
    """The sticky notes with their place, and the nodes that lie inside their rectangle.

    Where notes lie over more nodes than anybody draws, the last of them list none; that such a
    note is about nodes is said all the same. Whoever has the wires at hand gives them.
    """
    wires = edges(workflow) if wires is None else wires
    sub_nodes = {edge.source for edge in wires if edge.output.startswith("ai_")}
    places = [
        (name, Rectangle(*place, size, size))
        for node in working_nodes(workflow)
        if (name := reading.text(node.get("name"))) and (place := position(node))
        for size in [SUB_NODE_SIZE if name in sub_nodes else NODE_SIZE]
    ]
    nearby = _Nearby(places)
    return [_note(node, nearby) for node in note_nodes(workflow)]


class _Nearby:
    """The working nodes by their places."""

    def __init__(self, places: list[tuple[str, Rectangle]]) -> None:
        self._places = places
        self._looks = _MOST_LOOKS
        # A node of which half or more lies in a rectangle has its middle there.
        self._middles = Points([place.middle for _, place in places])

    def inside(self, paper: Rectangle) -> list[NoteNode] | None:
        """The nodes that belong to a note; None where there are too many to be looked at."""
        self._looks -= (count := self._middles.count(paper))
        if self._looks < 0:
            self._looks += count
            return None
        near = (self._places[number] for number in self._middles.inside(paper))
        shares = ((name, place.share_inside(paper)) for name, place in near)
        return [
            NoteNode(name=name, overlap=round(share, 3))
            for name, share in shares
            if share >= _BELONGS
        ]


def position(node: dict[str, Any]) -> tuple[float, float] | None:
    """Where a node's upper left corner stands, given as `[x, y]`."""
    numbers = [reading.number(value) for value in reading.listing(node.get("position"))]
    if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
        return None
    return numbers[0], numbers[1]


def _note(node: dict[str, Any], nearby: _Nearby) -> Note:
    parameters = reading.mapping(node.get("parameters"))
    x, y = position(node) or (None, None)
    width, height = _length(parameters.get("width")), _length(parameters.get("height"))
    color = parameters.get("color")
    inside: list[NoteNode] | None = []
    if x is not None and y is not None:
        inside = nearby.inside(Rectangle(x, y, width or NOTE_WIDTH, height or NOTE_HEIGHT))
    return Note(
        name=reading.text(node.get("name")),
        text=reading.text(parameters.get("content")),
        x=x,
        y=y,
        width=width,
        height=height,
        color=reading.integer(color) if not isinstance(color, str) else reading.text(color),
        nodes=inside or [],
        about="template" if inside == [] else "nodes",
    )


def _length(value: object) -> float | None:
    """A length, also one that is written as text."""
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        return float(value)
    return reading.number(value)


def node_notes(workflow: dict[str, Any]) -> list[str]:
    """What authors wrote into the notes of single nodes."""
    found = (reading.filled(node.get("notes")) for node in working_nodes(workflow))
    return [text for text in found if text]
