"""Compare what two answers say in words, whatever marks, lines and letter case they use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from n8n_scraper.sources.n8n.item import Difference

# Where one sentence ends and the next begins; a line ends one as well.
_SENTENCES = re.compile(r"[.!?:;]+\s+|\n+")
_WORDS = re.compile(r"\w+")
_BETWEEN = re.compile(r"\W")
_AT_ONCE = 100_000
# So much of both texts must be the same for them to agree: a page may render a mark its own way.
_ENOUGH = 0.9
_MOST_NAMED = 20
_LONGEST = 300
# So many characters are searched for sentences before a comparison is given up; the longest
# recorded description needs a tenth of it.
_MOST_SEARCHED = 50_000_000
# Longer texts that are not the same are not compared: all their pairs of words would not fit.
_MOST_COMPARED = 2_000_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two texts compare: what only one of them says, and how much both do."""

    differences: list[Difference]
    shared: float
    """The share of all words that stand in sentences which both have."""

    @property
    def agrees(self) -> bool:
        """Whether the two say the same, but for trifles."""
        return self.shared >= _ENOUGH


def compare(markdown: str, page: str) -> Comparison | None:
    """Name the sentences that only one of the two texts has; None where that takes too long."""
    ours, theirs = _Text(markdown), _Text(page)
    if ours.words == theirs.words:
        return Comparison([], 1.0)
    if max(len(ours.words), len(theirs.words)) > _MOST_COMPARED:
        return None
    try:
        only_ours, only_theirs = _missing(ours, theirs), _missing(theirs, ours)
    except _TooLong:
        return None
    words = len(ours.words.split()) + len(theirs.words.split())
    lost = sum(len(_spoken(one).split()) for one in (*only_ours, *only_theirs))
    return Comparison(
        differences=[
            *(Difference(only_in="markdown", text=_short(one)) for one in only_ours[:_MOST_NAMED]),
            *(Difference(only_in="page", text=_short(one)) for one in only_theirs[:_MOST_NAMED]),
        ],
        shared=1.0 - lost / words if words else 1.0,
    )


def are_same_words(one: str, other: str) -> bool:
    """Whether two texts are word for word the same, whatever stands between the words."""
    return _single_spaced(one) == _single_spaced(other) or _spoken(one) == _spoken(other)


def same_words(texts: list[str]) -> bool:
    """Whether all texts are the same but for letter case and white space."""
    return len({" ".join(text.casefold().split()) for text in texts}) == 1


class _TooLong(Exception):
    """The texts are too long and too different to be compared."""


class _Text:
    """A text in words, and what it can be asked about a sentence of another."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.words = _spoken(source)
        self._left_to_search = _MOST_SEARCHED

    @cached_property
    def sentences(self) -> dict[str, str]:
        """Each sentence once, with its words."""
        found = dict.fromkeys(one.strip() for one in _SENTENCES.split(self._source))
        return {one: words for one in found if (words := _spoken(one)).strip()}

    @cached_property
    def _said(self) -> set[str]:
        return set(self.sentences.values())

    @cached_property
    def _neighbours(self) -> set[tuple[str, str]]:
        return set(pairwise(self.words.split()))

    def has(self, sentence: str) -> bool:
        """Whether the words of a sentence stand here in a row.

        Nearly always one look says so: here is the same sentence, or two of its words are never
        neighbours here. Only what is left has to be searched for.
        """
        if sentence in self._said:
            return True
        if not self._neighbours.issuperset(pairwise(sentence.split())):
            return False
        self._left_to_search -= len(self.words)
        if self._left_to_search < 0:
            raise _TooLong
        return sentence in self.words


def _missing(text: _Text, other: _Text) -> list[str]:
    """The sentences of a text whose words do not stand in a row in the other, in their order."""
    return [one for one, words in text.sentences.items() if not other.has(words)]


def _spoken(text: str) -> str:
    """The words alone, one blank around each, so that no word is found inside another."""
    said = text.casefold().replace("_", " ")
    words = (" ".join(_WORDS.findall(piece)) for piece in _pieces(said))
    return f" {' '.join(filter(None, words))} "


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces that cut no word: a list of all words takes twelve times the text's room."""
    start = 0
    while len(text) - start > _AT_ONCE:
        end = _BETWEEN.search(text, start + _AT_ONCE)
        if end is None:
            break
        yield text[start : end.start()]
        start = end.start()
    yield text[start:]


def _single_spaced(text: str) -> str:
    """A text with one blank between its words, made without a list of them."""
    text = text.replace("\n", " ").replace("\t", " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text.strip()


def _short(sentence: str) -> str:
    one_line = " ".join(sentence.split())
    return one_line if len(one_line) <= _LONGEST else one_line[: _LONGEST - 1] + "…"
