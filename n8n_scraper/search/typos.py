"""Give a word that is in no item the word that was meant: the nearest that items have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_SHORTEST = 3
_SHORT = 4
"""Up to this length one slip is as many as a word bears."""
_MOST_SLIPS = 2


class Vocabulary:
    """The words of a source that a person may have meant, and how many items have each."""

    def __init__(self, words: Iterable[tuple[str, int]]) -> None:
        self._items: Mapping[str, int] = {word: items for word, items in words if _is_one(word)}
        self._by_length: dict[int, list[str]] = {}
        for word in self._items:
            self._by_length.setdefault(len(word), []).append(word)

    def meant(self, word: str) -> str | None:
        """Give the word with the fewest slips.

        Of several, first one with the same letters, as two are often swapped; then one that begins
        with the same; then the most frequent.
        """
        from rapidfuzz import process  # a search without a slip has no use for it
        from rapidfuzz.distance import OSA

        if not _is_one(word):
            return None
        most = 1 if len(word) <= _SHORT else _MOST_SLIPS
        near = [
            one
            for length in range(len(word) - most, len(word) + most + 1)
            for one in self._by_length.get(length, ())
        ]
        found = process.extract(word, near, scorer=OSA.distance, score_cutoff=most, limit=None)
        letters = sorted(word)
        ordered = sorted(
            (slips, sorted(one) != letters, one[0] != word[0], -self._items[one], one)
            for one, slips, _ in found
        )
        return ordered[0][-1] if ordered else None


def _is_one(word: str) -> bool:
    return len(word) >= _SHORTEST and word.isalpha()
