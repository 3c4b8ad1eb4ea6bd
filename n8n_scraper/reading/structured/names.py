"""The short names that pages give to the addresses of vocabularies."""

from __future__ import annotations

import re

from lxml import etree

_PAIR = re.compile(r"([\w-]+):\s*(\S+)")
OPEN_GRAPH = {
    "og": "http://ogp.me/ns#",
    **{
        name: f"http://ogp.me/ns/{name}#"
        for name in ("music", "video", "article", "book", "profile", "product")
    },
}
WELL_KNOWN = {
    **OPEN_GRAPH,
    "schema": "http://schema.org/",
    "dc": "http://purl.org/dc/terms/",
    "dcterms": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "ical": "http://www.w3.org/2002/12/cal/icaltzd#",
    "v": "http://rdf.data-vocabulary.org/#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


def given_names(element: etree._Element) -> dict[str, str]:
    """Give the names that an element itself gives, by `xmlns:` and by `prefix`."""
    found = {
        str(name)[6:]: str(value)
        for name, value in element.attrib.items()
        if str(name).startswith("xmlns:")
    }
    return found | dict(_PAIR.findall(element.get("prefix") or ""))


def names_within(element: etree._Element) -> dict[str, str]:
    """Give all names that hold in an element: its own, and those of the elements around it."""
    found: dict[str, str] = {}
    for one in [*reversed(list(element.iterancestors())), element]:
        found |= given_names(one)
    return found
