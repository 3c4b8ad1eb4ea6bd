"""Read the entries of an RSS or Atom feed."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

Entry = dict[str, list[str]]
"""What is said of an entry, by the local names of its elements; "@" parts an attribute off."""

MOST_ENTRIES = 2_000
_ROOTS = ("rss", "feed", "RDF")


def feed_entries(text: str) -> list[Entry] | None:
    """Give the entries; None where the text is no feed."""
    # Entities and remote files have no place in a feed and are the classic attack on a parser.
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        recover=True,
        remove_comments=True,
        remove_pis=True,
        encoding="utf-8",
    )
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    if root is None or _local(root) not in _ROOTS:
        return None
    found = (one for one in root.iter() if _local(one) in ("item", "entry"))
    return [_entry(one) for one, _ in zip(found, range(MOST_ENTRIES), strict=False)]


def _entry(element: etree._Element) -> Entry:
    entry: Entry = {}
    for child in element.iterchildren("*"):
        name = _local(child).lower()
        for key, value in _said(name, child):
            if value:
                entry.setdefault(key, []).append(value)
    return entry


def _said(name: str, element: etree._Element) -> Iterator[tuple[str, str]]:
    yield name, "".join(map(str, element.itertext(with_tail=False))).strip()
    for attribute, value in element.attrib.items():
        yield f"{name}@{str(attribute).rpartition('}')[2].lower()}", str(value).strip()


def _local(element: etree._Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
