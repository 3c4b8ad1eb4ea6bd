"""Read what a person typed: words, "phrases", -without, begin*; all else is a sign between words.

Nothing that can be typed is an error: what makes no sense is looked for as the words it has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from n8n_scraper.search.words import STOP_WORDS, runs_together, stem, words_of

MOST_SIGNS = 1_000
"""What is typed beyond is not read."""

MOST_WORDS = 16
"""Words beyond are not looked for."""

_PIECE = re.compile(r'(-?)"([^"]*)"|(\S+)')
_SHORTEST_BEGINNING = 2


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for; all of it must be there."""

    words: tuple[str, ...] = ()
    """As typed, folded, each once."""
    beginnings: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    """Stems that stand one behind the other."""
    without: tuple[tuple[str, ...], ...] = ()
    """Words and phrases, as stems, that must not be there."""

    @property
    def asks_for_something(self) -> bool:
        """Whether there is anything to rank by."""
        return bool(self.words or self.beginnings or self.phrases)


def read_query(text: str) -> Query:
    """Read what was typed."""
    words: list[str] = []
    beginnings: list[str] = []
    phrases: list[tuple[str, ...]] = []
    without: list[tuple[str, ...]] = []
    for is_not, piece, is_phrase in _pieces(text[:MOST_SIGNS]):
        found = words_of(piece)
        if not found:
            continue
        if is_not:
            without.append(tuple(map(stem, found)))
        elif is_phrase and len(found) > 1:
            phrases.append(tuple(map(stem, found)))
        elif piece.endswith("*") and len(found[-1]) >= _SHORTEST_BEGINNING:
            words += found[:-1]
            beginnings.append(found[-1])
        else:
            words += found
    return Query(
        words=_telling(words, alone=not (beginnings or phrases))[:MOST_WORDS],
        beginnings=tuple(dict.fromkeys(beginnings))[:MOST_WORDS],
        phrases=tuple(dict.fromkeys(phrase[:MOST_WORDS] for phrase in phrases))[:MOST_WORDS],
        without=tuple(dict.fromkeys(phrase[:MOST_WORDS] for phrase in without))[:MOST_WORDS],
    )


def _pieces(text: str) -> Iterator[tuple[bool, str, bool]]:
    """Give each piece, whether it must not be there, and whether it is a phrase."""
    for minus, quoted, bare in _PIECE.findall(text):
        if bare:
            is_not = bare.startswith("-") and not bare.startswith("--")
            word = bare.removeprefix("-") if is_not else bare
            yield is_not, word, runs_together(word)
        else:
            yield bool(minus), quoted, True


def _telling(words: list[str], *, alone: bool) -> tuple[str, ...]:
    """Leave out the words that nearly every text has, unless nothing else was asked."""
    telling = [word for word in words if word not in STOP_WORDS]
    return tuple(dict.fromkeys(telling or (words if alone else ())))
