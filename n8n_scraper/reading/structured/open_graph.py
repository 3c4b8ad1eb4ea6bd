"""Read what the head of a page says of it in Open Graph, and in the Dublin Core."""

from __future__ import annotations

from typing import Any

from lxml import etree

from n8n_scraper.reading.structured.document import attribute, elements
from n8n_scraper.reading.structured.names import OPEN_GRAPH, given_names

_ELEMENTS = frozenset(
    (
        *("contributor", "coverage", "creator", "date", "description", "format", "identifier"),
        *("language", "publisher", "relation", "rights", "source", "subject", "title", "type"),
    )
)
_ELEMENTS_HOME = "http://purl.org/dc/elements/1.1/"
_TERMS_HOME = "http://purl.org/dc/terms/"


def open_graph(root: etree._Element) -> list[dict[str, Any]]:
    """Give the properties of the page in their order, and the names that they use; one entry.

    A name with a hyphen is known by its last word. No property is given twice with one value.
    """
    for head in elements(root, "//head"):
        names = _names(head)
        homes = {home: name for name, home in (OPEN_GRAPH | names).items()}
        properties: dict[tuple[str, str], None] = {}
        for meta in elements(head, "meta[@property and @content]"):
            name, _, rest = _short(attribute(meta, "property"), homes).partition(":")
            name = name.rpartition("-")[2]
            if name in OPEN_GRAPH and rest:
                names[name] = OPEN_GRAPH[name]
            if rest and name in names and (content := attribute(meta, "content")):
                properties[f"{name}:{rest}", content] = None
        if properties:
            return [{"namespace": names, "properties": [list(pair) for pair in properties]}]
    return []


def _names(head: etree._Element) -> dict[str, str]:
    around = head.getparent()
    names = ({} if around is None else given_names(around)) | given_names(head)
    return {name.rpartition("-")[2]: home for name, home in names.items()}


def _short(name: str, homes: dict[str, str]) -> str:
    """Write "http://ogp.me/ns#image" as "og:image"."""
    home, sign, rest = name.rpartition("#")
    return f"{homes[home + sign]}:{rest}" if home + sign in homes else name


def dublin_core(root: etree._Element) -> list[dict[str, Any]]:
    """Give what the page says of itself in words that the Dublin Core has; one entry, or none."""
    found: dict[str, list[dict[str, str]]] = {"elements": [], "terms": []}
    for meta in elements(root, "//meta[@name and @content]"):
        name = attribute(meta, "name")
        prefix, _, word = name.rpartition(".")
        of_terms = prefix.lower() == "dcterms"
        if prefix.lower() in ("", "dc", "dcterms") and (of_terms or word.lower() in _ELEMENTS):
            home = _TERMS_HOME if of_terms else _ELEMENTS_HOME
            found["terms" if of_terms else "elements"].append(
                {"name": name, "content": attribute(meta, "content"), "URI": home + word.lower()}
            )
    homes = {
        attribute(link, "rel")[7:]: attribute(link, "href")
        for link in elements(root, "//link[starts-with(@rel, 'schema.')]")
    }
    return [{"namespaces": homes, **found}] if any(found.values()) else []
