"""Bounds what one answer may be: its bytes before it is taken in, its parts before it is parsed.

The largest real answers have 2.6 MB and some 34,000 parts; the bounds leave room for growth, and
keep whatever a site sends from filling the memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_MB = 1024 * 1024

MOST_BYTES: Mapping[str, int] = MappingProxyType(
    {"json": 8 * _MB, "html": 8 * _MB, "page": 8 * _MB, "xml": 64 * _MB}
)
"""The bytes that an answer may have, packed and unpacked, by what is expected of it."""

ROBOTS_BYTES = 512 * 1024
"""The bytes that a robots.txt may have; its standard asks readers for no more."""

MOST_PARTS = 500_000
"""The values of a JSON answer, or tags and attributes of a page, that are parsed at most."""

# What begins or parts values and tags. Where they stand in texts they count too: all the safer.
_SIGNS = {"json": (b"[", b"{", b","), "html": (b"<", b"="), "page": (b"<", b"=")}


def most_bytes(expects: str, path: str) -> int | None:
    """Give the bound for an answer of a kind, or None where there is no special one."""
    return ROBOTS_BYTES if path == "/robots.txt" else MOST_BYTES.get(expects)


def has_too_many_parts(body: bytes, expects: str) -> bool:
    """Tell, without parsing it, whether an answer could take far more memory than its bytes."""
    if len(body) <= MOST_PARTS:  # each part takes a byte, so nearly every answer is done here
        return False
    return sum(map(body.count, _SIGNS.get(expects, ()))) > MOST_PARTS
