"""Holds a template while it is made, together with what is true about it."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from n8n_scraper.sources.n8n.replica.descriptions import Description
from n8n_scraper.sources.n8n.replica.layouts import Edge, Layout, Node
from n8n_scraper.sources.n8n.replica.node_kinds import STICKY_NOTE
from n8n_scraper.sources.n8n.replica.profiles import Profile


@dataclass(frozen=True, slots=True)
class PlantedSecret:
    """A forged secret: its kind, the place and the count that must be found, and what it is."""

    kind: str
    place: str
    count: int
    secret: str


@dataclass(slots=True)
class Draft:
    """Everything an oddity may bend before the answers are written."""

    rng: Random
    profile: Profile
    description: Description
    workflow: dict[str, Any]
    edges: list[Edge]
    note_videos: list[str]
    dangling: list[Edge] = field(default_factory=list)
    secrets: list[PlantedSecret] = field(default_factory=list)
    detail_changes: dict[str, Any] = field(default_factory=dict)
    detail_without: set[str] = field(default_factory=set)

    @property
    def nodes(self) -> list[Node]:
        """All nodes of the workflow, notes included."""
        nodes: list[Node] = self.workflow["nodes"]
        return nodes

    @property
    def steps(self) -> list[Node]:
        """The nodes that are not sticky notes."""
        return [node for node in self.nodes if node.get("type") != STICKY_NOTE]

    @property
    def notes(self) -> list[Node]:
        """The sticky notes."""
        return [node for node in self.nodes if node.get("type") == STICKY_NOTE]

    def rewrite_connections(self) -> dict[str, Any]:
        """Write the connections anew from the edges and hand them out for bending."""
        written = Layout(edges=self.edges + self.dangling).connections()
        self.workflow["connections"] = written
        return written

    def rename(self, node: Node, name: str) -> None:
        """Give a node another name, in its connections too."""
        old, node["name"] = node["name"], name
        for place, edge in enumerate(self.edges):
            source = name if edge.source == old else edge.source
            target = name if edge.target == old else edge.target
            self.edges[place] = edge._replace(source=source, target=target)
        self.rewrite_connections()
