"""Cut a text into words, and a word down to its stem: the same for what is searched and asked.

The databases see nothing but these words, so that neither cuts or compares them in its own way.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from snowballstemmer.english_stemmer import EnglishStemmer

LONGEST = 40
"""A word is known by so many of its signs."""

BETWEEN_PIECES = "|"
"""Stands between two pieces of a text, and is no word."""

# Scripts that set no spaces between words: each sign of theirs is one.
_ALONE = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
WORD = re.compile(rf"[{_ALONE}]|[^\W_{_ALONE}]+")
_ALL_ALONE = re.compile(rf"[{_ALONE}]{{2,}}")
_STEMMED = re.compile(r"[a-z]{3,}")
_LATIN = (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
_WITHOUT_PARTS = {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i"}

_OFTEN = """
    a about after all also an and any are as at be been but by can could did do does each for
    from had has have he her his how i if in into is it its just me more my no nor not of on once
    only or other our out over own same she should so some such than that the their them then there
    these they this those through to too under until up use using very via want was we were what
    when where which while who why will with would you your
"""
STOP_WORDS = frozenset(_OFTEN.split())
"""Words that nearly every text has: asked together with others, they are not looked for."""


def _bare(code: int) -> str | None:
    """Give a letter without its accent, if that leaves one letter."""
    sign = chr(code)
    left = _WITHOUT_PARTS.get(sign) or unicodedata.normalize("NFKD", sign)
    letters = [one for one in left if not unicodedata.combining(one)]
    return letters[0] if len(letters) == 1 and letters[0] != sign else None


_LETTERS = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_ACCENTED = {code: bare for code in _LATIN if (bare := _bare(code))}


def fold(text: str) -> str:
    """Take case and accents out of a text; every sign stays in its place."""
    # To translate takes ten times as long as to see that there is nothing to translate.
    has_letters = not text.isascii() and _LETTERS.search(text)
    return (text.translate(_ACCENTED) if has_letters else text).lower()


def words_of(text: str) -> list[str]:
    """Give the words of a text in their order, folded."""
    return [word[:LONGEST] for word in WORD.findall(fold(composed(text)))]


def composed(text: str) -> str:
    """Give a text in which a letter and its accent are one sign."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Give what a folded word has in common with its other forms."""
    if not _STEMMED.fullmatch(word):
        return word
    stemmed: str = EnglishStemmer().stemWord(word)  # one has a state of its own
    return stemmed


def stems_of(text: str) -> list[str]:
    """Give the stems of a text's words in their order."""
    return [stem(word) for word in words_of(text)]


def runs_together(text: str) -> bool:
    """Whether these are several words without a space, as some scripts set them."""
    return bool(_ALL_ALONE.fullmatch(text))
