"""Read the RDFa of a page, as far as its "Lite" goes: vocab, typeof, property, resource, prefix."""

from __future__ import annotations

from typing import Any

from lxml import etree

from n8n_scraper.reading.structured.microdata import value_of
from n8n_scraper.reading.structured.names import WELL_KNOWN, given_names

Node = dict[str, Any]
"""A thing as expanded JSON-LD has it: `@id`, `@type`, and lists of `@value` or `@id`."""

_RESOURCES = ("resource", "href", "src")
_MOST_NODES = 10_000


def rdfa(root: etree._Element, url: str) -> list[Node]:
    """Give the things that the page tells of, itself first; those without a property are left."""
    reader = _Reader(url)
    reader.read(root)
    return [node for node in reader.nodes.values() if len(node) > 1]


class _Scope:
    """What holds where an element stands."""

    def __init__(self, subject: Node, vocabulary: str, names: dict[str, str]) -> None:
        self.subject = subject
        self.vocabulary = vocabulary
        self.names = names


class _Reader:
    def __init__(self, url: str) -> None:
        self.nodes: dict[str, Node] = {}
        self._page = self._node(url)

    def _node(self, identity: str | None = None) -> Node:
        identity = identity or f"_:{len(self.nodes)}"
        return self.nodes.setdefault(identity, {"@id": identity})

    def read(self, root: etree._Element) -> None:
        """Walk over the page, each element with what those around it say."""
        waiting = [(root, _Scope(self._page, "", {}))]
        while waiting and len(self.nodes) < _MOST_NODES:
            element, around = waiting.pop()
            if isinstance(element.tag, str):
                scope = self._read(element, around)
                waiting += [(child, scope) for child in reversed(element)]

    def _read(self, element: etree._Element, around: _Scope) -> _Scope:
        vocabulary = element.get("vocab", around.vocabulary)
        own = given_names(element)
        scope = _Scope(around.subject, vocabulary, around.names | own if own else around.names)
        types = _addresses(element.get("typeof"), scope)
        thing = None
        if element.get("typeof") is not None:
            thing = self._node(element.get("resource") or element.get("about"))
            thing.setdefault("@type", []).extend(types)
        elif element.get("resource") and element.get("property") is None:
            thing = self._node(element.get("resource"))
        for name in _addresses(element.get("property"), scope):
            values = around.subject.setdefault(name, [])
            value = {"@id": thing["@id"]} if thing else _value(element)
            if value not in values:
                values.append(value)
        return _Scope(thing, vocabulary, scope.names) if thing else scope


def _value(element: etree._Element) -> dict[str, str]:
    if element.get("content") is None:
        for name in _RESOURCES:
            if address := element.get(name):
                return {"@id": address}
    return {"@value": value_of(element)}


def _addresses(words: str | None, scope: _Scope) -> list[str]:
    """Write each word in full; one without a name in front needs a vocabulary."""
    found = []
    for word in (words or "").split():
        name, colon, rest = word.partition(":")
        if colon:
            home = scope.names.get(name) or WELL_KNOWN.get(name)
            found.append(home + rest if home and not rest.startswith("//") else word)
        elif scope.vocabulary:
            found.append(scope.vocabulary + word)
    return found
