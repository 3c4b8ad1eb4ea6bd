"""Holds a workflow while it is drawn up, and writes its connections the way n8n does."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

Node = dict[str, Any]
Connections = dict[str, Any]


class Edge(NamedTuple):
    """One true connection between two nodes, by their names."""

    source: str
    output_type: str
    output_index: int
    target: str
    input_type: str
    input_index: int


@dataclass(slots=True)
class Layout:
    """Nodes and edges before they become JSON."""

    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)

    def connect(
        self, source: str, target: str, kind: str = "main", output: int = 0, input_: int = 0
    ) -> None:
        """Add an edge of one kind between two nodes."""
        self.edges.append(Edge(source, kind, output, target, kind, input_))

    def connections(self) -> Connections:
        """Write the edges as ``{source: {type: [[{node, type, index}]]}}``, ordered as stored."""
        written: Connections = {}
        for edge in self.edges:
            slots = written.setdefault(edge.source, {}).setdefault(edge.output_type, [])
            while len(slots) <= edge.output_index:
                slots.append([])
            target = {"node": edge.target, "type": edge.input_type, "index": edge.input_index}
            slots[edge.output_index].append(target)
        return stored_order(written)


def stored_order(mapping: dict[str, Any]) -> dict[str, Any]:
    """Order keys by length, then alphabetically, as the site's database does."""
    return {key: mapping[key] for key in sorted(mapping, key=lambda key: (len(key), key))}
