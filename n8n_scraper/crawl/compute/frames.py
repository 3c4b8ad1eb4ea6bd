"""Send Python values over a stream of bytes: their length, then the pickle."""

from __future__ import annotations

import pickle
import struct
from io import BytesIO
from typing import Any, BinaryIO

_LENGTH = struct.Struct("!Q")


def frame(value: Any) -> bytes:
    """Write a value out for the other side."""
    written = BytesIO(bytes(_LENGTH.size))  # filled in afterwards: a copy can be of many megabytes
    written.seek(_LENGTH.size)
    pickle.dump(value, written, pickle.HIGHEST_PROTOCOL)
    length = written.tell() - _LENGTH.size
    written.seek(0)
    written.write(_LENGTH.pack(length))
    return written.getvalue()


def read_frame(stream: BinaryIO) -> Any:
    """Wait for a value of the other side; EOFError when there will be none any more."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    return pickle.loads(_exactly(stream, length))  # noqa: S301 - both sides are ours


def _exactly(stream: BinaryIO, size: int) -> bytes:
    content = stream.read(size)
    if len(content) < size:
        raise EOFError
    return content


class Frames:
    """Puts frames together again from the pieces in which they come."""

    def __init__(self) -> None:
        self._pieces = bytearray()

    def feed(self, piece: bytes) -> list[Any]:
        """Take a piece; give the values that are whole now."""
        self._pieces += piece
        whole = []
        while (end := self._end()) <= len(self._pieces):
            with memoryview(self._pieces) as pieces, pieces[_LENGTH.size : end] as one:
                whole.append(pickle.loads(one))  # noqa: S301 - as above
            del self._pieces[:end]
        return whole

    def _end(self) -> int:
        if len(self._pieces) < _LENGTH.size:
            return _LENGTH.size
        length: int = _LENGTH.unpack_from(self._pieces)[0]
        return _LENGTH.size + length
