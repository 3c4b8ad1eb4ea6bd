"""Read the three files of the open data: venues, the dates of events, and the events.

Each is one XML file of the whole stock. A file that is cut short is refused as a whole: half a
stock would read as the removal of the other half.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from lxml import etree

from n8n_scraper.core.errors import BadContent
from n8n_scraper.reading.words import line

Record = dict[str, str]


def record_of(element: etree._Element) -> Record:
    """Give the fields of an event or a venue."""
    return {name_of(child): child.text or "" for child in element}


def days_of(element: etree._Element) -> list[str]:
    """Give the days that the dates file has of an event."""
    named = (line(child.text) for child in element if name_of(child) == "indate")
    return [day for day in named if day]


def elements(body: bytes, root: str, kind: str) -> Iterator[tuple[str, etree._Element]]:
    """Give each element of this kind with its id; BadContent where the file is not whole."""
    # Entities and remote files have no place in such a file and are the classic attack on a parser.
    found = etree.iterparse(
        BytesIO(body),
        events=("end",),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        strip_cdata=False,
    )
    last = ""
    try:
        for _, element in found:
            last = name_of(element)
            if last == kind:
                if identity := (element.get("id") or "").strip():
                    yield identity, element
                element.clear()
    except etree.XMLSyntaxError as error:
        raise BadContent(f"not a whole XML file: {error.msg}") from None
    if last != root:
        raise BadContent(f"a <{last}> where <{root}> was expected")


def name_of(element: etree._Element) -> str:
    """Give the name of an element; a remark has none."""
    return element.tag if isinstance(element.tag, str) else ""
