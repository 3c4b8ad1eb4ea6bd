"""Read a sitemap as a stream: an index, one flat file, or either of them gzipped."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit
from xml.parsers import expat

from n8n_scraper.core.errors import BadContent

_GZIP = b"\x1f\x8b"
_CHUNK = 64 * 1024
_TEMPLATE = re.compile(r"/workflows/(?P<id>[1-9][0-9]*)(?:-(?P<slug>[^/]*))?/?")


@dataclass(frozen=True, slots=True)
class Bounds:
    """How large a sitemap may be; the site's largest has 0.9 MB and some 13,000 addresses."""

    unpacked_bytes: int = 64 * 1024 * 1024
    addresses: int = 100_000  # the protocol allows half of that
    address_characters: int = 2_048  # what the protocol allows
    elements: int = 1_000_000
    depth: int = 20
    # A tag or a comment is held in memory as a whole, with all its attributes.
    markup_bytes: int = 256 * 1024


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


def read_sitemap(body: bytes, bounds: Bounds = Bounds()) -> SitemapPage:
    """Turn a sitemap file into what it lists; one that is cut short or beyond bounds is refused.

    Scrapy's own reader repairs a torn file, and so would quietly shorten the inventory.
    """
    listing = _Listing(bounds)
    for chunk in _unpacked(body, bounds.unpacked_bytes):
        listing.feed(chunk)
    listing.close()
    if listing.kind == "sitemapindex":
        return SitemapPage(children=[url for url in listing.addresses if _may_list_templates(url)])
    if listing.kind != "urlset":
        raise BadContent(f"a <{listing.kind[:40]}> where a sitemap was expected")
    found = (read_template_address(url) for url in listing.addresses)
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


def _unpacked(body: bytes, most_bytes: int) -> Iterator[bytes]:
    """Yield the file in small pieces, unpacked one after the other."""
    packed = body.startswith(_GZIP)
    given = 0
    for chunk in _unzipped(body) if packed else _pieces(body):
        given += len(chunk)
        if given > most_bytes:
            raise BadContent(f"a sitemap of more than {most_bytes:,} bytes: far too large")
        yield chunk


def _pieces(body: bytes) -> Iterator[bytes]:
    view = memoryview(body)
    for start in range(0, len(body), _CHUNK):
        yield bytes(view[start : start + _CHUNK])


def _unzipped(body: bytes) -> Iterator[bytes]:
    unzip = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    for packed in _pieces(body):
        waiting = packed
        while waiting and not unzip.eof:
            try:
                yield unzip.decompress(waiting, _CHUNK)
            except zlib.error as error:
                raise BadContent(f"a damaged gzip file: {error}") from None
            waiting = unzip.unconsumed_tail
    if not unzip.eof:
        yield unzip.flush()
        raise BadContent("a gzip file that is cut short")


class _Listing:
    """Collects the addresses of a sitemap while it is parsed; no tree of it is ever built."""

    def __init__(self, bounds: Bounds) -> None:
        self.kind = ""
        self.addresses: list[str] = []
        self._bounds = bounds
        self._text: list[str] | None = None
        self._characters = self._elements = self._depth = self._fed = 0
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._read
        self._parser.EntityDeclHandler = self._declare

    def feed(self, chunk: bytes) -> None:
        """Take the next piece of the file."""
        self._parse(chunk, last=False)
        self._fed += len(chunk)
        # What the parser has not given out yet is the beginning of one tag or comment.
        if self._fed - max(self._parser.CurrentByteIndex, 0) > self._bounds.markup_bytes:
            raise BadContent(
                f"a sitemap with a tag of more than {self._bounds.markup_bytes:,} bytes"
            )

    def close(self) -> None:
        """Say that this was the last piece."""
        self._parse(b"", last=True)

    def _parse(self, chunk: bytes, *, last: bool) -> None:
        try:
            self._parser.Parse(chunk, last)
        except expat.ExpatError as error:
            words = expat.ErrorString(error.code)
            raise BadContent(f"not a whole XML file: {words}") from None
        except (LookupError, ValueError) as error:  # of the codec that the file names
            raise BadContent(f"a sitemap in an encoding that is not read: {error}") from None

    def _begin(self, name: str, _attributes: dict[str, str]) -> None:
        self._elements += 1
        self._depth += 1
        if self._depth > self._bounds.depth:
            raise BadContent("a sitemap nested too deeply")
        if self._elements > self._bounds.elements:
            raise BadContent(f"a sitemap of more than {self._bounds.elements:,} elements")
        self.kind = self.kind or _local(name)
        if _local(name) == "loc":
            self._text, self._characters = [], 0

    def _end(self, name: str) -> None:
        self._depth -= 1
        if self._text is not None and _local(name) == "loc":
            self._note("".join(self._text).strip())
            self._text = None

    def _read(self, text: str) -> None:
        if self._text is not None:
            self._characters += len(text)
            if self._characters <= self._bounds.address_characters:
                self._text.append(text)

    def _note(self, address: str) -> None:
        # One that is longer is no template's: it is passed over, as any other page is.
        if not address or self._characters > self._bounds.address_characters:
            return
        self.addresses.append(address)
        if len(self.addresses) > self._bounds.addresses:
            raise BadContent(f"a sitemap of more than {self._bounds.addresses:,} addresses")

    def _declare(self, name: str, _is_parameter: bool, value: str | None, *_: object) -> None:
        # Entities have no place in a sitemap and are the classic attack on a parser; one that
        # stands for a file or another address is never followed.
        if value is not None:
            raise BadContent("a sitemap that defines entities")


def _local(name: str) -> str:
    return name.rpartition(":")[2]
