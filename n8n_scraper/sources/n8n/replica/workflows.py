"""Draws up an invented workflow: a trigger, a chain of steps, agents with their helpers, notes."""

import math
from dataclasses import dataclass
from random import Random
from typing import Any
from uuid import UUID

from n8n_scraper.sources.n8n.replica.layouts import Edge, Layout, Node, stored_order
from n8n_scraper.sources.n8n.replica.node_kinds import NodeKind, kinds_of_role
from n8n_scraper.sources.n8n.replica.notes import draw_notes
from n8n_scraper.sources.n8n.replica.parameters import parameters_for
from n8n_scraper.sources.n8n.replica.words import NODE_WORDS, NON_ASCII_NAMES

MOST_NODES = 246
_MEDIAN_NODES = 18
_SPREAD_OF_NODES = math.log(47 / 18) / 1.645  # puts the 95th percentile at 47
_NOTES_SHARE = 0.94
_STEP_PX = 220

_TRIGGERS = kinds_of_role("trigger")
_STEPS = kinds_of_role("action") * 2 + kinds_of_role("branch") + kinds_of_role("agent")
_HELPERS = {
    role: kinds_of_role(role)
    for role in ("ai_languageModel", "ai_memory", "ai_tool", "ai_outputParser", "ai_vectorStore")
}
_STORE_HELPERS = kinds_of_role("ai_embedding", "ai_document")


@dataclass(slots=True)
class Drawn:
    """A finished workflow and what is true about it."""

    workflow: dict[str, Any]
    edges: list[Edge]
    videos: list[str]


def draw_workflow(rng: Random, title: str, video: str | None, total: int | None = None) -> Drawn:
    """Draw a workflow of about ``total`` nodes, or of a size as common as on the site."""
    size = total or draw_size(rng)
    notes = _note_count(rng, size)
    pen = _Pen(rng)
    pen.draw_steps(size - notes)
    steps = list(pen.layout.nodes)
    pen.layout.nodes += draw_notes(rng, steps, notes, title, video)
    rng.shuffle(pen.layout.nodes)
    videos = [video] if video and notes else []
    return Drawn(_importable(rng, pen.layout, title), pen.layout.edges, videos)


def draw_size(rng: Random) -> int:
    """Draw a node count: median 18, 95th percentile 47, never above 246."""
    size = _MEDIAN_NODES * math.exp(rng.gauss(0, _SPREAD_OF_NODES))
    return min(MOST_NODES, max(2, round(size)))


def new_id(rng: Random) -> str:
    """Return a node id in the form n8n uses."""
    return str(UUID(int=rng.getrandbits(128), version=4))


def _note_count(rng: Random, size: int) -> int:
    if size < 2 or rng.random() > _NOTES_SHARE:
        return 0
    return max(1, round(size * rng.uniform(0.15, 0.4)))


