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
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeVar

Features = array  # of unsigned 32-bit numbers, sorted, each once
T = TypeVar("T", bound=Hashable)

_WORD = re.compile(r"\w+")
_WORDS_IN_A_SHINGLE = 3
# "Webhook, then Slack" is everybody's: so small a graph tells nothing about where it came from.
LEAST_PARTS_OF_A_GRAPH = 12
_BUCKETS = 1 << 22
# Of how many features in common the first are looked for: with one, a tenth of all pairs would have
# to be compared in full.
_SHARED_FIRST = 3


def text_features(text: str) -> Features[int]:
    """Give the shingles of a text; case, punctuation and spacing do not count."""
    said = " ".join(_WORD.findall(text.casefold())).encode()
    words = said.split(b" ")
    if len(words) <= _WORDS_IN_A_SHINGLE:
        return _features([said] if said else [])
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

    Sorted from rare to frequent features, two such documents must share several of their first
    ones: only those are looked at.
    """
    unlike = list(_without_copies(groups, documents))
    frequency = _frequencies(documents[number] for number in unlike)
    having: defaultdict[int, list[int]] = defaultdict(list)
    for one in unlike:
        document = documents[one]
        first = _first(document, threshold, frequency)
        shared = Counter(chain.from_iterable(map(having.__getitem__, first)))
        least = min(_SHARED_FIRST, _least_shared(document, threshold))
        for other in (number for number, many in shared.items() if many >= least):
            are_apart = groups.of(one) != groups.of(other)
            if are_apart and _are_alike(document, documents[other], threshold):
                groups.join(one, other)
        for feature in first:
            having[feature].append(one)


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


def _first(document: Features[int], threshold: float, frequency: bytearray) -> list[int]:
    """Give so many of the rarest features that too few are left to be alike by those alone.

    Those that only one document has are not given: nobody shares them.
    """
    shared = [feature for feature in document if frequency[feature % _BUCKETS] > 1]
    alone = len(document) - len(shared)
    room = len(document) - _least_shared(document, threshold) + _SHARED_FIRST - alone
    if room < len(shared):
        shared.sort(key=lambda feature: (frequency[feature % _BUCKETS], feature))
    return shared[: max(room, 0)]


def _least_shared(document: Features[int], threshold: float) -> int:
    """Give how many of a document's features another must have to be alike."""
    return math.ceil(threshold * len(document) - 1e-9)


def _drawn(name: object, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}:{name}".encode()).digest()
