"""Find out which templates are nearly the same, so that they stay on one side of a split.

Two templates are alike when their texts share most of their shingles (runs of three words), or
when their graphs share most of their parts (types of nodes, and wires between types). What is
compared are sets of numbers, and the measure is Jaccard's: shared ÷ all. It is exact: no pair
above the threshold is missed.
"""

from __future__ import annotations

import hashlib
import math
import re
import zlib
from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import combinations, groupby
from operator import itemgetter
from typing import TypeVar

Features = array  # of unsigned 32-bit numbers, sorted, each once
T = TypeVar("T", bound=Hashable)

_WORD = re.compile(r"\w+")
_WORDS_IN_A_SHINGLE = 3
# "Webhook, then Slack" is everybody's: so small a graph tells nothing about where it came from.
LEAST_PARTS_OF_A_GRAPH = 12
_BUCKETS = 1 << 22


def text_features(text: str) -> Features[int]:
    """Give the shingles of a text; case, punctuation and spacing do not count."""
    words = [word.encode() for word in _WORD.findall(text.casefold())]
    if len(words) <= _WORDS_IN_A_SHINGLE:
        return _features([b" ".join(words)] if words else [])
    shifted = (words[start:] for start in range(_WORDS_IN_A_SHINGLE))
    return _features(map(b" ".join, zip(*shifted, strict=False)))


def graph_features(
    node_types: Iterable[str], wires: Iterable[tuple[str, str, str]]
) -> Features[int]:
    """Give the parts of a graph, the second of a kind as a part of its own; nothing of a small one.

    A wire is the type of its source, its kind, and the type of its target.
    """
    parts = Counter(node_types) + Counter(" ".join(wire) for wire in wires)
    if parts.total() < LEAST_PARTS_OF_A_GRAPH:
        return array("I")
    return _features(
        f"{part} {copy}".encode() for part, many in parts.items() for copy in range(many)
    )


def likeness(one: Features[int], other: Features[int]) -> float:
    """Give Jaccard's measure, from 0 to 1; nothing is like nothing at all."""
    shared = len(set(one).intersection(other))
    return shared / (len(one) + len(other) - shared) if shared else 0.0


class Groups:
    """Sets that grow together."""

    def __init__(self, size: int) -> None:
        self._above = list(range(size))

    def of(self, member: int) -> int:
        """Name the group of a member, by one of its members."""
        while self._above[member] != member:
            self._above[member] = self._above[self._above[member]]
            member = self._above[member]
        return member

    def join(self, one: int, other: int) -> None:
        """Make the groups of two members one; it goes by the smaller number."""
        low, high = sorted((self.of(one), self.of(other)))
        self._above[high] = low


def join_alike(groups: Groups, documents: Sequence[Features[int]], threshold: float) -> None:
    """Join every two documents whose likeness is the threshold or more.

    Sorted from rare to frequent features, two such documents must share one of their first ones:
    only those are looked at.
    """
    unlike = list(_without_copies(groups, documents))
    frequency = _frequencies(documents[number] for number in unlike)
    for members in _sharing(unlike, documents, threshold, frequency):
        for one, other in combinations(members, 2):
            are_apart = groups.of(one) != groups.of(other)
            if are_apart and _are_alike(documents[one], documents[other], threshold):
                groups.join(one, other)


def split(groups: Sequence[T], share: float, seed: int) -> set[T]:
    """Choose whole groups for the smaller side, as near to its share of all members as they fit.

    The same groups and the same seed give the same choice, in whatever order they come.
    """
    sizes = Counter(groups)
    room = round(share * len(groups))
    taken = set()
    for group in sorted(sizes, key=lambda name: _drawn(name, seed)):
        if sizes[group] <= room:
            room -= sizes[group]
            taken.add(group)
    return taken


def _features(parts: Iterable[bytes]) -> Features[int]:
    return array("I", sorted(set(map(zlib.crc32, parts))))


def _are_alike(one: Features[int], other: Features[int], threshold: float) -> bool:
    short, long = sorted((len(one), len(other)))
    return short >= threshold * long - 1e-9 and likeness(one, other) >= threshold


def _without_copies(groups: Groups, documents: Sequence[Features[int]]) -> Iterator[int]:
    """Join documents that are the same, and give the first of each."""
    seen: dict[bytes, int] = {}
    for number, document in enumerate(documents):
        if document:
            first = seen.setdefault(document.tobytes(), number)
            groups.join(first, number)
            if first == number:
                yield number


def _frequencies(documents: Iterable[Features[int]]) -> bytearray:
    """Count, up to 255, in how many documents a feature is; one bucket may count for several."""
    counts = bytearray(_BUCKETS)
    for document in documents:
        for feature in document:
            bucket = feature % _BUCKETS
            if counts[bucket] < 255:
                counts[bucket] += 1
    return counts


def _sharing(
    numbers: Iterable[int],
    documents: Sequence[Features[int]],
    threshold: float,
    frequency: bytearray,
) -> Iterator[list[int]]:
    """Give the documents that have one of their first features in common."""
    places = [
        (feature, number)
        for number in numbers
        for feature in _first(documents[number], threshold, frequency)
        if frequency[feature % _BUCKETS] > 1  # nobody shares what only one has
    ]
    places.sort()
    for _, sharing in groupby(places, key=itemgetter(0)):
        yield [number for _, number in sharing]


def _first(document: Features[int], threshold: float, frequency: bytearray) -> list[int]:
    """Give so many of the rarest features that the rest alone is not enough to be alike."""
    by_rarity = sorted(document, key=lambda feature: (frequency[feature % _BUCKETS], feature))
    return by_rarity[: len(document) - math.ceil(threshold * len(document) - 1e-9) + 1]


def _drawn(name: object, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}:{name}".encode()).digest()
