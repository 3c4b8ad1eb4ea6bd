"""Read a sitemap: an index, one flat file, or either of them gzipped."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, field
from io import BytesIO
from urllib.parse import urlsplit

from lxml import etree

from n8n_scraper.errors import BadContent

# The site's largest sitemap is under 2 MB; this only stops a decompression bomb.
_MOST_BYTES = 200 * 1024 * 1024
_GZIP = b"\x1f\x8b"
_TEMPLATE = re.compile(r"/workflows/(?P<id>[1-9][0-9]*)(?:-(?P<slug>[^/]*))?/?")


@dataclass(frozen=True, slots=True)
class Entry:
    """A template of the inventory: its id, and the slug in its address."""

    workflow_id: str
    slug: str | None


@dataclass(frozen=True, slots=True)
class SitemapPage:
    """One sitemap file: further files to follow, or templates."""

    children: list[str] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)


def read_sitemap(body: bytes) -> SitemapPage:
    """Turn a sitemap file into what it lists; one that is cut short is refused.

    Scrapy's own reader repairs a torn file, and so would quietly shorten the inventory.
    """
    kind, locations = _locations(_unzipped(body))
    if kind == "sitemapindex":
        return SitemapPage(children=[url for url in locations if _may_list_templates(url)])
    if kind != "urlset":
        raise BadContent(f"a <{kind}> where a sitemap was expected")
    found = (read_template_address(url) for url in locations)
    return SitemapPage(entries=[entry for entry in found if entry])


def read_template_address(url: str) -> Entry | None:
    """Read id and slug out of a template's address; None for any other address."""
    match = _TEMPLATE.fullmatch(_path(url))
    return Entry(match["id"], match["slug"] or None) if match else None


def _may_list_templates(url: str) -> bool:
    return "workflows" in _path(url)


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:  # what stands there is no address at all
        return ""


def _unzipped(body: bytes) -> bytes:
    if not body.startswith(_GZIP):
        return body
    unzip = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        content = unzip.decompress(body, _MOST_BYTES)
    except zlib.error as error:
        raise BadContent(f"a damaged gzip file: {error}") from None
    if not unzip.eof:
        raise BadContent("a gzip file that is cut short or far too large")
    return content


def _locations(xml: bytes) -> tuple[str, list[str]]:
    kind, locations = "", []
    # Entities and remote files have no place in a sitemap and are the classic attack on a parser.
    elements = etree.iterparse(
        BytesIO(xml), events=("end",), resolve_entities=False, no_network=True, load_dtd=False
    )
    try:
        for _, element in elements:
            kind = etree.QName(element).localname
            if kind == "loc" and element.text:
                locations.append(element.text.strip())
            elif kind in ("url", "sitemap"):
                element.clear()
    except etree.XMLSyntaxError as error:
        raise BadContent(f"not a whole XML file: {error.msg}") from None
    return kind, locations
