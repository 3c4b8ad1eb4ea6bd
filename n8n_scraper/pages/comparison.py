"""Compare what two answers say in words, whatever marks, lines and letter case they use."""

from __future__ import annotations

import re
from dataclasses import dataclass

from n8n_scraper.items import Difference

# Where one sentence ends and the next begins; a line ends one as well.
_SENTENCES = re.compile(r"[.!?:;]+\s+|\n+")
_WORDS = re.compile(r"\w+")
# So much of both texts must be the same for them to agree: a page may render a mark its own way.
_ENOUGH = 0.9
_MOST_NAMED = 20
_LONGEST = 300


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


def compare(markdown: str, page: str) -> Comparison:
    """Name the sentences that only one of the two texts has."""
    ours, theirs = _spoken(markdown), _spoken(page)
    only_ours, only_theirs = _missing(markdown, theirs), _missing(page, ours)
    words = len(ours.split()) + len(theirs.split())
    lost = sum(len(_spoken(one).split()) for one in (*only_ours, *only_theirs))
    return Comparison(
        differences=[
            *(Difference(only_in="markdown", text=_short(one)) for one in only_ours[:_MOST_NAMED]),
            *(Difference(only_in="page", text=_short(one)) for one in only_theirs[:_MOST_NAMED]),
        ],
        shared=1.0 - lost / words if words else 1.0,
    )


def same_words(texts: list[str]) -> bool:
    """Whether all texts are the same but for letter case and white space."""
    return len({" ".join(text.casefold().split()) for text in texts}) == 1


def _missing(text: str, other: str) -> list[str]:
    """The sentences of a text whose words do not stand in a row in the other, in their order."""
    sentences = dict.fromkeys(one.strip() for one in _SENTENCES.split(text))
    return [one for one in sentences if (words := _spoken(one)).strip() and words not in other]


def _spoken(text: str) -> str:
    """The words alone, one blank around each, so that no word is found inside another."""
    return f" {' '.join(_WORDS.findall(text.casefold().replace('_', ' ')))} "


def _short(sentence: str) -> str:
    one_line = " ".join(sentence.split())
    return one_line if len(one_line) <= _LONGEST else one_line[: _LONGEST - 1] + "…"
