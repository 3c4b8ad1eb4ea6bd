"""Bring what people write into one form: what differs in it afterwards differs in its words."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from n8n_scraper.policies.sameness.variants import SAME_CHARACTER

_KEPT: Final = 50_000
"""How many texts are remembered: what is compared is compared with many."""
_ACCENT = re.compile("[\u0300-\u036f]+")
_APOSTROPHE = re.compile("['\u2019\u2018\u02bc`\u00b4]")
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_SPACE_BESIDE_CJK = re.compile(f"(?<=[{_CJK}]) | (?=[{_CJK}])")
_LATIN, _HAN = re.compile("[a-z]"), re.compile(f"[{_CJK}]")


class _Separators(dict[int, str | int]):
    """Makes a space of whatever is neither letter, number nor mark; each is looked up once."""

    def __missing__(self, code: int) -> str | int:
        kind = unicodedata.category(chr(code))[0]
        self[code] = " " if kind in "PSZC" else code
        return self[code]


_SEPARATORS = _Separators()


@lru_cache(_KEPT)
def plain(text: str) -> str:
    """Give a text without case, accents, punctuation and ways of writing the same character.

    >>> plain("  Café\u3000ＮＯＩＲ: “Live” & more!"), plain("國際 艺术 節")
    ('cafe noir live and more', '國際藝术節')
    """
    text = unicodedata.normalize("NFKD", _APOSTROPHE.sub("", text)).casefold()
    text = unicodedata.normalize("NFKC", _ACCENT.sub("", unicodedata.normalize("NFKD", text)))
    text = text.translate(SAME_CHARACTER).replace("&", " and ").translate(_SEPARATORS)
    return _SPACE_BESIDE_CJK.sub("", " ".join(text.split()))


def scripts(plain_text: str) -> frozenset[str]:
    """Say in which of the two scripts that we can compare a plain text is written."""
    found = {"latin": _LATIN, "han": _HAN}
    return frozenset(name for name, sign in found.items() if sign.search(plain_text))
