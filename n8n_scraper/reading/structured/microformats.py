"""Read the events that a page marks with classes: `h-event`, and `vevent` as it was before."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from n8n_scraper.reading.structured.document import attribute, elements, words_of
from n8n_scraper.reading.structured.microdata import value_of

_ROOTS = re.compile(r"(?:^|\s)(h-[a-z]+(?:-[a-z]+)*|vevent)(?=\s|$)")
_PROPERTY = re.compile(r"(?:^|\s)(p|u|dt|e)-([a-z]+(?:-[a-z]+)*)(?=\s|$)")
_BEFORE = {
    "summary": ("p", "name"),
    "dtstart": ("dt", "start"),
    "dtend": ("dt", "end"),
    "location": ("p", "location"),
    "url": ("u", "url"),
    "description": ("p", "description"),
    "category": ("p", "category"),
}
_EVENTS = "//*[contains(@class, 'h-event') or contains(@class, 'vevent')]"
_MOST_ELEMENTS = 50_000


def microformats(root: etree._Element) -> list[dict[str, Any]]:
    """Give the events, each with lists of what is said of it."""
    left = _MOST_ELEMENTS
    found = []
    for element in elements(root, _EVENTS):
        kinds = _ROOTS.findall(attribute(element, "class"))
        if "h-event" in kinds or "vevent" in kinds:
            properties, looked_at = _properties(element, "vevent" in kinds, left)
            left -= looked_at
            found.append({"type": ["h-event"], "properties": properties})
    return found


def _properties(
    event: etree._Element, as_before: bool, most: int
) -> tuple[dict[str, list[Any]], int]:
    found: dict[str, list[Any]] = {}
    waiting, looked_at = list(reversed(event)), 0
    while waiting and looked_at < most:
        one = waiting.pop()
        looked_at += 1
        classes = attribute(one, "class")
        pairs = _PROPERTY.findall(classes)
        if as_before:
            pairs += [_BEFORE[word] for word in classes.split() if word in _BEFORE]
        for kind, name in pairs:
            found.setdefault(name, []).append(_value(kind, one))
        if not _ROOTS.search(classes):  # what stands in another thing is said of that one
            waiting += reversed(one)
    return found, looked_at


def _value(kind: str, element: etree._Element) -> str:
    if kind == "dt":
        return attribute(element, "datetime") or attribute(element, "title") or words_of(element)
    if kind == "p":
        return (element.tag == "abbr" and attribute(element, "title")) or words_of(element)
    return value_of(element)
