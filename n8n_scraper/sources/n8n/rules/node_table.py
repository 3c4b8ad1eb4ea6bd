"""Which node types n8n's own packages have, in which versions: bare facts of one n8n version.

The table travels inside the package as `data/nodes.json`; `scrapy nodes update` makes a new one
from the packages themselves. Two families of types are in no list, because n8n derives them when it
starts: `<name>Tool` for what an agent can use, `<name>HitlTool` for what can ask a person.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

PACKAGES = ("n8n-nodes-base", "@n8n/n8n-nodes-langchain")
FILE = "nodes.json"
# What n8n takes a node for that says nothing of its version.
DEFAULT_VERSION = 1.0

_SEND_AND_WAIT = "sendAndWait"


@dataclass(frozen=True, slots=True)
class NodeType:
    """One type of node, and what can be derived from it."""

    versions: tuple[float, ...]
    usable_as_tool: tuple[float, ...] = ()
    """The versions that an agent can use."""
    send_and_wait: tuple[float, ...] = ()
    """The versions that can ask a person and wait for the answer."""
    trigger: bool = False
    hidden: bool = False
    """The editor does not offer it any more, or never did."""


class NodeTable:
    """What one version of n8n knows."""

    def __init__(self, n8n_version: str, types: Mapping[str, NodeType]) -> None:
        self.n8n_version = n8n_version
        self.types = dict(types)
        self._versions = _with_derived(self.types)

    @property
    def known(self) -> Iterable[str]:
        """The names of all types, derived ones included."""
        return self._versions.keys()

    def versions(self, name: str) -> tuple[float, ...]:
        """The versions of a type, derived ones included; none where n8n does not know it."""
        return self._versions.get(name, ())

    def knows(self, name: str, version: float = DEFAULT_VERSION) -> bool:
        """Whether n8n's own packages have this type in this version."""
        return version in self.versions(name)

    def __len__(self) -> int:
        return len(self.types)


def package_of(node_type: str) -> str | None:
    """The npm package that a type comes from, where its name says so."""
    package, _, name = node_type.rpartition(".")
    return package if name and package and package != "CUSTOM" else None


@cache
def shipped_table() -> NodeTable:
    """The table that came with this version of the scraper, read at its first use."""
    return read_table((files("n8n_scraper.sources.n8n.data") / FILE).read_text("utf-8"))


def read_table(text: str) -> NodeTable:
    """Read a table as `write_table` wrote it."""
    known = json.loads(text)
    types = {
        name: NodeType(
            versions=_numbers(facts["versions"]),
            usable_as_tool=_numbers(facts.get("usable_as_tool", ())),
            send_and_wait=_numbers(facts.get("send_and_wait", ())),
            trigger=facts.get("trigger", False),
            hidden=facts.get("hidden", False),
        )
        for name, facts in known["types"].items()
    }
    return NodeTable(known["n8n_version"], types)


def write_table(table: NodeTable) -> str:
    """Write a table as JSON, one type a line, so that two versions can be compared by eye."""
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(_facts(table.types[name]))}"
        for name in sorted(table.types)
    )
    return f'{{"n8n_version": {json.dumps(table.n8n_version)}, "types": {{\n{lines}\n}}}}\n'


def build_table(n8n_version: str, packages: Mapping[str, Iterable[dict[str, Any]]]) -> NodeTable:
    """Take the bare facts out of the descriptions that the packages carry.

    A type has one description for each implementation: they are merged.
    """
    implementations: dict[str, list[dict[str, Any]]] = {}
    for package, descriptions in packages.items():
        for one in descriptions:
            name = str(one["name"]).removeprefix(f"{package}.")
            implementations.setdefault(f"{package}.{name}", []).append(one)
    return NodeTable(n8n_version, {name: _merge(all_) for name, all_ in implementations.items()})


def _merge(implementations: list[dict[str, Any]]) -> NodeType:
    newest = max(implementations, key=lambda one: max(_versions(one)))
    return NodeType(
        versions=_all_versions(implementations),
        usable_as_tool=_all_versions(one for one in implementations if one.get("usableAsTool")),
        send_and_wait=_all_versions(filter(_can_send_and_wait, implementations)),
        trigger="trigger" in newest.get("group", ()),
        hidden=bool(newest.get("hidden")),
    )


def _can_send_and_wait(description: dict[str, Any]) -> bool:
    """By n8n's own rule: it has a webhook, and the operation that waits."""
    if not description.get("webhooks") or str(description["name"]).endswith("Tool"):
        return False
    operations = (
        option
        for parameter in description.get("properties", ())
        if parameter.get("name") == "operation" and isinstance(parameter.get("options"), list)
        for option in parameter["options"]
    )
    return any(isinstance(one, dict) and one.get("value") == _SEND_AND_WAIT for one in operations)


def _with_derived(types: Mapping[str, NodeType]) -> dict[str, tuple[float, ...]]:
    known = {name: facts.versions for name, facts in types.items()}
    for name, facts in types.items():
        for suffix, versions in (("Tool", facts.usable_as_tool), ("HitlTool", facts.send_and_wait)):
            if versions:
                known[name + suffix] = known.get(name + suffix, ()) + versions
    return known


def _facts(node_type: NodeType) -> dict[str, Any]:
    facts: dict[str, Any] = {"versions": node_type.versions}
    for name in ("usable_as_tool", "send_and_wait", "trigger", "hidden"):
        if value := getattr(node_type, name):
            facts[name] = value
    return {
        name: [int(one) if one == int(one) else one for one in value]
        if isinstance(value, tuple)
        else value
        for name, value in facts.items()
    }


def _all_versions(implementations: Iterable[dict[str, Any]]) -> tuple[float, ...]:
    return tuple(sorted({version for one in implementations for version in _versions(one)}))


def _versions(description: dict[str, Any]) -> Iterator[float]:
    given = description.get("version", DEFAULT_VERSION)
    return map(float, given if isinstance(given, list) else [given])


def _numbers(given: Iterable[float]) -> tuple[float, ...]:
    return tuple(map(float, given))
