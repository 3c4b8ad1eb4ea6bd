"""Say what was done to a workflow, node by node and wire by wire.

Nodes are matched by what identifies them best: id and name, else the id, else the name, else what
little there is. Nothing here raises on any JSON, and what the server has blacked out is no edit.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from n8n_scraper.sources.n8n.pages import workflow as facts
from n8n_scraper.sources.n8n.pages.reading import listing, mapping, shortened
from n8n_scraper.sources.n8n.rules.blacked_out import is_blank_of, same

Node = dict[str, Any]
Key = Callable[[Node], object]


class Absent:
    """Stands for a value that is not there, which is not the same as null."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT = Absent()


@dataclass(frozen=True, slots=True)
class Edit:
    """One value that changed, and where it stands."""

    path: str
    old: Any
    new: Any

    def as_json(self) -> dict[str, Any]:
        """The edit as a JSON object; a value that is not there has no key."""
        values = {"old": self.old, "new": self.new}
        return {"path": self.path} | {k: v for k, v in values.items() if v is not ABSENT}


@dataclass(frozen=True, slots=True)
class NodeName:
    """What a node is called, and of which type it is."""

    name: str | None
    type: str | None

    @classmethod
    def of(cls, node: Node) -> NodeName:
        """Read it from the file's node."""
        name, kind = node.get("name"), node.get("type")
        return cls(name if isinstance(name, str) else None, kind if isinstance(kind, str) else None)


@dataclass(frozen=True, slots=True)
class NodeEdits:
    """What changed inside a node."""

    node: NodeName
    edits: list[Edit]


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire with both its ends."""

    source: str
    output: str
    slot: int
    target: str | None
    input: str
    index: int

    def __str__(self) -> str:
        source, target = shortened(self.source), shortened(self.target or "?")
        return f"{source} · {self.output} {self.slot} → {target} · {self.input} {self.index}"


@dataclass(slots=True)
class Difference:
    """What has to be done to one workflow to get the other."""

    added: list[NodeName] = field(default_factory=list)
    removed: list[NodeName] = field(default_factory=list)
    renamed: list[tuple[str | None, str | None]] = field(default_factory=list)
    edited: list[NodeEdits] = field(default_factory=list)
    connected: list[str] = field(default_factory=list)
    disconnected: list[str] = field(default_factory=list)
    other: list[Edit] = field(default_factory=list)

    def __bool__(self) -> bool:
        return any(map(bool, self._parts().values()))

    def as_json(self) -> dict[str, Any]:
        """The difference as a JSON object; what there is none of has no key."""
        return {name: part for name, part in self._parts().items() if part}

    def _parts(self) -> dict[str, list[Any]]:
        return {
            "nodes_added": [{"name": one.name, "type": one.type} for one in self.added],
            "nodes_removed": [{"name": one.name, "type": one.type} for one in self.removed],
            "nodes_renamed": [{"old": old, "new": new} for old, new in self.renamed],
            "nodes_edited": [
                {
                    "name": one.node.name,
                    "type": one.node.type,
                    "edits": [edit.as_json() for edit in one.edits],
                }
                for one in self.edited
            ],
            "connections_added": self.connected,
            "connections_removed": self.disconnected,
            "other": [edit.as_json() for edit in self.other],
        }


def difference(
    old: Mapping[str, Any], new: Mapping[str, Any], *, shared_keys_only: bool = False
) -> Difference:
    """Compare two workflows.

    With `shared_keys_only` a setting of the workflow counts only where both sides have it: the
    site's answers do not all carry the same ones.
    """
    found = Difference()
    pairs, removed, added = _match(facts.nodes(dict(old)), facts.nodes(dict(new)))
    found.removed = [NodeName.of(node) for node in removed]
    found.added = [NodeName.of(node) for node in added]
    names = _compare_pairs(found, pairs)
    _compare_wires(found, old, new, names)
    keys = old.keys() & new.keys() if shared_keys_only else old.keys() | new.keys()
    for key in sorted(keys - {"nodes", "connections"}):
        found.other += edits(old.get(key, ABSENT), new.get(key, ABSENT), key)
    return found


def edits(old: Any, new: Any, path: str) -> list[Edit]:
    """Name each value that differs, as deep down as both sides have the same shape."""
    if isinstance(old, dict) and isinstance(new, dict) and not is_blank_of(old, new):
        keys = [*old, *(key for key in new if key not in old)]
        return [
            edit
            for key in keys
            for edit in edits(old.get(key, ABSENT), new.get(key, ABSENT), _below(path, key))
        ]
    if isinstance(old, list) and isinstance(new, list) and _has_shape(old) and _has_shape(new):
        return [
            edit
            for index in range(max(len(old), len(new)))
            for edit in edits(_at(old, index), _at(new, index), f"{path}[{index}]")
        ]
    return [] if _are_equal(old, new) else [Edit(path, old, new)]


def _below(path: str, key: str) -> str:
    return f"{path}.{shortened(key)}" if path else shortened(key)


def _are_equal(old: Any, new: Any) -> bool:
    if old is ABSENT or new is ABSENT:
        return old is new
    return same(old, new)


def _has_shape(values: list[Any]) -> bool:
    """Whether a list holds more than plain values; `[100, 200]` is one value to a person."""
    return any(isinstance(value, dict | list) for value in values)


def _at(values: list[Any], index: int) -> Any:
    return values[index] if index < len(values) else ABSENT


def _match(
    old: list[Node], new: list[Node]
) -> tuple[list[tuple[Node, Node]], list[Node], list[Node]]:
    """Pair the nodes, the surest pairs first; what is left over was removed or added."""
    rounds: list[Key] = [
        lambda node: _all_or_none(_id(node), _name(node)),
        _id,
        lambda node: _all_or_none(_name(node), _type(node)),
        _name,
        # Without id and name: the same in every other respect, or at least of one type.
        lambda node: None if _id(node) or _name(node) else json.dumps(node, sort_keys=True),
        lambda node: None if _id(node) or _name(node) else _type(node) or "?",
    ]
    pairs: list[tuple[int, Node, int, Node]] = []
    left, right = list(enumerate(old)), list(enumerate(new))
    for key in rounds:
        left, right = _pair(pairs, left, right, key)
    pairs.sort(key=lambda pair: pair[2])
    in_order = [(before, after) for _, before, _, after in pairs]
    return in_order, [node for _, node in left], [node for _, node in right]


def _pair(
    pairs: list[tuple[int, Node, int, Node]],
    left: list[tuple[int, Node]],
    right: list[tuple[int, Node]],
    key: Key,
) -> tuple[list[tuple[int, Node]], list[tuple[int, Node]]]:
    """Pair those with the same key in the order of the file, and give back who has no partner."""
    waiting: dict[object, list[tuple[int, Node]]] = defaultdict(list)
    for one in reversed(left):
        waiting[key(one[1])].append(one)
    alone = []
    taken = set()
    for index, node in right:
        value = key(node)
        if value is None or not waiting.get(value):
            alone.append((index, node))
            continue
        partner = waiting[value].pop()
        taken.add(partner[0])
        pairs.append((*partner, index, node))
    return [one for one in left if one[0] not in taken], alone


def _id(node: Node) -> str | None:
    value = node.get("id")
    return str(value) if isinstance(value, str | int) and value not in ("", None) else None


def _name(node: Node) -> str | None:
    value = node.get("name")
    return value if isinstance(value, str) and value else None


def _type(node: Node) -> str | None:
    value = node.get("type")
    return value if isinstance(value, str) and value else None


def _all_or_none(*parts: str | None) -> tuple[str | None, ...] | None:
    return parts if all(part is not None for part in parts) else None


def _compare_pairs(found: Difference, pairs: list[tuple[Node, Node]]) -> dict[str, str]:
    """Note what changed inside the nodes; give the new name of each whose name differs."""
    names: dict[str, str] = {}
    for before, after in pairs:
        old, new = _name(before), _name(after)
        if old and new and old != new:
            names.setdefault(old, new)
        if not same(old, new):
            found.renamed.append((old, new))
        # An id says which node it is, and nothing about it.
        inside = edits(_without_identity(before), _without_identity(after), "")
        if inside:
            found.edited.append(NodeEdits(NodeName.of(after), inside))
    return names


def _without_identity(node: Node) -> Node:
    return {key: value for key, value in node.items() if key not in ("id", "name")}


def _compare_wires(
    found: Difference, old: Mapping[str, Any], new: Mapping[str, Any], names: Mapping[str, str]
) -> None:
    """Compare the wires under the nodes' new names: a new name alone moves no wire."""
    before = Counter(map(_Renamer(names).wire, wires(mapping(old.get("connections")))))
    after = Counter(wires(mapping(new.get("connections"))))
    found.disconnected = list(map(str, (before - after).elements()))
    found.connected = list(map(str, (after - before).elements()))


