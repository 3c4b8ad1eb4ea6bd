"""Read the microdata of a page, by the algorithm of the HTML standard.

A value that a `content` attribute gives counts on any element, as most who write it mean it. Words
are those that a person reads, with the spaces that mean nothing taken out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml import etree

from n8n_scraper.reading.structured.document import attribute, elements, words_of

Item = dict[str, Any]
"""What is known of a thing: `properties`, and `type` and `id` where they are told."""

_ADDRESSES = {
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    **dict.fromkeys(("a", "area", "link"), "href"),
    "object": "data",
}
_VALUES = {"data": "value", "meter": "value", "time": "datetime"}
_MOST_PROPERTIES = 10_000


def microdata(root: etree._Element) -> list[Item]:
    """Give the things of the page that are not told as a property of another."""
    return _Reader(root).items()


class _Reader:
    def __init__(self, root: etree._Element) -> None:
        self._root = root
        self._left = _MOST_PROPERTIES
        self._by_id: dict[str, etree._Element] | None = None

    def items(self) -> list[Item]:
        tops = elements(self._root, "descendant-or-self::*[@itemscope][not(@itemprop)]")
        return [self._item(one, ()) for one in tops]

    def _item(self, scope: etree._Element, around: tuple[etree._Element, ...]) -> Item:
        item: Item = {}
        types = attribute(scope, "itemtype").split()
        if types:
            item["type"] = types[0] if len(types) == 1 else types
        if identity := attribute(scope, "itemid"):
            item["id"] = identity
        properties: dict[str, list[Any]] = {}
        for element in self._properties(scope):
            self._left -= 1
            value = self._value(element, (*around, scope))
            for name in dict.fromkeys(attribute(element, "itemprop").split()):
                properties.setdefault(name, []).append(value)
        item["properties"] = {
            name: values[0] if len(values) == 1 else values for name, values in properties.items()
        }
        return item

    def _properties(self, scope: etree._Element) -> Iterator[etree._Element]:
        roots = [scope, *self._referred(scope)]
        seen = {scope}
        for root in roots:
            waiting = list(reversed(root)) if root is scope else [root]
            while waiting and self._left > 0:
                one = waiting.pop()
                if one in seen or not isinstance(one.tag, str):
                    continue
                seen.add(one)
                if attribute(one, "itemprop"):
                    yield one
                if one.get("itemscope") is None:
                    waiting += reversed(one)

    def _referred(self, scope: etree._Element) -> list[etree._Element]:
        names = attribute(scope, "itemref").split()
        if not names:
            return []
        if self._by_id is None:
            self._by_id = {}
            for one in elements(self._root, "//*[@id]"):
                self._by_id.setdefault(attribute(one, "id"), one)
        return [self._by_id[name] for name in dict.fromkeys(names) if name in self._by_id]

    def _value(self, element: etree._Element, around: tuple[etree._Element, ...]) -> Any:
        if element.get("itemscope") is not None:
            return None if element in around else self._item(element, around)
        return value_of(element)


def value_of(element: etree._Element) -> str:
    """Give what an element says to a program: an attribute that its kind has for it, or words."""
    tag = str(element.tag)
    if (address := _ADDRESSES.get(tag)) and (given := attribute(element, address)):
        return given
    if element.get("content") is not None:
        return attribute(element, "content")
    if address:
        return ""
    if tag in _VALUES and element.get(_VALUES[tag]) is not None:
        return attribute(element, _VALUES[tag])
    return words_of(element)
