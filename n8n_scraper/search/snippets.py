"""Cut the piece out of a text that answers a query, with its words marked.

The marks are control characters, which no indexed text has: a presenter escapes the text first and
puts its own marks in their place then.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from n8n_scraper.search.words import fold, stem

MARK, UNMARK = "\x02", "\x03"

LENGTH = 220
"""Signs of a piece."""

_BEFORE = 50
"""Signs shown before the first word that is marked."""
_MOST_LOOKED_AT = 200
_SPACES = re.compile(r"\s+")
_CUT = "…"


def snippet(text: str, stems: Collection[str], length: int = LENGTH) -> str:
    """Give the piece in which most of the words stand; the beginning where none does."""
    found = _found(text, stems)
    if not found:
        return _piece(text, [], 0, length)
    best, most = 0, (0, 0)
    for place, (start, _, _) in enumerate(found):
        there = [word for begin, end, word in found[place:] if end <= start + length - _BEFORE]
        if (here := (len(set(there)), len(there))) > most:
            best, most = start, here
    return _piece(text, found, max(0, best - _BEFORE), length)


def marked(text: str, stems: Collection[str]) -> str:
    """Give a whole text, with the words marked."""
    return _piece(text, _found(text, stems), 0, len(text))


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Take a marked text apart: each piece, and whether it is marked."""
    for number, piece in enumerate(re.split(f"[{MARK}{UNMARK}]", text)):
        if piece:
            yield piece, number % 2 == 1


def as_html(text: str) -> str:
    """Escape a marked text, and only then put `<mark>` in the place of the marks."""
    return html.escape(text).replace(MARK, "<mark>").replace(UNMARK, "</mark>")


def without_marks(text: str) -> str:
    """Give the text itself."""
    return text.replace(MARK, "").replace(UNMARK, "")


def _found(text: str, stems: Collection[str]) -> list[tuple[int, int, str]]:
    """Give the first places of the words, each with its stem."""
    if not stems:
        return []
    found = []
    folded = fold(text)
    for match in _beginning(frozenset(stems)).finditer(folded):
        begin = match.start()
        if begin and folded[begin - 1].isalnum():
            continue  # it is the end of a longer word
        if (stemmed := stem(match.group())) in stems:
            found.append((begin, match.end(), stemmed))
            if len(found) == _MOST_LOOKED_AT:
                break
    return found


@lru_cache(maxsize=256)
def _beginning(stems: frozenset[str]) -> re.Pattern[str]:
    """Find what goes on like a stem to the end of its word, wherever in a word that begins.

    A stem may end in another sign than its words do. That a word begins there is seen to by whoever
    asks: to look back at every sign of a text takes several times as long.
    """
    each = (re.escape(one if len(one) <= 3 else one[:-1]) for one in sorted(stems))
    return re.compile(rf"(?:{'|'.join(each)})[^\W_]*")


def _piece(text: str, found: list[tuple[int, int, str]], begin: int, length: int) -> str:
    end = min(len(text), begin + length)
    begin, end = _at_a_space(text, begin, end)
    parts, at = [], begin
    for start, stop, _ in found:
        if begin <= start and stop <= end:
            parts += [text[at:start], MARK, text[start:stop], UNMARK]
            at = stop
    parts.append(text[at:end])
    piece = _SPACES.sub(" ", "".join(parts)).strip()
    return f"{_CUT if begin else ''}{piece}{_CUT if end < len(text) else ''}"


def _at_a_space(text: str, begin: int, end: int) -> tuple[int, int]:
    """Move both ends to a space that is near, so that no word is cut."""
    if begin and (space := text.find(" ", begin, begin + _BEFORE)) >= 0:
        begin = space + 1
    if end < len(text) and (space := text.rfind(" ", end - _BEFORE, end)) > begin:
        end = space
    return begin, end
