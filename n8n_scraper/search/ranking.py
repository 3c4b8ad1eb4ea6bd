"""Say how well an item answers a query: by its words alone, so in the same way everywhere.

Each word is looked for in the title, in the names and in the body, as BM25 does it in one text:
it counts for more the rarer it is, each further time that it stands there adds less, and a long
text is no advantage. A title says more than names do, and these more than the body.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class _Field:
    """How much a text tells, and how long it usually is."""

    weight: float
    usual: int
    """Words of one of usual length."""
    length_counts: float
    """From 0 to 1."""

    def worth(self, text: str, wanted: Sequence[Wanted]) -> float:
        """Say what words bring that stand in a text, which has spaces around each of its own."""
        often = [(word.rarity, times) for word in wanted if (times := word.times_in(text))]
        if not often:
            return 0.0
        length = (text.count(" ") - 1) / self.usual  # which takes longer than to find the words
        enough = _ENOUGH * (1 - self.length_counts + self.length_counts * length)
        return sum(rarity * self.weight * times / (times + enough) for rarity, times in often)


_ENOUGH = 1.2
"""So many times bring half of what a word can bring in a text of usual length."""

_TITLE, _NAMES, _BODY = _Field(4.0, 9, 0.3), _Field(1.5, 30, 0.4), _Field(1.0, 400, 0.5)

_TOGETHER = 0.5
"""What words bring that stand one behind the other in a title, of their rarity."""

_WHOLE_TITLE = 0.5
"""The same of a title that has no other words."""

_LOOKED_AT = 0.3
"""What it brings to be looked at ten times as often."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A word of a query: the stems that stand for it, and how much it tells."""

    stems: tuple[str, ...]
    rarity: float

    def times_in(self, text: str) -> int:
        """Count the word in a text that has spaces around each of its own."""
        if len(self.stems) == 1:
            return text.count(f" {self.stems[0]} ")
        return sum(text.count(f" {stem} ") for stem in self.stems)


@dataclass(frozen=True, slots=True)
class Candidate:
    """What of an item is looked at."""

    number: int
    title: str
    """Stems, with spaces between them; so are the others."""
    names: str
    body: str
    popularity: int | None


def rarity(items: int, total: int) -> float:
    """Say how much a word tells that so many of all items have."""
    return math.log(1 + (total - min(items, total) + 0.5) / (items + 0.5))


def ranked(candidates: Sequence[Candidate], wanted: Sequence[Wanted]) -> list[int]:
    """Give their numbers, the best first; of two that are as good, the one that is looked at."""
    scores = ((_score(one, wanted), one.number) for one in candidates)
    return [number for _, number in sorted(scores, reverse=True)]


def _score(one: Candidate, wanted: Sequence[Wanted]) -> float:
    title, names, body = (f" {text} " for text in (one.title, one.names, one.body))
    by_words = _TITLE.worth(title, wanted) + _NAMES.worth(names, wanted) + _BODY.worth(body, wanted)
    by_views = _LOOKED_AT * math.log10(1 + max(0, one.popularity or 0))
    return round(by_words + _in_order(title, wanted) + by_views, 9)


def _in_order(title: str, wanted: Sequence[Wanted]) -> float:
    """Reward a title in which words of the query stand in their order, or that is the query."""
    bonus = 0.0
    for one, other in pairwise(wanted):
        if f" {one.stems[0]} {other.stems[0]} " in title:
            bonus += _TOGETHER * min(one.rarity, other.rarity)
    if title == f" {' '.join(word.stems[0] for word in wanted)} ":
        bonus += _WHOLE_TITLE * sum(word.rarity for word in wanted)
    return bonus