class _Pen:
    """Adds nodes one by one and remembers which outputs are still free."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.layout = Layout()
        self.names: set[str] = set()
        self.open_ends: list[tuple[str, int]] = []
        self.left = 0

    def draw_steps(self, count: int) -> None:
        self.left = count
        self._add_step(self.rng.choice(_TRIGGERS), outputs=1)
        while self.left > 0:
            kind = self.rng.choice(_STEPS)
            source, output = self._take_open_end()
            name = self._add_step(kind, kind.outputs)
            self.layout.connect(source, name, output=output)
            if kind.role == "agent":
                self._add_helpers(name)

    def _take_open_end(self) -> tuple[str, int]:
        position = self.rng.randrange(max(0, len(self.open_ends) - 3), len(self.open_ends))
        # Now and then an output stays open and feeds two nodes at once.
        if len(self.open_ends) == 1 or self.rng.random() < 0.1:
            return self.open_ends[position]
        return self.open_ends.pop(position)

    def _add_step(self, kind: NodeKind, outputs: int) -> str:
        name = self._add_node(kind)
        self.open_ends += [(name, output) for output in range(outputs)]
        return name

    def _add_helpers(self, agent: str) -> None:
        rng = self.rng
        wanted = ["ai_languageModel"]
        wanted += ["ai_memory"] if rng.random() < 0.4 else []
        wanted += ["ai_tool"] * rng.randint(0, 3)
        wanted += ["ai_outputParser"] if rng.random() < 0.25 else []
        wanted += ["ai_vectorStore"] if rng.random() < 0.1 else []
        for role in wanted[: max(0, self.left)]:
            name = self._add_node(rng.choice(_HELPERS[role]))
            self.layout.connect(name, agent, role)
            if role == "ai_vectorStore":
                self._add_store_helpers(name)

    def _add_store_helpers(self, store: str) -> None:
        for kind in _STORE_HELPERS[: max(0, self.left)]:
            self.layout.connect(self._add_node(kind), store, kind.role)

    def _add_node(self, kind: NodeKind) -> str:
        self.left -= 1
        name = self._free_name(kind)
        self.layout.nodes.append(_node(self.rng, kind, name, len(self.layout.nodes)))
        return name

    def _free_name(self, kind: NodeKind) -> str:
        draw = self.rng.random()
        name = kind.label
        if draw < 0.5:
            name = f"{kind.label.split(' (')[0]}: {self.rng.choice(NODE_WORDS)}"
        elif draw < 0.53:
            name = self.rng.choice(NON_ASCII_NAMES)
        number = 0
        free = name
        while free in self.names:
            number += 1
            free = f"{name}{number}"
        self.names.add(free)
        return free


def _node(rng: Random, kind: NodeKind, name: str, place: int) -> Node:
    column, lane = divmod(place, 3)
    node: Node = {
        "id": new_id(rng),
        "name": name,
        "type": kind.type,
        "position": [column * _STEP_PX + 20 * rng.randrange(4), lane * 180 - 40],
        "parameters": parameters_for(kind, rng),
        "typeVersion": rng.choice(kind.versions),
    }
    if kind.credential:
        node["credentials"] = {kind.credential: _credential(rng, kind.credential)}
    if rng.random() < 0.12:
        node.update(rng.choice(_EXTRAS))
    if kind.role == "trigger" or rng.random() < 0.05:
        node["webhookId"] = new_id(rng)
    return stored_order(node)


_EXTRAS: tuple[dict[str, Any], ...] = (
    {"onError": "continueRegularOutput"},
    {"retryOnFail": True, "maxTries": 3, "waitBetweenTries": 2000},
    {"alwaysOutputData": True},
    {"executeOnce": True},
    {"disabled": True},
    {"notes": "Fill in your own values here.", "notesInFlow": True},
)


def _credential(rng: Random, kind: str) -> dict[str, str]:
    # The site replaces most credentials by this placeholder before it serves them.
    if rng.random() < 0.92:
        return {"id": "credential-id", "name": f"{kind} Credential"}
    return {"id": f"{rng.getrandbits(80):020x}"[:16], "name": f"{kind} account"}


def _importable(rng: Random, layout: Layout, title: str) -> dict[str, Any]:
    workflow: dict[str, Any] = {
        "meta": {
            "instanceId": f"{rng.getrandbits(256):064x}",
            "templateCredsSetupCompleted": rng.random() < 0.5,
        },
        "nodes": layout.nodes,
        "pinData": _pin_data(rng, layout),
        "connections": layout.connections(),
    }
    if rng.random() < 0.65:
        workflow |= {
            "id": f"{rng.getrandbits(96):024x}"[:16],
            "name": f"My {title.split()[0].lower()} flow copy" if rng.random() < 0.9 else title,
            "tags": [],
            "active": False,
            "settings": {"executionOrder": "v1"},
            "versionId": new_id(rng),
        }
    return stored_order(workflow)


def _pin_data(rng: Random, layout: Layout) -> dict[str, Any]:
    if rng.random() > 0.075:
        return {}
    rows = [{"json": {"id": row, "from": "user@example.com"}} for row in range(rng.randint(1, 5))]
    return {str(layout.nodes[0]["name"]): rows}
