"""Find out which templates are nearly the same, so that they stay on one side of a split.

Two templates are alike when their texts share most of their shingles (runs of three words), or
when their graphs share most of their parts (types of nodes, and wires between types). It is exact:
no pair above the threshold is missed.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from n8n_scraper.policies.likeness.features import Features, counted, features
from n8n_scraper.policies.likeness.groups import Groups
from n8n_scraper.policies.likeness.joining import alike_among, copies

T = TypeVar("T", bound=Hashable)

_WORD = re.compile(r"\w+")
_WORDS_IN_A_SHINGLE = 3
# "Webhook, then Slack" is everybody's: so small a graph tells nothing about where it came from.
LEAST_PARTS_OF_A_GRAPH = 12


def text_features(text: str) -> Features[int]:
    """Give the shingles of a text; case, punctuation and spacing do not count."""
    said = " ".join(_WORD.findall(text.casefold())).encode()
    words = said.split(b" ")
    if len(words) <= _WORDS_IN_A_SHINGLE:
        return features([said] if said else [])
    shifted = (words[start:] for start in range(_WORDS_IN_A_SHINGLE))
    return features(map(b" ".join, zip(*shifted, strict=False)))


def graph_features(
    node_types: Iterable[str], wires: Iterable[tuple[str, str, str]]
) -> Features[int]:
    """Give the parts of a graph, the second of a kind as a part of its own; nothing of a small one.

    A wire is the type of its source, its kind, and the type of its target.
    """
    parts = [*node_types, *map(" ".join, wires)]
    if len(parts) < LEAST_PARTS_OF_A_GRAPH:
        return array("I")
    return features(counted(parts))


def join_alike(groups: Groups, documents: Sequence[Features[int]], threshold: float) -> None:
    """Join every two documents whose likeness is the threshold or more."""
    same = list(copies(documents))
    for first, *others in same:
        for other in others:
            groups.join(first, other)

    def are_together(one: int, other: int) -> bool:
        return groups.of(one) == groups.of(other)

    firsts = [group[0] for group in same]
    for one, other, _ in alike_among(documents, firsts, threshold, are_together):
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


def _drawn(name: object, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}:{name}".encode()).digest()
