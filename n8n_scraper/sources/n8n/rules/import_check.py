"""Say whether n8n will take a workflow, and what it will lack there.

The rules are those by which n8n 2.41.1 judges a workflow that is sent to it; each problem is named
with its place, written as n8n writes places. Wrong shapes come first; where there are none, names,
ids and wires are compared, as n8n does. docs/reference/import-rules.md lists them all.
"""

from __future__ import annotations

import json
import marshal
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from n8n_scraper.sources.n8n.item import ImportCheck, ImportNeeds, ImportProblem, UnknownType
from n8n_scraper.sources.n8n.pages import reading
from n8n_scraper.sources.n8n.pages import workflow as facts
from n8n_scraper.sources.n8n.rules.node_table import DEFAULT_VERSION, NodeTable, package_of

LONGEST_NAME = 128
LARGEST_PIN_DATA = 12 * 1024 * 1024
LARGEST_WORKFLOW = 16 * 1024 * 1024

Workflow = dict[str, Any]
Problems = Iterator[ImportProblem]

# JSON is at most this many times longer than what `marshal` makes of the same value.
_JSON_AT_MOST = 6
_MOST_NAMED = 1_000


def check_import(workflow: Workflow, *, name: str | None, table: NodeTable) -> ImportCheck:
    """Judge a workflow that is imported under a name; without one, the name is not judged."""
    problems = _first(_shape(workflow, name)) or _first(chain(_graph(workflow), _size(workflow)))
    unknown = unknown_types(workflow, table)
    return ImportCheck(
        verdict="rejected" if problems else "imports with gaps" if unknown else "imports",
        problems=problems,
        unknown_types=unknown,
        needs=ImportNeeds(
            credentials=facts.credential_types(workflow), packages=_packages(workflow)
        ),
        n8n_version=table.n8n_version,
    )


def _first(problems: Problems) -> list[ImportProblem]:
    """The problems, or so many of them as anybody reads, with the number of the others."""
    named = list(islice(problems, _MOST_NAMED))
    more = sum(1 for _ in problems)
    return [*named, _problem(f"{more} more problems", "workflow")] if more else named


def unknown_types(workflow: Workflow, table: NodeTable) -> list[UnknownType]:
    """Each type, or version of a type, that n8n's own packages do not have, with its nodes."""
    found: dict[tuple[str, float | None], list[str]] = {}
    for place, node in _listed(workflow):
        kind, version = node.get("type"), reading.number(node.get("typeVersion", DEFAULT_VERSION))
        if not isinstance(kind, str) or not kind:
            continue
        if not table.versions(kind):
            found.setdefault((kind, None), []).append(_called(place, node))
        elif version is not None and not table.knows(kind, version):
            found.setdefault((kind, version), []).append(_called(place, node))
    return [
        UnknownType(type=kind, version=version, nodes=nodes)
        for (kind, version), nodes in found.items()
    ]


def _packages(workflow: Workflow) -> list[str]:
    community = map(package_of, facts.community_nodes(workflow))
    return sorted({package for package in community if package})


def _listed(workflow: Workflow) -> Iterator[tuple[str, dict[str, Any]]]:
    """The nodes that are objects, each with its place."""
    nodes = workflow.get("nodes")
    for index, node in enumerate(nodes if isinstance(nodes, list) else ()):
        if isinstance(node, dict):
            yield f"nodes[{index}]", node


def _called(place: str, node: dict[str, Any]) -> str:
    name = node.get("name")
    return name if isinstance(name, str) and name else place


# Shapes


def _shape(workflow: Workflow, name: str | None) -> Problems:
    yield from _top_level(workflow, name)
    if isinstance(nodes := workflow.get("nodes"), list):
        for index, node in enumerate(nodes):
            yield from _node(f"nodes[{index}]", node)
    if isinstance(connections := workflow.get("connections"), dict):
        for source, outputs in connections.items():
            yield from _outputs(f"connections.{reading.shortened(source)}", outputs)


def _top_level(workflow: Workflow, name: str | None) -> Problems:
    if name is not None and not 1 <= length(name) <= LONGEST_NAME:
        yield _problem(f"the name has 1 to {LONGEST_NAME} characters", "name")
    if not isinstance(workflow.get("nodes"), list):
        yield _problem("nodes are an array", "nodes")
    if not isinstance(workflow.get("connections"), dict):
        yield _problem("connections are an object", "connections")
    for key in ("settings", "pinData", "meta"):
        if not isinstance(workflow.get(key), dict | None):
            yield _problem(f"{key} is an object, null or absent", key)


