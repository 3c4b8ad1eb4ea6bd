"""Pack bytes for the archive: small, quick, and readable for as long as an archive is kept."""

from __future__ import annotations

import json
import zlib
from typing import Any

from backports import zstd

_ZSTD = b"\x28\xb5\x2f\xfd"
# Nearly as small as zlib's default makes it, in a fraction of the time: see make bench. A new one
# each time would take as long as a small content does.
_COMPRESSOR = zstd.ZstdCompressor(level=3)


class Damaged(ValueError):
    """What was packed cannot be unpacked any more."""


def pack(content: bytes) -> bytes:
    """Compress with zstd."""
    return _COMPRESSOR.compress(content, zstd.ZstdCompressor.FLUSH_FRAME)


def unpack(packed: bytes) -> bytes:
    """Give back what was packed; rows of earlier versions are zlib, and say so by their start."""
    try:
        return zstd.decompress(packed) if packed.startswith(_ZSTD) else zlib.decompress(packed)
    except (zstd.ZstdError, zlib.error) as error:
        raise Damaged(str(error)) from None


def pack_json(content: Any) -> bytes:
    """Compress JSON in a form in which the same content always gives the same bytes."""
    return pack(json.dumps(content, sort_keys=True, separators=(",", ":")).encode())


def unpack_json(packed: bytes) -> Any:
    """Give back the content."""
    return json.loads(unpack(packed))


class JsonText(str):
    """JSON that is written out already; the database takes it as it is."""

    __slots__ = ()


def to_json(content: Any) -> str:
    """Write content out for a JSON column, unless somebody has."""
    return content if isinstance(content, JsonText) else json.dumps(content)
