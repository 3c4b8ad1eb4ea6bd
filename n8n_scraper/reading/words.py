"""Clean texts: entities, spaces that mean nothing, words for "none"."""

from __future__ import annotations

import html
import re

# What is entered where a field must not be empty.
_NOTHING = frozenset({"", "-", "--", "---", "–", "—", "n/a", "nil", "not applicable", "不適用"})


def line(text: str | None) -> str | None:
    """One line of words, or None for what is said where there is nothing to say."""
    words = " ".join(html.unescape(text or "").split())
    return None if words.lower() in _NOTHING else words


def lines(text: str | None) -> str | None:
    """Several lines of words, without empty ones in a row."""
    kept = (" ".join(part.split()) for part in html.unescape(text or "").splitlines())
    words = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()
    return None if words.lower() in _NOTHING else words