def _node(place: str, node: Any) -> Problems:
    if not isinstance(node, dict):
        yield _problem("a node is an object", place)
        return
    for key in ("name", "type"):
        if not _is_filled(node.get(key)):
            yield _problem(f"a node has a {key}", f"{place}.{key}")
    if not _is_position(node.get("position")):
        yield _problem("a position is two numbers", f"{place}.position")
    if not isinstance(node.get("parameters", {}), dict):
        yield _problem("parameters are an object", f"{place}.parameters")
    # The server gives an id to a node without, before it judges.
    if not isinstance(node.get("id") or "", str):
        yield _problem("an id is a string", f"{place}.id")
    if not _is_number(node.get("typeVersion", DEFAULT_VERSION)):
        yield _problem("a type version is a number", f"{place}.typeVersion")
    if not isinstance(node.get("disabled", False), bool):
        yield _problem("disabled is true or false", f"{place}.disabled")
    # It looks at the credentials of enabled nodes only.
    if not node.get("disabled") and not isinstance(node.get("credentials") or {}, dict):
        yield _problem("credentials are an object", f"{place}.credentials")


def _outputs(place: str, outputs: Any) -> Problems:
    if not isinstance(outputs, dict):
        yield _problem("a source has its outputs by type", place)
        return
    for kind, buckets in outputs.items():
        below = f"{place}.{reading.shortened(kind)}"
        if not isinstance(buckets, list):
            yield _problem("the outputs of a type are an array", below)
            continue
        for index, bucket in enumerate(buckets):
            yield from _bucket(f"{below}[{index}]", bucket)


def _bucket(place: str, bucket: Any) -> Problems:
    if bucket is None:
        return
    if not isinstance(bucket, list):
        yield _problem("what leaves an output is an array or null", place)
        return
    for index, entry in enumerate(bucket):
        yield from _entry(f"{place}[{index}]", entry)


def _entry(place: str, entry: Any) -> Problems:
    if not isinstance(entry, dict):
        yield _problem("a connection is an object", place)
        return
    for key in ("node", "type"):
        if not _is_filled(entry.get(key)):
            yield _problem(f"a connection has a {key}", f"{place}.{key}")
    if not _is_index(entry.get("index")):
        yield _problem("a connection has an index, a whole number from 0", f"{place}.index")


# What only right shapes can be asked


def _graph(workflow: Workflow) -> Problems:
    names: set[str] = set()
    ids: set[str] = set()
    for place, node in _listed(workflow):
        if node.get("id") in ids:
            yield _problem("an id is used once", f"{place}.id")
        elif node.get("id"):
            ids.add(node["id"])
        if node["name"] in names:
            yield _problem("a name is used once", f"{place}.name")
        names.add(node["name"])
    yield from _wires(workflow["connections"], names)


def _wires(connections: dict[str, Any], names: set[str]) -> Problems:
    for source, outputs in connections.items():
        place = f"connections.{reading.shortened(source)}"
        if source not in names:
            yield _problem("a connection starts at a node", place)
        for kind, buckets in outputs.items():
            for index, bucket in enumerate(buckets):
                for number, entry in enumerate(bucket or ()):
                    if entry["node"] not in names:
                        where = f"{place}.{reading.shortened(kind)}[{index}][{number}].node"
                        yield _problem("a connection ends at a node", where)


def _size(workflow: Workflow) -> Problems:
    # Nearly every workflow is far too small to be measured exactly.
    if len(marshal.dumps(workflow, 2)) * _JSON_AT_MOST <= LARGEST_PIN_DATA:
        return
    if _json_bytes(workflow.get("pinData")) > LARGEST_PIN_DATA:
        yield _problem("pinned data are at most 12 MB", "pinData")
    if _json_bytes(workflow) > LARGEST_WORKFLOW:
        yield _problem("a workflow is at most 16 MB", "workflow")


# Small questions


def _problem(rule: str, place: str) -> ImportProblem:
    return ImportProblem(rule=rule, place=place)


def _is_filled(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_index(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value % 1 == 0


def _is_position(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))


def length(text: str) -> int:
    """Count as n8n does: a character beyond the basic plane is two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _json_bytes(value: Any) -> int:
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(written.encode("utf-8", "surrogatepass"))
