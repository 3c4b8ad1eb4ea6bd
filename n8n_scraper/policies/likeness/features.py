"""What things are compared by: sets of numbers, one for each part of a thing.

The measure is Jaccard's: shared ÷ all.
"""

from __future__ import annotations

import zlib
from array import array
from collections import Counter
from collections.abc import Iterable

Features = array  # of unsigned 32-bit numbers, sorted, each once

_COMMON = 1 << 31


def features(parts: Iterable[bytes]) -> Features[int]:
    """Give a number for each part."""
    return array("I", sorted(set(map(zlib.crc32, parts))))


def telling_first(telling: Iterable[str], common: Iterable[str]) -> Features[int]:
    """Give the numbers of parts that few things share before those that many have.

    Of a part that a thing has several times, the second counts as a part of its own.
    """
    few = {number >> 1 for number in map(zlib.crc32, counted(telling))}
    many = {number >> 1 | _COMMON for number in map(zlib.crc32, counted(common))}
    return array("I", sorted(few | many))


def counted(parts: Iterable[str]) -> Iterable[bytes]:
    """Tell the first, the second … of each part apart."""
    return (
        f"{part} {copy}".encode("utf-8", "surrogatepass")
        for part, number in Counter(parts).items()
        for copy in range(number)
    )


def likeness(one: Features[int], other: Features[int]) -> float:
    """Give Jaccard's measure, from 0 to 1; nothing is like nothing at all."""
    shared = len(set(one).intersection(other))
    return shared / (len(one) + len(other) - shared) if shared else 0.0
