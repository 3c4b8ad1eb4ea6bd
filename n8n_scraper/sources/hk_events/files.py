"""Read the three files of the open data: events, their dates, and the venues.

Each is one XML file of the whole stock. A file that is cut short is refused as a whole: half a
stock would read as the removal of the other half.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from lxml import etree

from n8n_scraper.core.errors import BadContent
from n8n_scraper.sources.hk_events.names import line

Record = dict[str, str]


def read_events(body: bytes) -> dict[str, Record]:
    """Give each event's fields by its id, as they are written."""
    return {
        identity: {_name(child): child.text or "" for child in element}
        for identity, element in _elements(body, "events", "event")
    }


def read_dates(body: bytes) -> dict[str, list[str]]:
    """Give each event's days by its id, as they are written (YYYYMMDD)."""
    return {
        identity: [
            day for child in element if _name(child) == "indate" and (day := line(child.text))
        ]
        for identity, element in _elements(body, "event_dates", "event")
    }


def read_venues(body: bytes) -> dict[str, Record]:
    """Give each venue's fields by its id, as they are written."""
    return {
        identity: {_name(child): child.text or "" for child in element}
        for identity, element in _elements(body, "venues", "venue")
    }


def _elements(body: bytes, root: str, kind: str) -> Iterator[tuple[str, etree._Element]]:
    # Entities and remote files have no place in such a file and are the classic attack on a parser.
    elements = etree.iterparse(
        BytesIO(body), events=("end",), resolve_entities=False, no_network=True, load_dtd=False
    )
    last = ""
    try:
        for _, element in elements:
            last = _name(element)
            if last == kind:
                if identity := (element.get("id") or "").strip():
                    yield identity, element
                element.clear()
    except etree.XMLSyntaxError as error:
        raise BadContent(f"not a whole XML file: {error.msg}") from None
    if last != root:
        raise BadContent(f"a <{last}> where <{root}> was expected")


def _name(element: etree._Element) -> str:
    return element.tag if isinstance(element.tag, str) else ""