@dataclass(frozen=True, slots=True)
class _Renamer:
    names: Mapping[str, str]

    def wire(self, wire: Wire) -> Wire:
        source = self.names.get(wire.source, wire.source)
        target = self.names.get(wire.target, wire.target) if wire.target else wire.target
        return Wire(source, wire.output, wire.slot, target, wire.input, wire.index)


def wires(connections: Mapping[str, Any]) -> Iterator[Wire]:
    """Every wire that is written down, however it is written."""
    for source, outputs in connections.items():
        leveled = isinstance(outputs, dict) and not isinstance(outputs.get("node"), str)
        # Some files leave out the level of output types, and mean "main".
        by_output = outputs if leveled else {"main": outputs}
        for output, slots in by_output.items():
            for slot, targets in enumerate(slots if isinstance(slots, list) else [slots]):
                for target, kind, index in _ends(targets):
                    yield Wire(source, output, slot, target, kind or output, index)


def _ends(targets: Any) -> Iterator[tuple[str | None, str | None, int]]:
    """Walk down to the targets of one slot: objects, arrays, or something of its own kind."""
    waiting = [targets]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list) and value and isinstance(value[0], str):
            yield value[0], _text(_at(value, 1)), _number(_at(value, 2))
        elif isinstance(value, dict) and isinstance(value.get("node"), str):
            yield value["node"], _text(value.get("type")), _number(value.get("index"))
        elif isinstance(value, dict | list):
            children = list(value.values()) if isinstance(value, dict) else listing(value)
            nested = [child for child in children if isinstance(child, dict | list)]
            if children and not nested and isinstance(value, dict):
                yield json.dumps(value, sort_keys=True), None, 0
            waiting += reversed(nested)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
